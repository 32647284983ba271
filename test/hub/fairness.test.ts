// Thousands of callbacks that never respond: how many of their responses a healthy callback has to wait for.
// The clock stands still, and the test decides when a callback responds.

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { CallLimits } from '../../src/hub/call-limits.ts';
import { HubMetrics } from '../../src/hub/metrics.ts';
import { Dispatcher } from '../../src/hub/dispatcher.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { FakeCallbacks } from '../support/fake-callbacks.ts';
import { until } from '../support/patience.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';
import {
  callbacksOf,
  newIntent,
  publish,
  save,
  storedIntents,
  storedSubscriptions,
  subscribeAll,
} from '../support/subscriptions.ts';

/** The default settings. */
const SLOTS = 256;
const NOW = 1_700_000_000_000;
/** One more than 10,000 requests. */
const ROOM = { maxPerHost: 100, maxPending: 20_000, maxSubscriptions: 0 };
const HEALTHY = 'https://healthy.example/callback';

let store: TestStore;
let database: Database;
let snapshot: Snapshot;
let callbacks: FakeCallbacks;
let dispatcher: Dispatcher | null;
let elapsedMs: number;
let looking: NodeJS.Timeout | undefined;
beforeAll(async () => {
  snapshot = await snapshotOf([review()]);
});
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  callbacks = new FakeCallbacks();
  dispatcher = null;
  elapsedMs = 0;
});
afterEach(async () => {
  clearInterval(looking);
  await dispatcher?.close(0);
  await store.close();
});

function start(shared: { calls?: CallLimits } = {}): void {
  dispatcher = dispatcherOf(database, shared);
  dispatcher.start();
  // Without pauses between its turns.
  looking = setInterval(() => dispatcher?.lookNow(), 1);
}

function dispatcherOf(of: Database, shared: { calls?: CallLimits }): Dispatcher {
  return new Dispatcher({
    clock: { nowMs: () => NOW, elapsedMs: () => elapsedMs },
    hub: { ...parseConfig({}).hub, coalesceSeconds: 0 },
    database: of,
    callbacks: callbacks.client,
    metrics: new HubMetrics(new Registry(), of),
    logger: pino({ level: 'silent' }),
    snapshot: () => snapshot,
    ...shared,
  });
}

const names = (count: number, nameOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => nameOf(index));

/** Waits until the dispatcher starts no more requests without a response. */
async function saturated(): Promise<void> {
  let before = -1;
  await until(async () => {
    const { writes } = database;
    if (callbacks.sent.length === 0) return false;
    // Some turns that start nothing.
    await until(() => database.writes > writes + 3);
    const isSame = callbacks.sent.length === before;
    before = callbacks.sent.length;
    return isSame;
  });
}

/** Subscriptions with pending deliveries whose callbacks never respond. */
async function hanging(hosts: readonly string[], perHost: number): Promise<void> {
  await subscribeAll(database, callbacksOf(hosts, perHost), NOW - 1_000);
  await publish(database, ['/feed.xml'], 1, NOW - 1_000);
  start();
  await saturated();
}

/** A subscription with a pending delivery, behind all others. */
async function healthy(acknowledgedAt: number | null = null): Promise<void> {
  await subscribeAll(database, [HEALTHY], NOW, { acknowledged_at: acknowledgedAt });
  await publish(database, ['/feed.xml'], 1, NOW);
}

const isDelivered = () =>
  until(async () => {
    callbacks.waiting.find(({ callback }) => callback === HEALTHY)?.answer(204);
    const rows = await storedSubscriptions(database);
    return rows.some((row) => row.callback === HEALTHY && row.acknowledged_snapshot === 1);
  });

describe('3,200 callbacks that never respond delay no delivery', () => {
  test('on 32 hosts with 100 each', async () => {
    await hanging(
      names(32, (index) => `slow-${index}.example`),
      100,
    );
    expect(callbacks.waiting).toHaveLength((SLOTS * 3) / 4);
    await healthy();
    await isDelivered();
  });

  test('on 3,200 names of one domain, which take only its share', async () => {
    await hanging(
      names(3_200, (index) => `host-${index}.slow.example`),
      1,
    );
    expect(callbacks.waiting).toHaveLength(8);
    await healthy();
    await isDelivered();
  });

  test('on one domain that two sites of a process deliver to: it gets what one may send', async () => {
    const calls = new CallLimits(parseConfig({}).hub, () => elapsedMs);
    const otherStore = await TestStore.create();
    const other = await otherStore.open();
    const otherDispatcher = dispatcherOf(other, { calls });
    try {
      const hosts = names(100, (index) => `host-${index}.slow.example`);
      await subscribeAll(other, callbacksOf(hosts, 1), NOW - 1_000);
      await publish(other, ['/feed.xml'], 1, NOW - 1_000);
      otherDispatcher.start();
      await until(() => callbacks.waiting.length === 8);
      await subscribeAll(database, callbacksOf(hosts, 1), NOW - 1_000);
      await healthy();
      start({ calls });
      await isDelivered();
      await saturated();
      expect(callbacks.waiting).toHaveLength(8);
    } finally {
      await otherDispatcher.close(0);
      await otherStore.close();
    }
  });

  test('on 3,200 domains at one address, which take only its share', async () => {
    callbacks.networksOf = (callback) => (callback === HEALTHY ? ['192.0.2.1'] : ['192.0.2.2']);
    await hanging(
      names(3_200, (index) => `slow-${index}.example`),
      1,
    );
    expect(callbacks.waiting).toHaveLength(32);
    await healthy();
    await isDelivered();
  });

  test('on 3,200 domains with an address each, if the healthy one has acknowledged a delivery before', async () => {
    await hanging(
      names(3_200, (index) => `slow-${index}.example`),
      1,
    );
    expect(callbacks.waiting).toHaveLength((SLOTS * 7) / 8);
    await healthy(NOW - 10_000);
    await isDelivered();
  });
});

