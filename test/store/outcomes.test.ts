// Recording the outcomes of verifications and deliveries.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import type { ClaimedDelivery } from '../../src/store/hub/deliveries.ts';
import { TestStore } from '../support/store.ts';
import {
  LONGEST,
  confirmedOutcome,
  publish,
  record,
  save,
  storedDenials,
  storedIntents,
  storedSubscriptions,
  subscribe,
  takeDeliveries,
  takeIntents,
} from '../support/subscriptions.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const READY = { nowMs: 100, pendingBeforeMs: 100, snapshot: 5, ...LONGEST };
const CALLBACK = 'https://reader.example/callback';

/** Claims the delivery to the only subscriber. */
async function underWay(now = 100, snapshot = 5): Promise<ClaimedDelivery> {
  const ready = { ...READY, now, snapshot };
  const [delivery] = await takeDeliveries(database, 'w', ready, { untilMs: now + 1000 });
  if (!delivery) throw new Error('nothing was due');
  return delivery;
}

const failed = (delivery: ClaimedDelivery, error: string) =>
  ({ kind: 'not_acknowledged', delivery, error, waitsMs: [0, 0] }) as const;

const only = async () => (await storedSubscriptions(database))[0];

describe('a delivery', () => {
  beforeEach(async () => {
    await subscribe(database);
    await publish(database, ['/feed.xml'], 5, 50);
  });

  test('that is acknowledged leaves nothing pending and no claim', async () => {
    await record(
      database,
      'w',
      [{ kind: 'acknowledged', isSlow: false, delivery: await underWay() }],
      170,
    );
    expect(await only()).toMatchObject({
      acknowledged_snapshot: 5,
      acknowledged_at: 170,
      claimed_snapshot: 0,
      claimed_by: null,
      claimed_until: 0,
      failures: 0,
    });
    expect(await takeDeliveries(database, 'w', READY)).toEqual([]);
  });

  test('that is postponed is not a try, and keeps the network it waits for', async () => {
    const before = await only();
    const { id } = await underWay();
    const claimed = { table: 'subscriptions', id } as const;
    const network = '192.0.2.1';
    await record(database, 'another owner', [{ kind: 'postponed', claimed, network }], 170);
    expect(await only()).toMatchObject({ network: null, claimed_by: 'w' });
    await record(database, 'w', [{ kind: 'postponed', claimed, network }], 170);
    expect(await only()).toEqual({ ...before, network });
    await underWay();
    await record(database, 'w', [{ kind: 'postponed', claimed, network: null }], 170);
    expect(await only()).toEqual({ ...before, network });
  });

  test('C10: that fails as the third in a row ends the subscription and queues a denial', async () => {
    for (const [index, error] of ['answered 500', 'ECONNREFUSED'].entries()) {
      await record(database, 'w', [failed(await underWay(), error)], 100);
      expect(await only()).toMatchObject({ failures: index + 1, last_error: error });
      expect(await storedDenials(database)).toEqual([]);
    }
    await record(database, 'w', [failed(await underWay(), 'answered 503')], 100);
    expect(await storedSubscriptions(database)).toEqual([]);
    expect(await storedDenials(database)).toEqual([
      [CALLBACK, 'three deliveries in a row failed, the last one: answered 503'],
    ]);
  });

  test('C10: that is acknowledged between failures resets their count', async () => {
    for (const snapshot of [5, 6]) {
      await publish(database, ['/feed.xml'], snapshot, 50);
      await record(database, 'w', [failed(await underWay(100, snapshot), 'x')], 100);
      await record(database, 'w', [failed(await underWay(100, snapshot), 'x')], 100);
      const delivery = await underWay(100, snapshot);
      await record(database, 'w', [{ kind: 'acknowledged', isSlow: false, delivery }], 100);
    }
    expect(await only()).toMatchObject({ failures: 0, retry_at: 0, last_error: null });
  });

  test('C6: that is answered 410 ends the subscription without a denial', async () => {
    await record(database, 'w', [{ kind: 'gone', delivery: await underWay() }], 100);
    expect(await storedSubscriptions(database)).toEqual([]);
    expect(await storedDenials(database)).toEqual([]);
  });

  test('C12: of a subscription that ended meanwhile changes nothing', async () => {
    const delivery = await underWay();
    await save(database, { mode: 'unsubscribe' });
    const [intent] = await takeIntents(database, 'w');
    if (!intent) throw new Error('nothing was claimed');
    await record(database, 'w', [confirmedOutcome(intent, 110)], 120);
    for (const outcome of [
      { kind: 'acknowledged', isSlow: false, delivery },
      failed(delivery, 'x'),
      { kind: 'gone', delivery },
    ] as const) {
      await record(database, 'w', [outcome], 130);
    }
    expect(await storedSubscriptions(database)).toEqual([]);
    // Nor in the next subscription, which has nothing pending before the next change.
    await subscribe(database, [{}], 140);
    const fresh = await only();
    await record(database, 'w', [failed(delivery, 'x')], 150);
    expect(await only()).toEqual(fresh);
    expect(fresh).toMatchObject({ pending_snapshot: 0, acknowledged_snapshot: 0, failures: 0 });
  });

  test('of an expired lease does not count for the next lease', async () => {
    const delivery = await underWay(999_999);
    await subscribe(database, [{ lease_seconds: 50 }], 1_000_000);
    const fresh = await only();
    expect(fresh).toMatchObject({ expires_at: 1_050_000, pending_snapshot: 0, claimed_by: null });
    for (const outcome of [
      { kind: 'acknowledged', isSlow: false, delivery },
      failed(delivery, 'x'),
      { kind: 'gone', delivery },
    ] as const) {
      await record(database, 'w', [outcome], 1_000_500);
      expect(await only()).toEqual(fresh);
    }
  });
});

