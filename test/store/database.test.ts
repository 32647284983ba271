// Opening the database, and concurrent writes.

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { Database } from '../../src/store/database.ts';
import { loadState, requestPublish, saveOrigin } from '../../src/store/state.ts';
import { openInProcesses } from '../support/process.ts';
import { openingError, TestStore } from '../support/store.ts';

let store: TestStore;
beforeEach(async () => {
  store = await TestStore.create();
});
afterEach(() => store.close());

describe('opening', () => {
  test('a new database has a publish of the empty store pending', async () => {
    const database = await store.open();
    expect(await loadState(database.read)).toEqual({
      origin: null,
      authors: 'full',
      example: false,
      contentVersion: 1,
      publishedVersion: 0,
      snapshotNumber: null,
      erasingVersion: null,
      backedUpAtMs: null,
      backedUpTo: null,
    });
  });

  test('an existing database keeps what was stored', async () => {
    const first = await Database.open(store.url);
    await saveOrigin(first, 'https://reviews.example');
    await first.close();
    const second = await store.open();
    expect(await loadState(second.read)).toMatchObject({
      origin: 'https://reviews.example',
      contentVersion: 2,
    });
  });

  test('by several processes at once migrates once without errors', async () => {
    for (let round = 1; round <= 3; round++) {
      await openInProcesses(store.url);
      const database = await Database.open(store.url);
      expect(await loadState(database.read)).toMatchObject({ contentVersion: 1 });
      await database.close();
      await store.close();
      store = await TestStore.create();
    }
  });

  test('a newer schema is an input error that says to run the newer program', async () => {
    const database = await Database.open(store.url);
    await sql`insert into kysely_migration values ('9999-from-the-future', '2099-01-01')`.execute(
      database.read,
    );
    await database.close();
    const error = await openingError(store.url);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toBe(
      'the database was written by a newer version of this program: run that version or newer',
    );
  });
});

describe('a write', () => {
  test('is invisible to other connections until it commits', async () => {
    const writer = await store.open();
    const reader = await store.open();
    await writer.write(async (transaction) => {
      await transaction.updateTable('state').set({ content_version: 7 }).execute();
      expect(await loadState(reader.read)).toMatchObject({ contentVersion: 1 });
    });
    expect(await loadState(reader.read)).toMatchObject({ contentVersion: 7 });
  });

  test('that fails changes nothing and leaves the connection usable', async () => {
    const database = await store.open();
    const failing = database.write(async (transaction) => {
      await transaction.updateTable('state').set({ content_version: 7 }).execute();
      throw new Error('thrown in the middle');
    });
    await expect(failing).rejects.toThrow('thrown in the middle');
    expect(await loadState(database.read)).toMatchObject({ contentVersion: 1 });
    await requestPublish(database);
    expect(await loadState(database.read)).toMatchObject({ contentVersion: 2 });
  });

  test('of two concurrent connections loses none of 200 increments', async () => {
    const databases = [await store.open(), await store.open()];
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => requestPublish(databases[index % 2] as Database)),
    );
    expect(await loadState((databases[0] as Database).read)).toMatchObject({ contentVersion: 201 });
  });
});

test('recording the origin requests a publish only if it changed', async () => {
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
