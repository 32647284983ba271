// A store that version 0.1.0 made, with its documents, is migrated and served: same ids, same ETags of what did
// not change. The fixture has four reviews, three of them verified.

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBackup } from '../../src/commands/backup.ts';
import { diagnose } from '../../src/commands/doctor.ts';
import { parseConfig } from '../../src/config.ts';
import { serve } from '../../src/serving/serve.ts';
import { capture } from '../support/run-command.ts';

const FIXTURE = fileURLToPath(new URL('../fixtures/store-0.1.sqlite', import.meta.url));
/** As version 0.1.0 served it. */
const REVIEWS = {
  etag: '"DJgOjXaEyL9xnl1M0A4XK3"',
  lastModified: 'Sun, 22 Nov 2026 08:43:36 GMT',
  ids: ['01HZB3XW00077TJN8D30T0WJ69', '01HY1XJC00N0Z7Q5WMZZMPSHPK', '01HGERCX00JQS8X0SCGCZJNFGY'],
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-upgrade-'));
  await copyFile(FIXTURE, join(folder, 'store.db'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a store of version 0.1.0 keeps its ids and the ETag of its reviews', async () => {
  const config = parseConfig({
    DATABASE_URL: `sqlite:${join(folder, 'store.db')}`,
    BASE_URL: 'https://reviews.example',
    PORT: '0',
  });
  const before = await diagnose(() => ({ ...config, baseUrl: null }), Date.now());
  expect(before.find(({ check }) => check === 'version')?.status).toBe('warning');
  const server = await serve(config, pino({ level: 'silent' }), { example: false, group: null });
  try {
    const answer = await fetch(`${server.url}/reviews.json`);
    const { reviews } = (await answer.json()) as { reviews: { id: string }[] };
    expect({
      etag: answer.headers.get('etag')?.replace(/-\w+"$/, '"'),
      lastModified: answer.headers.get('last-modified'),
      ids: reviews.map(({ id }) => id),
    }).toEqual(REVIEWS);
  } finally {
    await server.close();
  }
  const { stdout } = await capture(() => runBackup(config, join(folder, 'backup.db')));
  expect(stdout).toMatch(/^backed up 4 reviews, /);
});
