// The SQLite engine: the file, its lock and its write-ahead log.

import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { Database } from '../../src/store/database.ts';
import { FileListener } from '../../src/store/sqlite/listener.ts';
import { loadState, requestPublish, saveOrigin } from '../../src/store/state.ts';
import { until } from '../support/patience.ts';
import { merge, openingError, record, TestStore } from '../support/store.ts';

let store: TestStore;
let path: string;
beforeEach(async () => {
  store = await TestStore.create();
  path = store.url.slice('sqlite:'.length);
});
afterEach(() => store.close());

describe('opening', () => {
  test('creates the file and its folder', async () => {
    const database = await Database.open(`sqlite:${join(store.folder, 'new', 'folder', 'a.db')}`);
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
    await database.close();
  });

  test('of a file that is not a database is an input error that names the variable and the file', async () => {
    const notes = join(store.folder, 'notes.txt');
    await writeFile(notes, 'These are my notes, and there are many of them.\n'.repeat(100));
    const error = await openingError(`sqlite:${notes}`);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toContain(
      `DATABASE_URL: the database ${notes} cannot be opened: file is not a database. If it was one: stop the server, move ${notes} away with its`,
    );
  });

  test('of a folder is an input error that names it', async () => {
    const error = await openingError(`sqlite:${store.folder}`);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toContain(
      `DATABASE_URL: the database ${store.folder} cannot be opened: unable to open database file; if this is the user of the server, run as root: chown ${process.getuid!()} `,
    );
  });
});

describe('a listener', () => {
  test('is told what this process and others store, without polling', async () => {
    const database = await store.open();
    let told = 0;
    const listener = database.listen(() => (told += 1));
    await requestPublish(database);
    await until(() => told > 0);
    const before = told;
    const other = await Database.open(store.url);
    await saveOrigin(other, 'https://a.example', undefined);
    await until(() => told > before);
    await other.close();
    expect(listener.isConnected).toBe(true);
    await listener.close();
    expect(listener.isConnected).toBe(false);
  });

  test('without events of the file system looks by itself, and says that it has to be polled', async () => {
    let version = 'a';
    let told = 0;
    const silent = join(store.folder, 'silent');
    await writeFile(silent, '');
    vi.useFakeTimers();
    const listener = new FileListener(
      silent,
      () => version,
      () => (told += 1),
    );
    vi.advanceTimersByTime(10_000);
    expect([told, listener.isConnected]).toEqual([0, true]);
    version = 'b';
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    expect([told, listener.isConnected]).toEqual([1, false]);
    await listener.close();
  });
});

describe('a write', () => {
  test('waits for the lock of another connection without blocking the event loop', async () => {
    const database = await store.open();
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    let isWritten = false;
    const written = requestPublish(database).finally(() => {
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

  test('tells, once, that it has waited for seconds, also on a connection of its own', async () => {
    const database = await store.open();
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    let told = 0;
    let nowMs = 0;
    // Each look at the clock is two seconds later.
    vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 2_000));
    database.onLongWait = () => {
      told += 1;
      setTimeout(() => other.close(), 100);
    };
    await database.withConnection(requestPublish);
    vi.restoreAllMocks();
    expect([told, (await loadState(database.read)).contentVersion]).toEqual([1, 2]);
  });
});

test('a text that an import replaced is overwritten in the file', async () => {
  const database = await store.open();
  for (const text of ['Quixotic plumbers.', `Quixotic ${'z'.repeat(20_000)}`, 'Fine.']) {
    await merge(database, [record({ source_id: 'a', text })]);
    await database.checkpoint();
    expect((await readFile(path)).includes('Quixotic')).toBe(text !== 'Fine.');
  }
});

describe('a checkpoint', () => {
  test('moves the write-ahead log of a connection without checkpoints into the file', async () => {
    const writing = await Database.open(store.url, 'server');
    const before = (await stat(path)).size;
    const origin = `https://${'a'.repeat(1024 * 1024)}.example`;
    await saveOrigin(writing, origin);
    expect((await stat(path)).size).toBe(before);
    expect(writing.writes).toBeGreaterThan(0);
    const tending = await store.open();
    await tending.checkpoint();
    expect((await stat(path)).size).toBeGreaterThan(1024 * 1024);
    await writing.close();
  });
});

test('its version changes with each commit, of this connection and of others, and by nothing else', async () => {
  const own = await store.open();
  const other = await store.open();
  const seen = [own.version];
  await loadState(own.read);
  expect(own.version).toBe(seen[0]);
  for (const database of [own, other]) {
    await requestPublish(database);
    expect(seen).not.toContain(own.version);
    seen.push(own.version);
  }
  expect(seen).not.toContain(null);
  await own.close();
  expect(own.version).toBe(null);
});
