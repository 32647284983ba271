// SQLite's write-ahead log: a server's writes grow it, and checkpoints keep it small.

import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepLogSmall } from '../../src/serving/checkpoints.ts';
import { Database } from '../../src/store/database.ts';
import { loadState, saveOrigin } from '../../src/store/state.ts';
import { until } from '../support/patience.ts';
import { TestStore } from '../support/store.ts';

const MB = 1024 * 1024;
/** The pause of the writer, in which a checkpoint gets the lock. */
const WRITE_EVERY_MS = 20;

let store: TestStore;
let server: Database;
let path: string;
const warnings: unknown[] = [];
beforeEach(async () => {
  store = await TestStore.create();
  path = store.url.slice('sqlite:'.length);
  server = await Database.open(store.url, 'server');
  warnings.length = 0;
});
afterEach(async () => {
  await server.close();
  await store.close();
});

const logBytes = async () => (await stat(`${path}-wal`)).size;
/** Writes a megabyte of new data, and a little more to the log; returns the size of the log. */
async function write(): Promise<number> {
  await saveOrigin(server, `https://${randomBytes(MB / 2).toString('hex')}.example`);
  await sleep(WRITE_EVERY_MS);
  return logBytes();
}

/** Writes until the log shrinks; returns its largest size that was seen, up to one write less than what it had. */
async function writeUntilEmptied(): Promise<number> {
  let largest = 0;
  for (let bytes = await write(); bytes >= largest; bytes = await write()) largest = bytes;
  return largest;
}

async function whileKept(work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const logger = { warn: (...words: unknown[]) => void warnings.push(words) };
  const parts = { database: server, databaseUrl: store.url, signal: stop.signal };
  const kept = keepLogSmall({ ...parts, logger });
  try {
    await work();
  } finally {
    stop.abort();
    await kept;
  }
}

test('is emptied whenever it has grown by 32 MB, long before ten minutes have passed', async () => {
  await whileKept(async () => {
    expect(await writeUntilEmptied()).toBeGreaterThan(30 * MB);
    expect(await writeUntilEmptied()).toBeGreaterThan(30 * MB);
  });
  expect(warnings).toEqual([]);
});

test('that a reader keeps from being emptied is emptied after the reader has finished', async () => {
  const looks = vi.spyOn(server, 'walBytes', 'get');
  const looksAtGrownLog = () => looks.mock.results.filter(({ value }) => value > 33 * MB).length;
  const reader = await store.open();
  await whileKept(async () => {
    const kept = await reader.readConsistently(async (transaction) => {
      const before = await loadState(transaction);
      while ((await write()) < 40 * MB);
      // One look before a checkpoint that the reader hinders, and one after it.
      await until(() => looksAtGrownLog() >= 2);
      expect(await loadState(transaction)).toEqual(before);
      return logBytes();
    });
    expect(kept).toBeGreaterThanOrEqual(40 * MB);
    // The next checkpoint may come at any time from here on. These writes make it due, and are less than `kept`.
    for (let writes = 0; writes < 34; writes += 1) await write();
    await until(async () => (await logBytes()) < kept);
  });
  expect(warnings).toEqual([]);
});
