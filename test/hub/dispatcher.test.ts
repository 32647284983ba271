// The dispatcher with a store, and fake callbacks that respond when the test says so.

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HubConfig, parseConfig } from '../../src/config.ts';
import { HubMetrics } from '../../src/hub/metrics.ts';
import { Dispatcher } from '../../src/hub/dispatcher.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { PATIENCE_MS, until } from '../support/patience.ts';
import { FakeCallbacks } from '../support/fake-callbacks.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';
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
    clock: { nowMs: Date.now, elapsedMs: () => performance.now() },
    hub: { ...parseConfig({}).hub, coalesceSeconds: 0, ...hub },
    database: {
      read: database.read,
      write,
      get version() {
        return database.version;
      },
    } as unknown as Database,
    callbacks: callbacks.client,
    metrics: new HubMetrics(new Registry(), database),
    logger: pino({}, { write: (line: string) => void log.push(line) }),
    snapshot: current,
  });
  dispatcher.start();
}

/** Subscribers on these hosts with a pending delivery. */
async function addPending(...hosts: string[]): Promise<void> {
  const requests = hosts.map((host, index) => ({ callback: `https://${host}/${index}` }));
  await subscribe(database, requests, Date.now());
  await publish(database, ['/feed.xml'], 1, 0);
}

const acknowledged = async () =>
  (await storedSubscriptions(database)).filter((row) => row.acknowledged_snapshot === 1).length;

test('verifies, records, and delivers pending changes', async () => {
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

test('R2: a request is verified at the next poll of the store, and polls are less than a second apart', async () => {
  let polls = 0;
  const pollsWhenSent: number[] = [];
  const waits: number[] = [];
  const setTimer = setTimeout;
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    call: () => void,
    ms: number,
  ) => {
    if (new Error('where').stack?.includes('hub/dispatcher.ts')) waits.push(ms);
    return setTimer(call, ms);
  }) as typeof setTimeout);
  callbacks.onSent = () => pollsWhenSent.push(polls);
  start({}, () => {
    polls += 1;
    return snapshot;
  });
  await until(() => polls === 3);
  await save(database, { callback: 'https://a.example/' }, Date.now());
  const pollsBefore = polls;
  await callbacks.next('https://a.example/');
  timers.mockRestore();
  expect(pollsWhenSent).toHaveLength(1);
  expect(pollsWhenSent[0]! - pollsBefore).toBeLessThanOrEqual(1);
  expect(waits.length).toBeGreaterThan(0);
  expect(Math.max(...waits)).toBeLessThan(1_000);
});

test('waits for the coalescing window of a change', async () => {
  await addPending('early.example', 'late.example');
  await database.write((transaction) =>
    transaction
      .updateTable('subscriptions')
      .set({ pending_since: Date.now() })
      .where('host', '=', 'late.example')
      .execute(),
  );
  start({ coalesceSeconds: 3_600 });
  (await callbacks.next('https://early.example/0')).answer(204);
  await until(async () => (await acknowledged()) === 1);
  expect(callbacks.sent).toEqual(['https://early.example/0']);
});

test('does nothing before there is a snapshot', async () => {
  let current: Snapshot | null = null;
  let polls = 0;
  await addPending('a.example');
  start({}, () => {
    polls += 1;
    return current;
  });
  await until(() => polls > 3);
  expect([callbacks.sent, log]).toEqual([[], []]);
  current = snapshot;
  await callbacks.next('https://a.example/0');
});

describe('callbacks that never respond', () => {
  test('of one host take only its share, and do not delay others', async () => {
    await addPending(...Array.from({ length: 20 }, () => 'slow.example'));
    start({ concurrency: 10, concurrencyPerHost: 3 });
    await until(() => callbacks.waiting.length === 3);
    await subscribe(database, [{ callback: 'https://quick.example/' }], Date.now());
    await publish(database, ['/feed.xml'], 1, 0);
    (await callbacks.next('https://quick.example/')).answer(204);
    await until(async () => (await acknowledged()) === 1);
    expect([callbacks.most, callbacks.waiting.length]).toEqual([4, 3]);
  });

  test('never exceed the limit, and others follow when slots are free', async () => {
    await addPending(...Array.from({ length: 30 }, (_, index) => `h${index}.example`));
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

describe('while the store is unavailable', () => {
  test('outcomes are kept, and recorded once it is back', async () => {
    await addPending('a.example', 'b.example');
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

  test('outcomes are recorded on closing if it is back', async () => {
    await addPending('a.example');
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

describe('an unexpected error in a job', () => {
  test('is logged, frees its slot, and changes nothing else', async () => {
    await addPending('a.example', 'b.example');
    start({ concurrency: 1 });
    await until(() => callbacks.waiting.length === 1);
    callbacks.waiting[0]?.fail(new Error('a bug'));
    await until(() => callbacks.waiting.length === 1);
    callbacks.answerAll();
    await until(async () => (await acknowledged()) === 1);
    const failed = (await storedSubscriptions(database)).filter((row) => row.claimed_by !== null);
    // Another dispatcher repeats the job when the claim has expired.
    expect(failed).toMatchObject([{ failures: 0, acknowledged_snapshot: 0, last_error: null }]);
    expect(new Set(callbacks.sent).size).toBe(2);
    expect(log.filter((line) => line.includes('"a bug"'))).toHaveLength(1);
  });
});

describe('closing', () => {
  test('claims no more jobs, and records those that end within the grace period', async () => {
    await addPending('a.example', 'b.example');
    start({ concurrency: 1 });
    await until(() => callbacks.waiting.length === 1);
    const closed = dispatcher?.close(PATIENCE_MS);
    dispatcher = null;
    callbacks.answerAll();
    await closed;
    expect([await acknowledged(), callbacks.sent.length, callbacks.isClosed]).toEqual([1, 1, true]);
  });

  test('releases the claims of jobs that do not end', async () => {
    await addPending('a.example', 'b.example');
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
    // A later response is ignored.
    callbacks.answerAll();
    expect(await acknowledged()).toBe(0);
  });
});
