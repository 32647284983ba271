// The worker against a store, with callbacks that answer when a test says so.

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HubConfig, parseConfig } from '../../src/config.ts';
import { HubMetrics } from '../../src/hub/metrics.ts';
import { Dispatcher } from '../../src/hub/dispatcher.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { FakeCallbacks } from '../support/fake-callbacks.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore, until } from '../support/store.ts';
import {
  publish,
  save,
  storedIntents,
  storedSubscriptions,
  subscribe,
} from '../support/subscriptions.ts';

let store: TestStore;
let database: Database;
let snapshot: Snapshot;
let callbacks: FakeCallbacks;
let dispatcher: Dispatcher | null;
let isStoreAway: boolean;
let log: string[];
beforeAll(async () => {
  snapshot = await snapshotOf([review()]);
});
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  callbacks = new FakeCallbacks();
  dispatcher = null;
  isStoreAway = false;
  log = [];
});
afterEach(async () => {
  isStoreAway = false;
  callbacks.answerAll();
  await dispatcher?.close(0);
  await store.close();
});

function start(
  hub: Partial<HubConfig> = {},
  current: () => Snapshot | null = () => snapshot,
): void {
  const write: Database['write'] = (...args) =>
    isStoreAway ? Promise.reject(new Error('the store is away')) : database.write(...args);
  dispatcher = new Dispatcher({
    clock: { now: Date.now, elapsed: () => performance.now() },
    hub: { ...parseConfig({}).hub, coalesceSeconds: 0, ...hub },
    database: { read: database.read, write } as unknown as Database,
    callbacks: callbacks.client,
    metrics: new HubMetrics(new Registry(), database),
    logger: pino({}, { write: (line: string) => void log.push(line) }),
    snapshot: current,
  });
  dispatcher.start();
}

/** Subscribers of these hosts who are owed the snapshot. */
async function owing(...hosts: string[]): Promise<void> {
  const requests = hosts.map((host, place) => ({ callback: `https://${host}/${place}` }));
  await subscribe(database, requests, Date.now());
  await publish(database, ['/feed.xml'], 1, 0);
}

const acknowledged = async () =>
  (await storedSubscriptions(database)).filter((row) => row.acknowledged_snapshot === 1).length;

test('verifies, records, and delivers to whom the change is owed', async () => {
  start();
  await save(database, { callback: 'https://a.example/' }, Date.now());
  const { parameters, answer } = await callbacks.next('https://a.example/');
  answer(200, parameters.get('hub.challenge') as string);
  await until(async () => (await storedSubscriptions(database)).length === 1);
  expect(await storedIntents(database)).toEqual([]);
  await publish(database, ['/feed.xml'], 1, Date.now());
  (await callbacks.next('https://a.example/')).answer(204);
  await until(async () => (await acknowledged()) === 1);
  expect(callbacks.sent).toHaveLength(2);
});

test('R2: a request is verified at the next look at the store, and these are less than a second apart', async () => {
  let looks = 0;
  const looksAtStart: number[] = [];
  const waits: number[] = [];
  const setTimer = setTimeout;
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    call: () => void,
    ms: number,
  ) => {
    if (new Error('where').stack?.includes('hub/dispatcher.ts')) waits.push(ms);
    return setTimer(call, ms);
  }) as typeof setTimeout);
  callbacks.onSent = () => looksAtStart.push(looks);
  start({}, () => {
    looks += 1;
    return snapshot;
  });
  await until(() => looks === 3);
  await save(database, { callback: 'https://a.example/' }, Date.now());
  const looksBefore = looks;
  await callbacks.next('https://a.example/');
  timers.mockRestore();
  expect(looksAtStart).toHaveLength(1);
  expect(looksAtStart[0]! - looksBefore).toBeLessThanOrEqual(1);
  expect(waits.length).toBeGreaterThan(0);
  expect(Math.max(...waits)).toBeLessThan(1_000);
});

test('waits until the window of a change is over', async () => {
  start({ coalesceSeconds: 3_600 });
  await owing('early.example', 'late.example');
  await database.write((transaction) =>
    transaction
      .updateTable('subscriptions')
      .set({ pending_since: Date.now() })
      .where('host', '=', 'late.example')
      .execute(),
  );
  (await callbacks.next('https://early.example/0')).answer(204);
  await until(async () => (await acknowledged()) === 1);
  expect(callbacks.sent).toEqual(['https://early.example/0']);
});

test('does nothing before there is a snapshot', async () => {
  let current: Snapshot | null = null;
  let looks = 0;
  await owing('a.example');
  start({}, () => {
    looks += 1;
    return current;
  });
  await until(() => looks > 3);
  expect([callbacks.sent, log]).toEqual([[], []]);
  current = snapshot;
  await callbacks.next('https://a.example/0');
});

