// `restore`: puts a backup into the store. The backup is checked before anything is changed, and is only read.

import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, storeName } from '../../config.ts';
import { InputError } from '../../errors.ts';
import { type BackupInfo, digestOf } from '../../store/backup/backup.ts';
import { checkBackup, openBackupCopy, refusedRow } from '../../store/backup/backup-check.ts';
import { checkLog, keepLog, markRestored } from '../../publishing/restored-log.ts';
import { copyStore } from '../../store/backup/copy-store.ts';
import type { Database } from '../../store/database.ts';
import { parentFor, withFolder } from '../../store/temporary-files.ts';
import { renderCounts } from './backup.ts';
import { withProgress } from '../terminal/progress.ts';
import { withDatabase } from './store.ts';

/**
 * Restores a backup into an empty store, or with `replace` into any. It happens in one transaction.
 *
 * @throws {InputError} if the file is no backup, is damaged or newer than this program, or if the store is
 * not empty.
 */
export async function runRestore(
  config: Config,
  path: string,
  { replace = false }: { readonly replace?: boolean },
): Promise<void> {
  const { databaseUrl, logKeyFile } = config;
  const info = checkBackup(path);
  let isMarked = false;
  await withProgress('restoring', (onProgress) =>
    withCopy(databaseUrl, path, info, (backup) =>
      withDatabase(
        config,
        async (store) => {
          isMarked = await markRestored(backup, store, logKeyFile);
          if (await copyStore(backup, store, onProgress, { replace, keepsLog: keepLog })) return;
          throw new InputError(
            `the store ${storeName(databaseUrl)} is not empty: to replace everything in it, add --replace`,
          );
        },
        { creates: true },
      ),
    ),
  );
  process.stdout.write(
    `restored ${renderCounts(info)}, as of ${info.made_at}\ncontent ${digestOf(info)}\n` +
      (isMarked ? CONTINUE_LOG : '') +
      'now start all servers of this store again\n',
  );
}

const CONTINUE_LOG =
  'nothing is published until "public-reviews log continue" has checked that no larger log was signed after this backup\n';

/** Opens a copy of the backup, which is migrated to the schema of this version. */
async function withCopy(
  databaseUrl: string,
  path: string,
  info: BackupInfo,
  work: (backup: Database) => Promise<void>,
): Promise<void> {
  await withFolder(parentFor(databaseUrl), 'restore', async (folder) => {
    const copy = join(folder, 'backup.db');
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    const backup = await openBackupCopy(copy, path, info);
    try {
      await checkLog(backup, path);
      await work(backup);
    } catch (error) {
      throw refusedRow(error, path) ?? error;
    } finally {
      await backup.close();
    }
  });
}
