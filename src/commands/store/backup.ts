// `backup`: writes the whole store into one file, checks the file, and then gives it its name. In a folder, each backup
// has the name of its time, and old ones are removed.

import { statSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, storeName } from '../../config.ts';
import { InputError, withoutControls } from '../../errors.ts';
import { type BackupInfo, digestOf, writeBackup } from '../../store/backup/backup.ts';
import { checkBackup, isBackup } from '../../store/backup/backup-check.ts';
import { findObstacle } from '../../publishing/log.ts';
import { isPristine } from '../../store/backup/copy-store.ts';
import { saveBackup } from '../../store/state.ts';
import { syncToDisk, withFolder } from '../../store/temporary-files.ts';
import { VERSION } from '../../version.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { withProgress } from '../terminal/progress.ts';
import { renderCounts, testRestore } from './restore.ts';
import { withDatabase } from './store.ts';

/** The names that backups get in a folder. */
const OURS = /^public-reviews-\d{8}T\d{6}Z\.db$/;

export interface BackupFlags {
  /** How many backups a folder keeps; undefined keeps all. */
  readonly keep?: number | undefined;
  /** Whether to restore the backup into a temporary store, and to compare that. */
  readonly verify?: boolean;
}

/**
 * Backs up the store, which may be in use. An earlier backup of this name is replaced when the new one is
 * complete.
 *
 * @throws {InputError} if there is nothing to back up, or another file has this name.
 */
export async function runBackup(
  config: Config,
  place: string,
  { keep, verify = false }: BackupFlags = {},
): Promise<void> {
  const nowMs = Date.now();
  const path = await fileAt(place, keep !== undefined || place.endsWith('/'), nowMs);
  let isWritten = false;
  let obstacle = null as string | null;
  const write = (onProgress: (done: number, total: number) => void) =>
    withDatabase(config, async (database) => {
      if (await isPristine(database.read)) {
        const store = storeName(config.databaseUrl);
        throw new InputError(`the store ${store} is empty: nothing to back up`);
      }
      const info = await writeChecked(path, verify, (partial) =>
        writeBackup(database, partial, { version: VERSION, nowMs }, onProgress),
      );
      isWritten = true;
      if (keep !== undefined) obstacle = await findObstacle(database, config.logKeyFile);
      // A database that cannot be written can be backed up.
      await saveBackup(database, nowMs, path).catch(({ message }: Error) => {
        process.stderr.write(`the time of the backup is not recorded: ${message}\n`);
      });
      return info;
    });
  const info = await interruptible(
    () =>
      isWritten
        ? 'the backup is complete; its time is not recorded'
        : `no backup was written; what ${place} had before is as it was`,
    () => withProgress('backing up', write),
  );
  const { size } = await stat(path);
  process.stdout.write(
    `backed up ${renderCounts(info)} into ${withoutControls(path)} (${size} bytes)\ncontent ${digestOf(info)}\n` +
      (verify ? 'restored into a temporary store, which has the same content\n' : ''),
  );
  if (keep === undefined) return;
  if (obstacle === null) return removeOld(place, keep);
  // An older backup may be the one that mends it.
  process.stderr.write(`no older backup was removed, because of the log: ${obstacle}\n`);
}

async function makeFolder(place: string): Promise<void> {
  await mkdir(place, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(
      `${place}: expected a folder that can be made, got ${error.code}; make it for the user of the program`,
      { cause: error },
    );
  });
}

/** The file that a backup becomes. A folder that is to be kept in order is made. */
async function fileAt(place: string, isFolder: boolean, nowMs: number): Promise<string> {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory() === true || (isFolder && !found)) {
    if (isFolder) await makeFolder(place);
    const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    return join(place, `public-reviews-${time}.db`);
  }
  if (isFolder) throw new InputError(`${place}: expected a folder, because of --keep; got a file`);
  if (found && !isBackup(place)) {
    throw new InputError(
      `${place}: expected the name of a new file or of an earlier backup, or a folder, got a file that is none`,
    );
  }
  return place;
}

/** Removes all but the newest backups of a folder, and nothing else. */
async function removeOld(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => OURS.test(name)).toSorted();
  for (const name of names.slice(0, -keep)) {
    if (!isBackup(join(folder, name))) continue;
    await rm(join(folder, name));
    process.stdout.write(`removed ${withoutControls(join(folder, name))}\n`);
  }
}

/** Writes into a folder in the same directory, checks the file, and renames it. */
async function writeChecked(
  path: string,
  verify: boolean,
  write: (partial: string) => Promise<BackupInfo>,
): Promise<BackupInfo> {
  const folder = dirname(path);
  return withFolder(folder, 'backup', async (temporary) => {
    const partial = join(temporary, 'backup.db');
    const written = await write(partial);
    const info = checkBackup(partial);
    if (digestOf(info) !== digestOf(written)) throw new Error(`${partial} was altered meanwhile`);
    if (verify) await testRestore(partial, info);
    await syncToDisk(partial);
    await rename(partial, path);
    await syncToDisk(folder);
    return info;
  });
}