describe('callbacks that never answer', () => {
  test('of one host keep its share, and delay no other', async () => {
    await owing(...Array.from({ length: 20 }, () => 'slow.example'));
    start({ concurrency: 10, concurrencyPerHost: 3 });
    await until(() => callbacks.waiting.length === 3);
    await subscribe(database, [{ callback: 'https://quick.example/' }], Date.now());
    await publish(database, ['/feed.xml'], 1, 0);
    (await callbacks.next('https://quick.example/')).answer(204);
    await until(async () => (await acknowledged()) === 1);
    expect([callbacks.most, callbacks.waiting.length]).toEqual([4, 3]);
  });

  test('are never more than all may be, and the others come when there is room', async () => {
    await owing(...Array.from({ length: 30 }, (_, place) => `h${place}.example`));
    start({ concurrency: 4, concurrencyPerHost: 2 });
    await until(async () => {
      if (callbacks.waiting.length === 4) callbacks.waiting[0]?.answer(204);
      if ((await acknowledged()) >= 26) callbacks.answerAll();
      return (await acknowledged()) === 30;
    });
    expect(callbacks.most).toBe(4);
    expect(new Set(callbacks.sent).size).toBe(30);
    expect(callbacks.sent).toHaveLength(30);
  });
});

describe('while the store is away', () => {
  test('what was answered is kept, and recorded once it is back', async () => {
    await owing('a.example', 'b.example');
    start();
    await until(() => callbacks.waiting.length === 2);
    isStoreAway = true;
    callbacks.answerAll();
    await until(() => log.some((line) => line.includes('the hub failed and will retry')));
    expect(await acknowledged()).toBe(0);
    isStoreAway = false;
    await until(async () => (await acknowledged()) === 2);
    expect(callbacks.sent).toHaveLength(2);
    expect(log.filter((line) => line.includes('the hub failed and will retry'))).toHaveLength(1);
  });

  test('what was answered is recorded when the worker closes, if it is back by then', async () => {
    await owing('a.example');
    start();
    const { answer } = await callbacks.next('https://a.example/0');
    isStoreAway = true;
    answer(204);
    await until(() => log.some((line) => line.includes('the hub failed and will retry')));
    isStoreAway = false;
    await dispatcher?.close(0);
    dispatcher = null;
    expect(await acknowledged()).toBe(1);
  });
});

describe('a fault of ours in a request', () => {
  test('is logged, frees its slot, and leaves the rest as it was', async () => {
    await owing('a.example', 'b.example');
    start({ concurrency: 1 });
    await until(() => callbacks.waiting.length === 1);
    callbacks.waiting[0]?.fail(new Error('a bug'));
    await until(() => callbacks.waiting.length === 1);
    callbacks.answerAll();
    await until(async () => (await acknowledged()) === 1);
    const failed = (await storedSubscriptions(database)).filter((row) => row.claimed_by !== null);
    // Whoever comes when the claim has run out does it again.
    expect(failed).toMatchObject([{ failures: 0, acknowledged_snapshot: 0, last_error: null }]);
    expect(new Set(callbacks.sent).size).toBe(2);
    expect(log.filter((line) => line.includes('"a bug"'))).toHaveLength(1);
  });
});

describe('closing', () => {
  test('takes no more work, and records what ends within its patience', async () => {
    await owing('a.example', 'b.example');
    start({ concurrency: 1 });
    await until(() => callbacks.waiting.length === 1);
    const closed = dispatcher?.close(PATIENCE_MS);
    dispatcher = null;
    callbacks.answerAll();
    await closed;
    expect([await acknowledged(), callbacks.sent.length, callbacks.isClosed]).toEqual([1, 1, true]);
  });

  test('gives back what does not end, as if it had not been tried', async () => {
    await owing('a.example', 'b.example');
    await save(database, { callback: 'https://c.example/' }, Date.now());
    start();
    await until(() => callbacks.waiting.length === 3);
    await dispatcher?.close(100);
    dispatcher = null;
    expect(callbacks.waiting).toHaveLength(3);
    const free = { claimed_by: null, claimed_until: 0 };
    const row = { ...free, claimed_snapshot: 0, failures: 0, acknowledged_snapshot: 0 };
    expect(await storedSubscriptions(database)).toMatchObject([row, row]);
    expect(await storedIntents(database)).toMatchObject([free]);
    // What comes after that is nobody's any more.
    callbacks.answerAll();
    expect(await acknowledged()).toBe(0);
  });
});
