// Folders for the time of one work. Each has a lock that ends with its process, however that ends: so what a killed
// process left behind is told from what another process, container or host works on.

import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UnavailableError } from '../errors.ts';
import { explainErrors } from './sqlite/sqlite-errors.ts';

type Kind = 'restore' | 'backup' | 'sync' | 'import';

/** The folders, and the unfinished backups of earlier versions. */
const OURS = /^public-reviews-(?:restore|backup|sync|import)-|\.partial-[0-9a-f]{12}(?:-journal)?$/;
const LOCK = 'lock';
/** Without a lock: no work takes so long. */
const STALE_MS = 24 * 3_600_000;
/** Another process that looks for what is left may open the lock, or remove the folder too, in the middle of this. */
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;
const FAILURES_OF_DISKS = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EACCES', 'EPERM'];

/** The folder in which temporary ones of a store are: where the disk has the room anyway, if that is known. */
export function parentFor(databaseUrl: string): string {
  return databaseUrl.startsWith('sqlite:')
    ? dirname(databaseUrl.slice('sqlite:'.length))
    : tmpdir();
}

/**
 * Makes a folder in `parent`, and removes those that killed processes left there. `close` removes it.
 *
 * @throws {UnavailableError} if it cannot be made.
 */
export async function openFolder(
  parent: string,
  kind: Kind,
): Promise<{ readonly path: string; readonly close: () => Promise<void> }> {
  try {
    await mkdir(parent, { recursive: true });
    await removeLeft(parent);
    const path = await mkdtemp(join(parent, `public-reviews-${kind}-`));
    // Of a process that ends by itself before the work.
    const onExit = () => rmSync(path, REMOVE);
    process.once('exit', onExit);
    const remove = async () => {
      await rm(path, REMOVE);
      process.off('exit', onExit);
    };
    try {
      // Nobody looks for a lock of this name, so nobody can have it before this process.
      const lock = lockFile(join(path, `${LOCK}-new`));
      await rename(join(path, `${LOCK}-new`), join(path, LOCK));
      return {
        path,
        async close() {
          lock.close();
          await remove();
        },
      };
    } catch (error) {
      await remove();
      throw error;
    }
  } catch (error) {
    throw explainFailure(error, parent);
  }
}

/** Opens such a folder for as long as `work` takes. @throws {UnavailableError} if a file cannot be written. */
export async function withFolder<T>(
  parent: string,
  kind: Kind,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await openFolder(parent, kind);
  try {
    return await work(folder.path);
  } catch (error) {
    throw explainFailure(error, parent);
  } finally {
    await folder.close();
  }
}

/** Waits until a file, or the names in a folder, are on disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what killed processes left in a folder, if this user may. */
export async function removeLeft(parent: string): Promise<void> {
  for (const name of await findLeft(parent)) {
    await rm(join(parent, name), REMOVE).catch(() => undefined);
  }
}

/** The names of what killed processes left in a folder. */
export async function findLeft(parent: string): Promise<string[]> {
  const names = await readdir(parent).catch(() => []);
  const left: string[] = [];
  for (const name of names.filter((each) => OURS.test(each))) {
    if (await isLeft(join(parent, name))) left.push(name);
  }
  return left;
}

async function isLeft(path: string): Promise<boolean> {
  if (!existsSync(join(path, LOCK))) {
    const found = await stat(path).catch(() => null);
    return found !== null && found.mtimeMs <= Date.now() - STALE_MS;
  }
  return !isLocked(join(path, LOCK));
}

/** Whether another process keeps the lock of a file for `waitMs`, or this one may not take it, if `counts` says so. */
export function isLocked(
  path: string,
  counts: (error: unknown) => boolean = () => true,
  waitMs = 0,
): boolean {
  try {
    lockFile(path, waitMs).close();
    return false;
  } catch (error) {
    return counts(error);
  }
}

/** @throws if another process has the lock, or the file cannot be written. */
function lockFile(path: string, timeout = 0): DatabaseSync {
  return explainErrors(path, () => {
    const lock = new DatabaseSync(path, { timeout });
    try {
      lock.exec('begin exclusive');
      return lock;
    } catch (error) {
      lock.close();
      throw error;
    }
  });
}

function explainFailure(error: unknown, parent: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!FAILURES_OF_DISKS.includes(code ?? '')) return error;
  return new UnavailableError(
    `files in ${parent} cannot be written (${message}): check the space, the quota and the permissions`,
    { cause: error },
  );
}
