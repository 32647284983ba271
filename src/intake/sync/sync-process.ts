// Looks at one source in a process of its own: an import takes memory and time that readers need.

import { serveParent } from '../../model/child-process.ts';
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

serveParent(run);
sendSignsOfLife();

async function run({ databaseUrl, source, options }: SyncJob): Promise<SyncAnswer> {
  try {
    const database = await Database.open(databaseUrl);
    try {
      return { kind: 'synced', result: await syncSource(database, source, options) };
    } finally {
      await database.close();
    }
  } catch (error) {
    return { kind: 'fault', message: messageOf(error) };
  }
}
