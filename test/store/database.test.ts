// Opening the database, and writes of several connections at once.

import { spawn } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { Database } from '../../src/store/database.ts';
import { loadState, owePublish, saveOrigin } from '../../src/store/snapshots.ts';
import { finish } from '../support/process.ts';
import { TestStore } from '../support/store.ts';

const DATABASE_MODULE = new URL('../../src/store/database.ts', import.meta.url).href;

let store: TestStore;
beforeEach(async () => {
  store = await TestStore.create();
});
afterEach(() => store.close());

async function openingError(url: string): Promise<unknown> {
  try {
    await Database.open(url);
  } catch (error) {
    return error;
  }
  throw new Error('the database was opened');
}

describe('opening', () => {
  test('creates the file and its folder, and owes the publishing of the empty store', async () => {
    const database = await Database.open(`sqlite:${join(store.folder, 'new', 'folder', 'a.db')}`);
    expect(await loadState(database.read)).toEqual({
      origin: null,
      example: false,
      contentVersion: 1,
      publishedVersion: 0,
      snapshotNumber: null,
    });
    await database.close();
  });

  test('a second time finds what was stored', async () => {
    const first = await Database.open(store.url);
    await saveOrigin(first, 'https://reviews.example');
    await first.close();
    const second = await store.open();
    expect(await loadState(second.read)).toMatchObject({
      origin: 'https://reviews.example',
      contentVersion: 2,
    });
  });

  test('by several processes at once migrates once and fails in none', async () => {
    for (let round = 1; round <= 3; round++) {
      const script =
        `import { Database } from ${JSON.stringify(DATABASE_MODULE)};` +
        `const database = await Database.open(${JSON.stringify(store.url)}); await database.close();`;
      const processes = Array.from({ length: 4 }, () =>
        finish(
          spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
            stdio: ['ignore', 'pipe', 'pipe'],
          }),
        ),
      );
      for (const ended of await Promise.all(processes)) {
        expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
      }
      const database = await Database.open(store.url);
      expect(await loadState(database.read)).toMatchObject({ contentVersion: 1 });
      await database.close();
      await store.close();
      store = await TestStore.create();
    }
  });

  test('of a file that is no database is an input error naming the variable and the file', async () => {
    const path = join(store.folder, 'notes.txt');
    await writeFile(path, 'These are my notes, and there are many of them.\n'.repeat(100));
    const error = await openingError(`sqlite:${path}`);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toBe(
      `DATABASE_URL: the database ${path} cannot be opened: file is not a database`,
    );
  });

  test('of a folder is an input error naming it', async () => {
    const error = await openingError(`sqlite:${store.folder}`);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toContain(
      `DATABASE_URL: the database ${store.folder} cannot be opened`,
    );
  });

  test('of a newer schema is an input error saying to run the newer program', async () => {
    await (await Database.open(store.url)).close();
    const raw = new DatabaseSync(store.path);
    raw.exec(`insert into kysely_migration values ('9999-from-the-future', '2099-01-01')`);
    raw.close();
    const error = await openingError(store.url);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toBe(
      'the database was written by a newer version of this program: run that version or newer',
    );
  });
});

describe('a write', () => {
  test('waits for the lock of another connection without stopping the event loop', async () => {
    const database = await store.open();
    const other = new DatabaseSync(store.path);
    other.exec('begin immediate');
    let isWritten = false;
    const written = owePublish(database).finally(() => {
      isWritten = true;
    });
    let ticks = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        ticks += 1;
        if (ticks < 50) return;
        clearInterval(timer);
        resolve();
      }, 5);
    });
    expect(isWritten).toBe(false);
    other.exec('commit');
    other.close();
    await written;
    expect(await loadState(database.read)).toMatchObject({ contentVersion: 2 });
  });

  test('lets readers of other connections see the state before it until it ends', async () => {
    const writer = await store.open();
    const reader = await store.open();
    await writer.write(async (transaction) => {
      await transaction.updateTable('state').set({ content_version: 7 }).execute();
      expect(await loadState(reader.read)).toMatchObject({ contentVersion: 1 });
    });
    expect(await loadState(reader.read)).toMatchObject({ contentVersion: 7 });
  });

  test('that fails leaves nothing and the connection usable', async () => {
    const database = await store.open();
    const failing = database.write(async (transaction) => {
      await transaction.updateTable('state').set({ content_version: 7 }).execute();
      throw new Error('thrown in the middle');
    });
    await expect(failing).rejects.toThrow('thrown in the middle');
    expect(await loadState(database.read)).toMatchObject({ contentVersion: 1 });
    await owePublish(database);
    expect(await loadState(database.read)).toMatchObject({ contentVersion: 2 });
  });

  test('of two connections at once loses none of 200 increments', async () => {
    const databases = [await store.open(), await store.open()];
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => owePublish(databases[index % 2] as Database)),
    );
    expect(await loadState((databases[0] as Database).read)).toMatchObject({ contentVersion: 201 });
  });
});

test('the recorded origin owes a publish only when it is another than before', async () => {
  const database = await store.open();
  await saveOrigin(database, 'https://reviews.example');
  await saveOrigin(database, 'https://reviews.example');
  expect(await loadState(database.read)).toMatchObject({ contentVersion: 2 });
  await saveOrigin(database, 'https://elsewhere.example');
  expect(await loadState(database.read)).toMatchObject({
    origin: 'https://elsewhere.example',
    contentVersion: 3,
  });
});

describe('a checkpoint', () => {
  test('moves to the file what a connection without checkpoints has written to the log', async () => {
    const writing = await Database.open(store.url, { checkpoints: false });
    const before = (await stat(store.path)).size;
    const origin = `https://${'a'.repeat(1024 * 1024)}.example`;
    await saveOrigin(writing, origin);
    expect((await stat(store.path)).size).toBe(before);
    expect(writing.writes).toBeGreaterThan(0);
    const tending = await store.open();
    await tending.checkpoint();
    expect((await stat(store.path)).size).toBeGreaterThan(1024 * 1024);
    await writing.close();
  });
});
