// The files of deploy/monitoring, against the metrics of a running server.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { RunningServer } from './running-server.ts';

const FOLDER = fileURLToPath(new URL('../../deploy/monitoring', import.meta.url));

/** The metrics that a file of deploy/monitoring uses, without the suffixes of histograms. */
async function monitoredMetrics(): Promise<[file: string, names: string[]][]> {
  return Promise.all(
    ['alerts.yaml', 'dashboard.json'].map(async (file): Promise<[string, string[]]> => {
      const text = await readFile(join(FOLDER, file), 'utf8');
      const names = text.match(/\b(?:public_reviews|http|process|nodejs)_\w+/g) ?? [];
      return [file, [...new Set(names.map((name) => name.replace(/_bucket$/, '')))]];
    }),
  );
}

/** Expects every metric that alert rules and dashboard use in `/metrics`. */
export async function expectMonitored(server: RunningServer): Promise<void> {
  const text = await (await server.get('/metrics')).text();
  const exposed = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!));
  for (const [file, names] of await monitoredMetrics()) {
    expect(names.length, file).toBeGreaterThan(3);
    expect([file, names.filter((name) => !exposed.has(name))]).toEqual([file, []]);
  }
}
