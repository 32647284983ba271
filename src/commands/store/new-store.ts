// Makes a store of what a command puts into it: as long as that has not succeeded, there is none.

import { link, mkdir, rename, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Database } from '../../store/database.ts';
import { loadState } from '../../store/state.ts';
import { parentFor, syncToDisk, withFolder } from '../../store/temporary-files.ts';
import { reportNewStore } from './store.ts';

const FILE = 'store.db';

type Fill<T> = (database: Database) => Promise<T>;

export function tryInNewStore<T>(fill: Fill<T>): Promise<T> {
  return withFolder(tmpdir(), 'import', async (folder) => (await fillNew(folder, fill)).result);
}

/**
 * Fills a new store, and gives it the place of an SQLite database unless it is still empty. Returns null if another
 * process has put one there meanwhile.
 */
export async function createFilled<T>(
  databaseUrl: string,
  fill: Fill<T>,
): Promise<{ readonly result: T; readonly isEmpty: boolean } | null> {
  const parent = parentFor(databaseUrl);
  const path = databaseUrl.slice('sqlite:'.length);
  const firstMade = await mkdir(parent, { recursive: true });
  try {
    return await withFolder(parent, 'import', async (folder) => {
      const filled = await fillNew(folder, fill);
      if (filled.isEmpty) return filled;
      if (!(await place(join(folder, FILE), path))) return null;
      reportNewStore(databaseUrl);
      return filled;
    });
  } finally {
    if (firstMade !== undefined) await removeEmpty(parent, firstMade);
  }
}

async function fillNew<T>(folder: string, fill: Fill<T>): Promise<{ result: T; isEmpty: boolean }> {
  const database = await Database.open(`sqlite:${join(folder, FILE)}`);
  try {
    const before = await loadState(database.read);
    const result = await fill(database);
    const after = await loadState(database.read);
    return { result, isEmpty: after.contentVersion === before.contentVersion };
  } finally {
    await database.close();
  }
}

/** Gives a closed database another path. Returns false if there is a file. */
async function place(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // A file system without links.
    await rename(from, to);
  }
  await syncToDisk(dirname(to));
  return true;
}

async function removeEmpty(folder: string, firstMade: string): Promise<void> {
  for (let each = folder; each.length >= firstMade.length; each = dirname(each)) {
    const isRemoved = await rmdir(each).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
