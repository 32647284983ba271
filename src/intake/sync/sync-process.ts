// Looks at one source in a process of its own: an import takes memory and time that readers need.

import type { ImportSource } from '../../model/import-source.ts';
import { sendSignsOfLife } from '../../model/signs-of-life.ts';
import { Database } from '../../store/database.ts';
import { messageOf } from '../../errors.ts';
import { syncSource, type SyncOptions, type SyncResult } from './sync.ts';

export interface SyncJob {
  readonly databaseUrl: string;
  readonly source: ImportSource;
  readonly options: SyncOptions;
}

export type SyncAnswer =
  | { readonly kind: 'synced'; readonly result: SyncResult }
  | { readonly kind: 'fault'; readonly message: string };

// A terminal sends these signals to all processes of a program; the parent acts on them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit(1));
if (!process.connected) process.exit(1);
sendSignsOfLife();
process.once('message', (job: SyncJob) => void run(job));

async function run({ databaseUrl, source, options }: SyncJob): Promise<void> {
  let answer: SyncAnswer;
  try {
    const database = await Database.open(databaseUrl);
    try {
      answer = { kind: 'synced', result: await syncSource(database, source, options) };
    } finally {
      await database.close();
    }
  } catch (error) {
    answer = { kind: 'fault', message: messageOf(error) };
  }
  process.send?.(answer, () => process.exit(0));
}
