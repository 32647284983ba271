// The keeper: which snapshot a server begins with, and how often it looks for the next.

import { createHook } from 'node:async_hooks';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { SnapshotRefresher } from '../../src/serving/refresher.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing, releasePublishing, saveOrigin } from '../../src/store/snapshots.ts';
import { EarlySnapshot, loadEarly, publishPending } from '../../src/publishing/threads.ts';
import { merge, record, TestStore, until } from '../support/store.ts';

const ORIGIN = 'https://reviews.example';
const PUBLISHING = { publisher: 'p', defaultOrigin: ORIGIN };

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  await saveOrigin(database, ORIGIN);
  await merge(database, [record({ text: 'First.' })]);
});
afterEach(() => store.close());

const publishAll = () => publishPending(database, store.url, PUBLISHING);

/** What a server shows that starts with a snapshot that was loaded early. */
async function shownFirst(early: EarlySnapshot, databaseUrl: string): Promise<Snapshot | null> {
  const server: { snapshot: Snapshot | null; show: (snapshot: Snapshot) => void } = {
    snapshot: null,
    show(snapshot) {
      this.snapshot = snapshot;
    },
  };
  await new SnapshotRefresher({
    config: { databaseUrl } as Config,
    logger: { info: () => undefined } as unknown as FastifyBaseLogger,
    server: server as unknown as HttpServer,
    database,
    publishing: PUBLISHING,
    early,
    signal: new AbortController().signal,
  }).makeReady(false);
  return server.snapshot;
}

test('a snapshot that was loaded early is shown without loading it again', async () => {
  await publishAll();
  const early = loadEarly(store.url, ORIGIN);
  // From here nothing could be loaded.
  expect((await shownFirst(early, 'sqlite:/dev/null/none'))?.reviewCount).toBe(1);
});

test('one that is not current any more is not shown', async () => {
  await publishAll();
  const early = new EarlySnapshot(Promise.resolve(await loadEarly(store.url, ORIGIN).take()));
  await merge(database, [record({ source_id: 'another', text: 'Second.' })]);
  await publishAll();
  expect((await shownFirst(early, store.url))?.reviewCount).toBe(2);
});

test('one that is of no use is let go before the next is published', async () => {
  await publishAll();
  await saveOrigin(database, 'https://elsewhere.example');
  let isTaken = false;
  const early = new (class extends EarlySnapshot {
    override take() {
      isTaken = true;
      return super.take();
    }
  })(loadEarly(store.url, null).take());
  const now = Date.now();
  expect(await claimPublishing(database, 'other', now, now + 60_000)).toBe(true);
  const shown = shownFirst(early, store.url);
  await until(() => isTaken);
  await releasePublishing(database, 'other');
  expect((await shown)?.number).toBe(2);
});

test('before the first publish, and where it fails, nothing is loaded early', async () => {
  expect(await loadEarly(store.url, ORIGIN).take()).toBeNull();
  expect(await loadEarly('sqlite:/dev/null/none', ORIGIN).take()).toBeNull();
  const none = new EarlySnapshot(Promise.resolve(null));
  expect((await shownFirst(none, store.url))?.reviewCount).toBe(1);
});

test('one that another version of the program built is not loaded early', async () => {
  await publishAll();
  expect((await loadEarly(store.url, ORIGIN).take())?.manifest.number).toBe(1);
  await database.read
    .updateTable('snapshots')
    .set({ manifest: sql`replace(manifest, '"builder":"', '"builder":"old ')` })
    .execute();
  expect(await loadEarly(store.url, ORIGIN).take()).toBeNull();
});

test('one for another origin is not loaded early, where the origin is known', async () => {
  await publishAll();
  expect(await loadEarly(store.url, 'https://elsewhere.example').take()).toBeNull();
  expect((await loadEarly(store.url, null).take())?.manifest.number).toBe(1);
});

test('what was loaded early is given out once, and so kept by nobody who passes it on', async () => {
  await publishAll();
  const early = loadEarly(store.url, ORIGIN);
  expect(await early.take()).not.toBeNull();
  expect(await early.take()).toBeNull();
});

test.each([
  ['where the store tells of news', true],
  ['where it does not', false],
])('%s it looks for them at least every two seconds', async (_, isHearing) => {
  await publishAll();
  const stop = new AbortController();
  const keeper = new SnapshotRefresher({
    config: { databaseUrl: store.url } as Config,
    logger: { info: () => undefined } as unknown as FastifyBaseLogger,
    server: { snapshot: { number: 1 }, store: {} } as unknown as HttpServer,
    database,
    publishing: PUBLISHING,
    early: null,
    signal: stop.signal,
  });
  // The pauses that it asks for, as nothing here depends on how long they take.
  const pausesMs: number[] = [];
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      // The database's own timers are no pauses between two looks.
      if (type !== 'Timeout' || !new Error('where').stack?.includes('refresher.ts')) return;
      // oxlint-disable-next-line no-underscore-dangle -- Node's own name for how long a timer waits
      pausesMs.push((resource as { _idleTimeout: number })._idleTimeout);
    },
  }).enable();
  const kept = keeper.run({ isHearing: () => isHearing });
  await until(() => pausesMs.length > 0);
  stop.abort();
  await kept;
  hook.disable();
  expect(Math.max(...pausesMs)).toBeLessThanOrEqual(2_000);
});

test('changes that wait long for another process to publish them are logged, once', async () => {
  const now = Date.now();
  await claimPublishing(database, 'another process', now, now + 60_000);
  const warnings: unknown[] = [];
  const server = { snapshot: null, show: () => undefined } as unknown as HttpServer;
  const keeper = new SnapshotRefresher({
    config: { databaseUrl: store.url } as Config,
    logger: {
      info: () => undefined,
      warn: (message: string) => warnings.push(message),
    } as unknown as FastifyBaseLogger,
    server,
    database,
    publishing: PUBLISHING,
    early: null,
    signal: new AbortController().signal,
  });
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  try {
    const ready = keeper.makeReady(true);
    while (clock.mock.calls.length < 5) await sleep(10);
    expect(warnings).toEqual([]);
    clock.mockReturnValue(61_000);
    while (clock.mock.calls.length < 20) await sleep(10);
    expect(warnings).toEqual([
      'changes have waited 61 s for another process that holds the claim to publish',
    ]);
    await releasePublishing(database, 'another process');
    clock.mockRestore();
    await ready;
  } finally {
    clock.mockRestore();
  }
});
