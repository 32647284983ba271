// The hub cannot be used to flood a third party: how many requests per minute attackers can make it send,
// whatever names, paths and kinds of requests they use. The test controls the clock.

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { HubMetrics } from '../../src/hub/metrics.ts';
import { Dispatcher } from '../../src/hub/dispatcher.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { FakeCallbacks } from '../support/fake-callbacks.ts';
import { until } from '../support/patience.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';
import { publish, save, subscribeAll } from '../support/subscriptions.ts';

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

/** Starts the dispatcher; every callback responds at once with this status. */
function start(status: number): void {
  dispatcher = new Dispatcher({
    clock: { nowMs: () => nowMs, elapsedMs: () => nowMs },
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
  // Without pauses between its turns.
  answering = setInterval(() => {
    callbacks.answerAll(status);
    dispatcher?.lookNow();
  }, 1);
}

/** Waits for turns in which nothing is sent. */
async function exhausted(): Promise<number> {
  let before = -1;
  await until(async () => {
    const { writes } = database;
    await until(() => database.writes > writes + 5);
    const isSame = callbacks.sent.length > 0 && callbacks.sent.length === before;
    before = callbacks.sent.length;
    return isSame && callbacks.waiting.length === 0;
  });
  return callbacks.sent.length;
}

const addPending = async (callbackUrls: readonly string[]) => {
  await subscribeAll(database, callbackUrls, nowMs - 1_000);
  await publish(database, ['/feed.xml'], 1, nowMs - 1_000);
};

const urls = (count: number, urlOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => urlOf(index));

test.each([204, 500])(
  'all names of a domain together get the requests per minute of one, if they respond %i',
  async (status) => {
    await addPending(urls(300, (index) => `https://host-${index}.victim.example/${index}`));
    start(status);
    expect(await exhausted()).toBe(MOST_OF_DOMAIN);
    nowMs += 65_000;
    const sent = await exhausted();
    expect(sent).toBeGreaterThan(MOST_OF_DOMAIN);
    expect(sent).toBeLessThanOrEqual(2 * MOST_OF_DOMAIN);
  },
);

test.each([204, 500])(
  'all domains at an address together get its requests per minute, if they respond %i',
  async (status) => {
    await addPending(urls(300, (index) => `https://evil-${index}.example/${index}`));
    start(status);
    expect(await exhausted()).toBe(MOST_OF_NETWORK);
    nowMs += 65_000;
    const sent = await exhausted();
    expect(sent).toBeGreaterThan(MOST_OF_NETWORK);
    expect(sent).toBeLessThanOrEqual(2 * MOST_OF_NETWORK);
  },
);

test('deliveries, retries, challenges and denials count together, on every path and port', async () => {
  await addPending(urls(40, (index) => `https://victim.example/delivery/${index}`));
  for (let index = 0; index < 20; index++) {
    const mode = index % 2 ? 'subscribe' : 'unsubscribe';
    const callback = `https://${index}.victim.example:${8000 + index}/?${index}`;
    await save(database, { mode, callback, domain: 'victim.example' }, nowMs);
  }
  await database.write((transaction) =>
    transaction
      .insertInto('denials')
      .values(
        urls(20, (index) => `https://victim.example/denial/${index}`).map((callback) => ({
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
  // Other domains are served meanwhile.
  callbacks.networksOf = () => ['192.0.2.9'];
  await save(database, { callback: 'https://reader.example/' }, nowMs);
  await until(() => callbacks.sent.includes('https://reader.example/'));
});

test('challenges alone get half of that', async () => {
  for (let index = 0; index < 40; index++) {
    const callback = `https://host-${index}.victim.example/${index}`;
    await save(database, { callback, domain: 'victim.example' }, nowMs);
  }
  start(404);
  expect(await exhausted()).toBe(MOST_OF_DOMAIN / 2);
});
