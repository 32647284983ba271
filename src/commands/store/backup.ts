// `backup`: writes the whole store into one file, checks the file, and then gives it its name.

import { existsSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, storeName } from '../../config.ts';
import { InputError, withoutControls } from '../../errors.ts';
import { type BackupInfo, digestOf, writeBackup } from '../../store/backup/backup.ts';
import { checkBackup, isBackup } from '../../store/backup/backup-check.ts';
import { isPristine } from '../../store/backup/copy-store.ts';
import { withFolder } from '../../store/temporary-files.ts';
import { VERSION } from '../../version.ts';
import { withProgress } from '../terminal/progress.ts';
import { withDatabase } from './store.ts';

/**
 * Backs up the store, which may be in use. An earlier backup of this name is replaced when the new one is
 * complete.
 *
 * @throws {InputError} if there is nothing to back up, or another file has this name.
 */
export async function runBackup(config: Config, path: string): Promise<void> {
  if (existsSync(path) && !isBackup(path)) {
    throw new InputError(
      `${path}: expected the name of a new file or of an earlier backup, got a file that is none`,
    );
  }
  const info = await withProgress('backing up', (onProgress) =>
    withDatabase(config, async (database) => {
      if (await isPristine(database.read)) {
        throw new InputError(
          `the store ${storeName(config.databaseUrl)} is empty: nothing to back up`,
        );
      }
      return writeChecked(path, (partial) =>
        writeBackup(database, partial, { version: VERSION, nowMs: Date.now() }, onProgress),
      );
    }),
  );
  const { size } = await stat(path);
  process.stdout.write(
    `backed up ${renderCounts(info)} into ${withoutControls(path)} (${size} bytes)\ncontent ${digestOf(info)}\n`,
  );
}

/** What a backup holds, for a message. */
export function renderCounts({ tables }: BackupInfo): string {
  const count = (table: string) => tables[table]?.rows ?? 0;
  return `${count('reviews')} reviews, ${count('subscriptions')} subscriptions, and what is published`;
}

/** Writes into a folder in the same directory, checks the file, and renames it. */
async function writeChecked(
  path: string,
  write: (partial: string) => Promise<BackupInfo>,
): Promise<BackupInfo> {
  const folder = dirname(path);
  return withFolder(folder, 'backup', async (temporary) => {
    const partial = join(temporary, 'backup.db');
    const written = await write(partial);
    const info = checkBackup(partial);
    if (digestOf(info) !== digestOf(written)) throw new Error(`${partial} was altered meanwhile`);
    await sync(partial);
    await rename(partial, path);
    await sync(folder);
    return info;
  });
}

/** Waits until a file, or the names in a directory, are on disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
