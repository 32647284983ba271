// Opens the store for a command, and finishes or removes what interrupted ones left. A store that did not exist is
// created and reported: a command that is run in the wrong folder would otherwise work on an empty one unnoticed.

import { type Config, storeName } from '../config.ts';
import { linesWithoutControls } from '../errors.ts';
import type { publishPending } from '../publishing/publish-pending.ts';
import { Database } from '../store/database.ts';
import { loadState } from '../store/state.ts';
import { parentFor, removeLeft } from '../store/temporary-files.ts';

/** Opens the store of a configuration for as long as `work` takes. */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
  publish?: typeof publishPending,
): Promise<T> {
  const { databaseUrl } = config;
  const database = await Database.open(databaseUrl);
  try {
    if (database.isNew) process.stderr.write(`created a new store: ${storeName(databaseUrl)}\n`);
    await removeLeft(parentFor(databaseUrl));
    await finishErasure(config, database, publish);
    return await work(database);
  } finally {
    await database.close();
  }
}

/** A failure is reported, and does not keep the command from its work. */
async function finishErasure(
  config: Config,
  database: Database,
  publish?: typeof publishPending,
): Promise<void> {
  const { erasingVersion } = await loadState(database.read);
  if (erasingVersion === null) return;
  process.stderr.write('erasing what an interrupted removal left ...\n');
  // Most commands never need these modules.
  const { publishImport } = await import('./publish.ts');
  const { eraseRemoved } = await import('../publishing/erase.ts');
  try {
    await publishImport(config, database, null, publish);
    await eraseRemoved(database);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(linesWithoutControls(`texts of removed reviews remain: ${reason}\n`));
  }
}