test('a domain with many addresses takes slots of each', async () => {
  callbacks.networksOf = (callback) =>
    callback === HEALTHY
      ? ['192.0.2.3']
      : [`192.0.2.${new URL(callback).pathname.slice(1)}`, '::/64'];
  await hanging(
    names(100, (index) => `slow-${index}.example`),
    2,
  );
  expect(callbacks.waiting).toHaveLength(32);
});

describe('a callback that responds slowly', () => {
  const hosts = names(40, (index) => `slow-${index}.example`);
  const unprovenOf = async () =>
    (await storedSubscriptions(database)).map(({ unproven }) => unproven);
  const publishAgain = () =>
    database.write((transaction) =>
      transaction.updateTable('subscriptions').set({ acknowledged_snapshot: 0 }).execute(),
    );

  test('counts as unproven', async () => {
    await hanging(hosts, 8);
    expect(callbacks.waiting).toHaveLength((SLOTS * 3) / 4);
    await until(async () => {
      elapsedMs += 2_500;
      callbacks.answerAll();
      return (await unprovenOf()).every((unproven) => unproven === 1);
    });
    await publishAgain();
    await saturated();
    // A quarter of the half for unproven callbacks is kept for domains with nothing in flight.
    expect(callbacks.waiting).toHaveLength((SLOTS * 3) / 8);
  });

  test('until it responds quickly', async () => {
    await subscribeAll(database, [HEALTHY], NOW);
    await publish(database, ['/feed.xml'], 1, NOW);
    start();
    for (const [ms, unproven] of [
      [2_500, 1],
      [2_499, 0],
    ] as const) {
      const { answer } = await callbacks.next(HEALTHY);
      elapsedMs += ms;
      answer(204);
      await until(async () => (await unprovenOf())[0] === unproven);
      await publishAgain();
    }
  });

  test('also if it was slow in its verification', async () => {
    start();
    for (const [index, ms] of [2_500, 2_499].entries()) {
      const callback = `https://verified-${index}.example/`;
      await save(database, { callback }, NOW);
      const { parameters, answer } = await callbacks.next(callback);
      elapsedMs += ms;
      answer(200, parameters.get('hub.challenge') as string);
      await until(async () => (await unprovenOf()).length === index + 1);
    }
    const rows = await storedSubscriptions(database);
    expect(rows.map(({ host, unproven }) => [host, unproven]).toSorted()).toEqual([
      ['verified-0.example', 1],
      ['verified-1.example', 0],
    ]);
  });
});

describe('10,000 requests whose callbacks never respond', () => {
  /** Requests of this many domains, the same number for each. */
  async function addRequests(domains: number): Promise<void> {
    const rows = callbacksOf(
      names(domains, (index) => `slow-${index}.example`),
      10_000 / domains,
    ).map((callback) => {
      const intent = newIntent({ callback });
      return {
        mode: intent.mode,
        topic: intent.topic,
        callback_key: callback,
        host: intent.callback.host,
        domain: intent.callback.domain,
        network: null,
        turn: Number(new URL(callback).pathname.slice(1)),
        topic_url: intent.topic_url,
        callback,
        lease_seconds: intent.lease_seconds,
        secret: null,
        verify_token: null,
        claimed_by: null,
        claimed_until: 0,
      };
    });
    await database.write(async (transaction) => {
      for (let index = 0; index < rows.length; index += 500) {
        await transaction
          .insertInto('intents')
          .values(rows.slice(index, index + 500))
          .execute();
      }
    });
    start();
    await saturated();
  }

  test('on 100 hosts do not delay another', async () => {
    await addRequests(100);
    await save(database, { callback: HEALTHY }, NOW, ROOM);
    const { parameters, answer } = await callbacks.next(HEALTHY);
    answer(200, parameters.get('hub.challenge') as string);
    await until(async () => (await storedSubscriptions(database)).length === 1);
    expect(await storedIntents(database)).toHaveLength(10_000);
  });

  test('on 500 hosts delay another by one request of each at most', async () => {
    await addRequests(500);
    expect(callbacks.waiting).toHaveLength((SLOTS * 7) / 16);
    await save(database, { callback: HEALTHY }, NOW, ROOM);
    let ended = 0;
    while (!callbacks.sent.includes(HEALTHY)) {
      callbacks.waiting[0]?.answer(500);
      ended += 1;
      const sent = callbacks.sent.length;
      await until(() => callbacks.sent.length > sent);
    }
    expect(ended).toBeLessThanOrEqual(500);
  });
});