describe('a challenge', () => {
  test('S11: that is not answered leaves the subscription unchanged', async () => {
    const [before] = await subscribe(database, [{ secret: 'first' }]);
    await save(database, { secret: null, lease_seconds: 1 });
    await save(database, { mode: 'unsubscribe' });
    const intents = await takeIntents(database, 'w', { nowMs: 100 });
    expect(intents).toHaveLength(2);
    const outcomes = intents.map((intent) => ({ kind: 'unconfirmed', intent }) as const);
    await record(database, 'w', outcomes, 200);
    expect(await storedSubscriptions(database)).toEqual([before]);
    expect(await storedIntents(database)).toEqual([]);
  });

  test('I10: of an earlier request, answered after a later one, changes nothing', async () => {
    await save(database);
    await save(database, { mode: 'unsubscribe' });
    const [earlier, later] = await takeIntents(database, 'w');
    if (!earlier || !later) throw new Error('too little was claimed');
    await record(database, 'w', [confirmedOutcome(later, 10), confirmedOutcome(earlier, 20)], 30);
    expect(await storedSubscriptions(database)).toEqual([]);
    expect(await storedIntents(database)).toEqual([]);
  });

  test('supersedes only requests of the same topic and callback', async () => {
    await save(database, { topic: '/reviews.json' });
    await save(database, { callback: 'https://other.example/' });
    await save(database);
    const claimed = await takeIntents(database, 'w');
    await record(
      database,
      'w',
      claimed.slice(2).map((intent) => confirmedOutcome(intent)),
      30,
    );
    expect((await storedIntents(database)).map(({ number }) => number)).toEqual([1, 2]);
  });
});

test('S9: a topic and a callback have one subscription, however often confirmed', async () => {
  const [before] = await subscribe(database, [{ secret: 'first' }]);
  await publish(database, ['/feed.xml'], 5, 100);
  for (const secret of ['second', null]) await save(database, { secret, lease_seconds: 5_000 });
  const intents = await takeIntents(database, 'w', { nowMs: 200 });
  await record(
    database,
    'w',
    intents.map((intent) => confirmedOutcome(intent, 200)),
    300,
  );
  expect(await storedSubscriptions(database)).toEqual([
    {
      ...before,
      secret: null,
      lease_seconds: 5_000,
      expires_at: 5_000_200,
      pending_snapshot: 5,
      pending_since: 100,
    },
  ]);
});

test('a postponed request is not a try, and keeps the network it waits for', async () => {
  await save(database);
  const [intent] = await takeIntents(database, 'w', { untilMs: 1_000 });
  if (!intent) throw new Error('nothing was claimed');
  const claimed = { table: 'intents', number: intent.number } as const;
  await record(database, 'w', [{ kind: 'postponed', claimed, network: '192.0.2.1' }]);
  expect(await storedIntents(database)).toEqual([{ ...intent, network: '192.0.2.1' }]);
});

test('subscriptions are ranked by domain, and a renewal keeps its rank', async () => {
  const callbacks = ['https://a.example/1', 'https://b.example/1', 'https://a.example/2'];
  await subscribe(
    database,
    callbacks.map((callback) => ({ callback })),
  );
  const renewed = { callback: 'https://a.example/1', domain: 'other.example' };
  const rows = await subscribe(database, [renewed], 10);
  expect(rows.map(({ callback, domain, rank }) => [callback, domain, rank]).toSorted()).toEqual([
    ['https://a.example/1', 'other.example', 1],
    ['https://a.example/2', 'a.example', 2],
    ['https://b.example/1', 'b.example', 1],
  ]);
});
