// The hub is no weapon: how many requests strangers can make it send to somebody else in a minute, whatever
// names, paths and kinds of request they use. The minute is one of the test's clock.

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { HubMetrics } from '../../src/hub/metrics.ts';
import { Dispatcher } from '../../src/hub/dispatcher.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { FakeCallbacks } from '../support/fake-callbacks.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore, until } from '../support/store.ts';
import { publish, save, subscribeAll } from '../support/subscriptions.ts';

const PATIENCE_MS = 60_000;
const NOW = 1_700_000_000_000;
/** Subscriptions of a host: 24 requests a minute to a domain, 96 to an address. */
const PER_HOST = 4;
const MOST_OF_DOMAIN = 24;
const MOST_OF_NETWORK = 96;

let store: TestStore;
let database: Database;
let snapshot: Snapshot;
let callbacks: FakeCallbacks;
let dispatcher: Dispatcher | null;
let nowMs: number;
let answering: NodeJS.Timeout | undefined;
beforeAll(async () => {
  snapshot = await snapshotOf([review()]);
});
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  callbacks = new FakeCallbacks();
  callbacks.networksOf = () => ['192.0.2.1'];
  dispatcher = null;
  nowMs = NOW;
});
afterEach(async () => {
  clearInterval(answering);
  await dispatcher?.close(0);
  await store.close();
});

/** Starts the worker; every callback answers at once with this status. */
function start(status: number): void {
  dispatcher = new Dispatcher({
    clock: { now: () => nowMs, elapsed: () => nowMs },
    hub: {
      ...parseConfig({}).hub,
      coalesceSeconds: 0,
      maxSubscriptionsPerHost: PER_HOST,
      retryDelaysSeconds: [0, 0],
    },
    database,
    callbacks: callbacks.client,
    metrics: new HubMetrics(new Registry(), database),
    logger: pino({ level: 'silent' }),
    snapshot: () => snapshot,
  });
  dispatcher.start();
  answering = setInterval(() => callbacks.answerAll(status), 1);
}

/** Waits until turns pass in which nothing more is sent. */
async function exhausted(): Promise<number> {
  let before = -1;
  await until(async () => {
    const { writes } = database;
    await until(() => database.writes > writes + 5, PATIENCE_MS);
    const isSame = callbacks.sent.length > 0 && callbacks.sent.length === before;
    before = callbacks.sent.length;
    return isSame && callbacks.waiting.length === 0;
  }, PATIENCE_MS);
  return callbacks.sent.length;
}

const isOwing = async (callbackUrls: readonly string[]) => {
  await subscribeAll(database, callbackUrls, nowMs - 1_000);
  await publish(database, ['/feed.xml'], 1, nowMs - 1_000);
};

const urls = (count: number, urlOf: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => urlOf(place));

test.each([204, 500])(
  'all names of a domain get so many requests a minute, if they are answered %i',
  async (status) => {
    await isOwing(urls(300, (place) => `https://host-${place}.victim.example/${place}`));
    start(status);
    expect(await exhausted()).toBe(MOST_OF_DOMAIN);
    nowMs += 65_000;
    const sent = await exhausted();
    expect(sent).toBeGreaterThan(MOST_OF_DOMAIN);
    expect(sent).toBeLessThanOrEqual(2 * MOST_OF_DOMAIN);
  },
);

test.each([204, 500])(
  'one address gets so many requests a minute from all domains, if they are answered %i',
  async (status) => {
    await isOwing(urls(300, (place) => `https://evil-${place}.example/${place}`));
    start(status);
    expect(await exhausted()).toBe(MOST_OF_NETWORK);
    nowMs += 65_000;
    const sent = await exhausted();
    expect(sent).toBeGreaterThan(MOST_OF_NETWORK);
    expect(sent).toBeLessThanOrEqual(2 * MOST_OF_NETWORK);
  },
);

test('deliveries, retries, challenges and denials count together, on every path and port', async () => {
  await isOwing(urls(40, (place) => `https://victim.example/delivery/${place}`));
  for (let place = 0; place < 20; place++) {
    const mode = place % 2 ? 'subscribe' : 'unsubscribe';
    const callback = `https://${place}.victim.example:${8000 + place}/?${place}`;
    await save(database, { mode, callback, domain: 'victim.example' }, nowMs);
  }
  await database.write((transaction) =>
    transaction
      .insertInto('denials')
      .values(
        urls(20, (place) => `https://victim.example/denial/${place}`).map((callback) => ({
          host: 'victim.example',
          domain: 'victim.example',
          network: null,
          topic_url: 'https://reviews.example/feed.xml',
          callback,
          reason: 'over',
          claimed_by: null,
          claimed_until: 0,
        })),
      )
      .execute(),
  );
  start(500);
  expect(await exhausted()).toBe(MOST_OF_DOMAIN);
  // And others are served meanwhile.
  callbacks.networksOf = () => ['192.0.2.9'];
  await save(database, { callback: 'https://reader.example/' }, nowMs);
  await until(() => callbacks.sent.includes('https://reader.example/'), PATIENCE_MS);
});

test('challenges alone get half of that', async () => {
  for (let place = 0; place < 40; place++) {
    const callback = `https://host-${place}.victim.example/${place}`;
    await save(database, { callback, domain: 'victim.example' }, nowMs);
  }
  start(404);
  expect(await exhausted()).toBe(MOST_OF_DOMAIN / 2);
});
