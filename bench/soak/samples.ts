// Samples of what must not grow: memory, handles and file descriptors of the server, rows and bytes of the
// store, and files.

import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database } from '../../src/store/database.ts';
import type { Collector } from './collector.ts';

/** Tables of what operators and clients did. The store bounds them, except the log, which keeps everything. */
const RECORDS: ReadonlySet<string> = new Set(['imports', 'log_bundles', 'review_history']);

/** The server that is measured: where it answers, its store, and its files. */
export interface Measured {
  readonly origin: string;
  readonly database: Database;
  readonly collector: Collector;
  readonly folder: string;
}

export interface Sample {
  readonly atMs: number;
  readonly values: Readonly<Record<string, number>>;
}

/** Memory is what the server holds after a collection of garbage. */
export async function takeSample(measured: Measured): Promise<Sample> {
  const { origin, database, collector, folder } = measured;
  await collector.collect();
  // Without a kept connection, which the server may close while the request is on its way.
  const init = { headers: { Connection: 'close' } };
  const text = await (await fetch(`${origin}/metrics`, init)).text();
  const metric = (name: string) => {
    const lines = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
    return lines.reduce((sum, [, value]) => sum + Number(value), 0);
  };
  return {
    atMs: performance.now(),
    values: {
      'resident memory, MiB': metric('process_resident_memory_bytes') / 2 ** 20,
      'heap, MiB': metric('nodejs_heap_size_used_bytes') / 2 ** 20,
      handles: metric('nodejs_active_handles_total'),
      'file descriptors': metric('process_open_fds'),
      rows: await countRows(database),
      files: readdirSync(folder, { recursive: true }).length,
    },
  };
}

async function countRows({ read }: Database): Promise<number> {
  const tables = (await read.introspection.getTables()).map(({ name }) => name);
  const counts = await Promise.all(
    tables
      .filter((name) => !RECORDS.has(name))
      .map(async (name) => {
        const { rows } = await sql<{
          count: number;
        }>`select count(*) as count from ${sql.table(name)}`.execute(read);
        return Number(rows[0]?.count);
      }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
