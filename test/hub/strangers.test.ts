// How many requests strangers can make the hub send to a third host in a minute: they post to the hub as they
// like, the host answers nothing, and the clocks stand still.

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { MemoryCounter } from '../../src/http/admission/rate-limit.ts';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { Dispatcher } from '../../src/hub/dispatcher.ts';
import { HubEndpoint } from '../../src/hub/endpoint.ts';
import { HubMetrics } from '../../src/hub/metrics.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { FakeCallbacks } from '../support/fake-callbacks.ts';
import { TestServer } from '../support/http.ts';
import { until } from '../support/patience.ts';
import { review } from '../support/reviews.ts';
import { ORIGIN, snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';
import { storedIntents } from '../support/subscriptions.ts';

const NOW = 1_700_000_000_000;
const PER_MINUTE = 10;
/** Of a host; 6 requests a minute to its domain for each, half of them to unproven callbacks. */
const PER_HOST = 4;
const ENVIRONMENT = {
  HUB_REQUESTS_PER_MINUTE: String(PER_MINUTE),
  HUB_MAX_SUBSCRIPTIONS_PER_HOST: String(PER_HOST),
  HUB_COALESCE_SECONDS: '0',
  TRUST_PROXY: '1',
};

let store: TestStore;
let database: Database;
let snapshot: Snapshot;
let server: TestServer;
let callbacks: FakeCallbacks;
let dispatchers: Dispatcher[];
let nowMs: number;
let answering: NodeJS.Timeout;
beforeAll(async () => {
  snapshot = await snapshotOf([review()]);
});
beforeEach(async () => {
  nowMs = NOW;
  store = await TestStore.create();
  database = await store.open();
  callbacks = new FakeCallbacks();
  // All names lead to the third host.
  callbacks.networksOf = () => ['192.0.2.1'];
  const { hub } = parseConfig(ENVIRONMENT);
  const clock = () => nowMs;
  server = await TestServer.open(snapshot, {
    environment: ENVIRONMENT,
    hub: new HubEndpoint(hub, new AddressPolicy([]), database),
    parts: { counter: new MemoryCounter({ nowMs: clock }) },
  });
  dispatchers = [];
  answering = setInterval(() => callbacks.answerAll(404), 1);
});
afterEach(async () => {
  clearInterval(answering);
  for (const dispatcher of dispatchers) await dispatcher.close(0);
  await server.close();
  await store.close();
});

/** Starts the dispatcher of a server. */
function startDispatcher(): void {
  const dispatcher = new Dispatcher({
    clock: { nowMs: () => nowMs, elapsedMs: () => nowMs },
    hub: parseConfig(ENVIRONMENT).hub,
    database,
    callbacks: callbacks.client,
    metrics: new HubMetrics(new Registry(), database),
    logger: pino({ level: 'silent' }),
    snapshot: () => snapshot,
  });
  dispatcher.start();
  dispatchers.push(dispatcher);
}

/** Posts a subscription request from a client address; returns the status. */
async function subscribe(callback: string, client = '198.51.100.1'): Promise<number> {
  const body = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.topic': `${ORIGIN}/feed.xml`,
    'hub.callback': callback,
  }).toString();
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Forwarded-For': client,
  };
  return (await server.ask('/api/websub/hub', { method: 'POST', headers, body })).status;
}

/** Posts requests, each from an address of its own. */
async function subscribeFromMany(count: number, callbackOf: (index: number) => string) {
  const statuses = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      subscribe(callbackOf(index), `198.51.100.${index}`),
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([202]));
}

/** Waits until no request is waiting that may be sent now; returns how many were sent. */
async function sent(): Promise<number> {
  let before = -1;
  await until(async () => {
    const { writes } = database;
    await until(async () => {
      for (const dispatcher of dispatchers) dispatcher.lookNow();
      return database.writes > writes + 5 || (await storedIntents(database)).length === 0;
    });
    const isSame = callbacks.sent.length === before && callbacks.waiting.length === 0;
    before = callbacks.sent.length;
    return isSame;
  });
  return before;
}

test('one client address: one request for each of its requests to the hub, and no retries', async () => {
  startDispatcher();
  const statuses: number[] = [];
  for (let index = 0; index < 3 * PER_MINUTE; index++) {
    statuses.push(await subscribe(`https://name-${index % 5}.victim.example/${index}`));
  }
  const accepted = statuses.filter((status) => status === 202).length;
  expect([accepted, new Set(statuses)]).toEqual([PER_MINUTE, new Set([202, 429])]);
  expect(await sent()).toBe(PER_MINUTE);
  // A minute later nothing is repeated.
  nowMs += 65_000;
  expect(await sent()).toBe(PER_MINUTE);
});

test('many client addresses: half of the requests that a domain gets in a minute', async () => {
  startDispatcher();
  await subscribeFromMany(30, (index) => `https://name-${index}.victim.example/${index}`);
  expect(await sent()).toBe((6 * PER_HOST) / 2);
  nowMs += 65_000;
  expect(await sent()).toBe(6 * PER_HOST);
});

test('many client addresses and domains that lead to one host: four times as many', async () => {
  startDispatcher();
  await subscribeFromMany(60, (index) => `https://evil-${index}.example/${index}`);
  expect(await sent()).toBe(4 * ((6 * PER_HOST) / 2));
});

test('several servers: one client address gets those of the server that it asks, a domain those of each', async () => {
  startDispatcher();
  startDispatcher();
  for (let index = 0; index < 2 * PER_MINUTE; index++) {
    await subscribe(`https://other-${index}.example/${index}`);
  }
  expect(await sent()).toBe(PER_MINUTE);
  nowMs += 65_000;
  const before = callbacks.sent.length;
  await subscribeFromMany(40, (index) => `https://name-${index}.victim.example/${index}`);
  const more = (await sent()) - before;
  expect(more).toBeLessThanOrEqual(2 * ((6 * PER_HOST) / 2));
});
