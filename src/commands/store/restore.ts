// `restore`: puts a backup into the store. The backup is checked before anything is changed, and is only read.

import { constants, existsSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, storeName } from '../../config.ts';
import { InputError } from '../../errors.ts';
import { commandName } from '../../model/command-name.ts';
import { type BackupInfo, digestOf, writeBackup } from '../../store/backup/backup.ts';
import { checkBackup, openBackupCopy, refusedRow } from '../../store/backup/backup-check.ts';
import { checkLog, keepLog, markRestored } from '../../publishing/restored-log.ts';
import { copyStore, isEmptyFile } from '../../store/backup/copy-store.ts';
import { Database } from '../../store/database.ts';
import { listImports } from '../../store/merge/imports.ts';
import { isServed } from '../../store/presence.ts';
import { saveBackup } from '../../store/state.ts';
import { parentFor, withFolder } from '../../store/temporary-files.ts';
import { count } from '../reviews/remove.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { withProgress } from '../terminal/progress.ts';
import { withDatabase } from './store.ts';

/**
 * Restores a backup into an empty store, or with `replace` into any, and with `force` also while a server uses it. It
 * happens in one transaction.
 *
 * @throws {InputError} if the file is no backup, is damaged or newer than this program, if the store is
 * not empty, or if a server uses it.
 */
export async function runRestore(
  config: Config,
  path: string,
  { replace = false, force = false }: { readonly replace?: boolean; readonly force?: boolean },
): Promise<void> {
  const { databaseUrl, logKeyFile, site, settingsFile } = config;
  const info = checkBackup(path);
  if (!force && (await isServed(databaseUrl))) {
    throw new InputError(
      `"serve" uses the store ${storeName(databaseUrl)}: ${site === null ? 'stop it first (Ctrl and C in its window, or the service; of PostgreSQL, on all machines)' : `add --force, and after it run: touch ${settingsFile}`}. ` +
        'Nothing was restored',
    );
  }
  let isMarked = false;
  let isRestored = false;
  let removed = 0;
  let isKnown = false;
  const copy = (onProgress: (done: number, total: number) => void) =>
    withCopy(parentFor(databaseUrl), path, info, (backup) =>
      withDatabase(
        config,
        async (store) => {
          isMarked = await markRestored(backup, store, logKeyFile);
          const madeAtMs = Date.parse(info.made_at);
          const records = await listImports(store.read);
          const later = records.filter(({ startedAtMs }) => startedAtMs > madeAtMs);
          // Else the first of them are not there.
          isKnown = later.length < records.length;
          for (const { command, report } of later)
            if (/^(?:remove|forget)$/.test(command)) removed += report.counts?.removed ?? 0;
          const options = { replace, keepsLog: keepLog };
          isRestored = (await copyStore(backup, store, onProgress, options)) !== null;
          if (isRestored) return await saveBackup(store, madeAtMs, path);
          throw new InputError(
            `the store ${storeName(databaseUrl)} is not empty: to replace everything in it, add --replace`,
          );
        },
        { restores: true },
      ),
    );
  await interruptible(
    () => (isRestored ? 'the backup is restored' : 'nothing was restored; the store is as it was'),
    () => withProgress('restoring', copy),
    remover(databaseUrl),
  );
  process.stdout.write(
    `restored ${renderCounts(info)}, as of ${info.made_at}, into ${storeName(databaseUrl)}\ncontent ${digestOf(info)}\n` +
      (isMarked
        ? `nothing is published until "${commandName()} log continue" has checked that no larger log was signed after this backup\n`
        : '') +
      (removed === 0 && isKnown
        ? ''
        : `${removed > 0 ? count(removed) : 'what was'} removed since the backup ${removed > 1 ? 'are' : 'is'} back: run "${commandName()} forget" or "remove" again\n`) +
      `${isMarked ? 'then' : 'now'} ${site === null ? 'start all servers of this store again, or export and upload' : `run: touch ${settingsFile}, for a server of sites`}\n`,
  );
}

export function renderCounts({ tables }: BackupInfo): string {
  const rowsOf = (table: string) => tables[table]?.rows ?? 0;
  return `${rowsOf('reviews')} reviews, ${rowsOf('subscriptions')} subscriptions, and what is published`;
}

/** Removes an SQLite store that was not there before, unless another process has filled it meanwhile. */
function remover(databaseUrl: string): () => void {
  const path = databaseUrl.slice('sqlite:'.length);
  if (!databaseUrl.startsWith('sqlite:') || existsSync(path)) return () => undefined;
  return () => {
    if (!existsSync(path) || !isEmptyFile(path)) return;
    for (const ending of ['', '-wal', '-shm', '-wal-of']) rmSync(path + ending, { force: true });
  };
}

/** Restores a backup into a new store that is deleted then, and compares the two. @throws {Error} if they differ. */
export async function testRestore(path: string, info: BackupInfo): Promise<void> {
  const digest = await withFolder(dirname(path), 'restore', (folder) =>
    withCopy(folder, path, info, async (backup) => {
      const store = await Database.open(`sqlite:${join(folder, 'store.db')}`);
      const idle = () => undefined;
      try {
        await copyStore(backup, store, idle);
        const about = { version: info.version, nowMs: Date.parse(info.made_at) };
        return digestOf(await writeBackup(store, join(folder, 'again.db'), about, idle));
      } finally {
        await store.close();
      }
    }),
  );
  if (digest !== digestOf(info)) throw new Error(`${path}: what was restored differs from it`);
}

/** Opens a copy of the backup, which is migrated to the schema of this version. */
async function withCopy<T>(
  parent: string,
  path: string,
  info: BackupInfo,
  work: (backup: Database) => Promise<T>,
): Promise<T> {
  return withFolder(parent, 'restore', async (folder) => {
    const copy = join(folder, 'backup.db');
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    const backup = await openBackupCopy(copy, path, info);
    try {
      await checkLog(backup, path);
      return await work(backup);
    } catch (error) {
      throw refusedRow(error, path) ?? error;
    } finally {
      await backup.close();
    }
  });
}
