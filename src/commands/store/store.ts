// Opens the store for a command, and finishes or removes what interrupted ones left. Only commands that put something
// into a store create one, and report it: others would work on an empty one unnoticed, if run in the wrong folder.

import { type Config, storeName } from '../../config.ts';
import { InputError, linesWithoutControls, messageOf } from '../../errors.ts';
import { Database } from '../../store/database.ts';
import { loadState } from '../../store/state.ts';
import { parentFor, removeLeft } from '../../store/temporary-files.ts';

const WAITS = 'waiting for another process that writes to the store, two minutes at most ...\n';

/**
 * Opens the store of a configuration for as long as `work` takes.
 *
 * @param creates whether the command makes a store if there is none; `restores`: also where one was lost
 * @throws {InputError} if there is none otherwise
 */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
  { creates = false, restores = false } = {},
): Promise<T> {
  const { databaseUrl } = config;
  await removeLeft(parentFor(databaseUrl));
  const mayCreate = creates || restores;
  if (!mayCreate && !(await Database.exists(databaseUrl))) throw noStore(databaseUrl);
  const database = await Database.open(databaseUrl, restores ? 'restore' : 'command');
  database.onLongWait = () => process.stderr.write(WAITS);
  try {
    if (database.isNew) reportNewStore(databaseUrl);
    await finishErasure(config, database);
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Says that a command created the store: it may have been run in the wrong folder. */
export function reportNewStore(databaseUrl: string): void {
  process.stderr.write(`created a new store: ${storeName(databaseUrl)}\n`);
}

function noStore(databaseUrl: string): InputError {
  return new InputError(
    `there is no store at ${storeName(databaseUrl)}: run the command in the folder of the store or set ` +
      'DATABASE_URL; for a new store run import or serve',
  );
}

/** A failure is reported, and does not keep the command from its work. */
async function finishErasure(config: Config, database: Database): Promise<void> {
  const { erasingVersion } = await loadState(database.read);
  if (erasingVersion === null) return;
  process.stderr.write('erasing what an interrupted removal left ...\n');
  // Most commands never need these modules.
  const { publishImport } = await import('../publish.ts');
  const { eraseRemoved } = await import('../../publishing/erase.ts');
  try {
    await publishImport(config, database, null);
    await eraseRemoved(database);
  } catch (error) {
    const reason = messageOf(error);
    process.stderr.write(linesWithoutControls(`texts of removed reviews remain: ${reason}\n`));
  }
}
