// Claims of intents, deliveries and denials: when rows are due, and when claims end.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import {
  claimNumbers,
  deleteExpired,
  isAnythingDue,
  releaseClaims,
  selectDeliveries,
  selectWaiting,
} from '../../src/store/hub/deliveries.ts';
import type { SubscriptionRow } from '../../src/store/schema.ts';
import { removeSubscription } from '../../src/store/hub/subscriptions.ts';
import { TestStore } from '../support/store.ts';
import {
  LONGEST,
  confirmedOutcome,
  NOT_BUSY,
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

const WAITS = [1_000, 20_000] as const;
/** With snapshot 5, everything published is due. */
const READY = { nowMs: 100, pendingBeforeMs: 100, snapshot: 5, ...LONGEST };

/** Subscriptions, each of its own host, with snapshot 5 pending since 50. */
async function withPending(count: number): Promise<SubscriptionRow[]> {
  const requests = Array.from({ length: count }, (_, index) => ({
    callback: `https://reader-${index}.example/`,
  }));
  await subscribe(database, requests);
  await publish(database, ['/feed.xml'], 5, 50);
  return storedSubscriptions(database);
}

const only = async () => (await storedSubscriptions(database))[0];

describe('a claim', () => {
  test('has one owner when many dispatchers claim at once', async () => {
    await withPending(200);
    for (let index = 0; index < 200; index++)
      await save(database, { callback: `https://a.example/${index}` });
    const connections = [database, await store.open(), await store.open()];
    const rounds = Array.from({ length: 30 }, (_, index) => connections[index % 3] as Database);
    const deliveries = await Promise.all(
      rounds.map((each, index) => takeDeliveries(each, `owner ${index}`, READY, { limit: 20 })),
    );
    const intents = await Promise.all(
      rounds.map((each, index) => takeIntents(each, `owner ${index}`, { nowMs: 100, limit: 20 })),
    );
    const ids = deliveries.flat().map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([200, 200]);
    const numbers = intents.flat().map(({ number }) => number);
    expect([numbers.length, new Set(numbers).size]).toEqual([200, 200]);
    for (const [index, rows] of deliveries.entries()) {
      const held = (await storedSubscriptions(database)).filter(
        (row) => row.claimed_by === `owner ${index}`,
      );
      expect(held.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    }
  });

  test('can be taken over when it ends, not before', async () => {
    await withPending(1);
    await save(database, { callback: 'https://a.example/' });
    expect(await takeDeliveries(database, 'one', READY, { untilMs: 5_000 })).toHaveLength(1);
    expect(await takeIntents(database, 'one', { nowMs: 100, untilMs: 5_000 })).toHaveLength(1);
    for (const [now, count] of [
      [4_999, 0],
      [5_000, 1],
    ] as const) {
      expect(await isAnythingDue(database.read, { ...READY, nowMs: now })).toBe(count > 0);
      const until = now + 5_000;
      expect(
        await takeDeliveries(database, 'two', { ...READY, nowMs: now }, { untilMs: until }),
      ).toHaveLength(count);
      expect(await takeIntents(database, 'two', { nowMs: now, untilMs: until })).toHaveLength(
        count,
      );
    }
    expect(await only()).toMatchObject({ claimed_by: 'two', claimed_snapshot: 5 });
  });

  test('that was taken over is invalid: only outcomes of the new owner are recorded', async () => {
    const [delivery] = (await withPending(1)) as [SubscriptionRow];
    await takeDeliveries(database, 'one', READY, { untilMs: 200 });
    await takeDeliveries(database, 'two', { ...READY, nowMs: 200 }, { untilMs: 300 });
    const held = await only();
    const late = { delivery, error: 'answered 500', waitsMs: WAITS, isSlow: false };
    for (const kind of ['acknowledged', 'not_acknowledged', 'gone'] as const) {
      await record(database, 'one', [{ kind, ...late }], 250);
      expect(await only()).toEqual(held);
    }
    await record(database, 'two', [{ kind: 'acknowledged', isSlow: false, delivery }], 260);
    expect(await only()).toMatchObject({ acknowledged_snapshot: 5, acknowledged_at: 260 });
  });

  test('of an intent that was taken over cannot delete it, but can confirm it', async () => {
    await save(database);
    const [intent] = await takeIntents(database, 'one', { untilMs: 200 });
    if (!intent) throw new Error('nothing was claimed');
    await takeIntents(database, 'two', { nowMs: 200 });
    await record(database, 'one', [{ kind: 'unconfirmed', intent }], 250);
    expect(await storedIntents(database)).toHaveLength(1);
    await record(database, 'one', [confirmedOutcome(intent, 100)], 260);
    expect(await only()).toMatchObject({ expires_at: 1_000_100 });
    await record(database, 'two', [confirmedOutcome(intent, 200)], 270);
    expect(await only()).toMatchObject({ expires_at: 1_000_100 });
  });

  test('can be released by its owner only, as if nothing had been attempted', async () => {
    await withPending(2);
    await save(database, { callback: 'https://a.example/' });
    const [taken] = await takeDeliveries(database, 'one', READY, { limit: 1 });
    await takeIntents(database, 'one', { nowMs: 100 });
    await takeDeliveries(database, 'two', READY);
    await database.write((transaction) => releaseClaims(transaction, 'one'));
    expect(await takeIntents(database, 'three', { nowMs: 100 })).toHaveLength(1);
    const [again, ...others] = await takeDeliveries(database, 'three', READY);
    expect(others).toEqual([]);
    expect(again).toMatchObject({ claimed_by: null, claimed_snapshot: 0, failures: 0 });
    expect(again?.id).toBe(taken?.id);
  });

  test('of a denial can be released too', async () => {
    const [row] = await withPending(1);
    await removeSubscription(database, row?.id as string, 'over', 0);
    const take = (ownerId: string) =>
      database.write(async (transaction) => {
        const rows = await selectWaiting(transaction, 'denials', READY, NOT_BUSY, 10);
        const numbers = rows.map(({ number }) => number);
        await claimNumbers(transaction, 'denials', numbers, { ownerId, untilMs: 5_000 });
        return rows;
      });
    expect(await take('one')).toHaveLength(1);
    expect(await take('two')).toHaveLength(0);
    expect(await isAnythingDue(database.read, READY)).toBe(false);
    await database.write((transaction) => releaseClaims(transaction, 'one'));
    const [denial] = await take('two');
    if (!denial) throw new Error('nothing was claimed');
    await record(database, 'two', [{ kind: 'denied', denial }]);
    expect(await storedDenials(database)).toEqual([]);
  });
});

describe('a delivery is due', () => {
  test('when its window has ended, not before', async () => {
    await withPending(1);
    const due = (pendingBeforeMs: number) =>
      takeDeliveries(database, 'w', { ...READY, pendingBeforeMs });
    expect(await due(49)).toEqual([]);
    expect(await due(50)).toHaveLength(1);
  });

  test('to a dispatcher that has the pending snapshot', async () => {
    await withPending(1);
    expect(await takeDeliveries(database, 'w', { ...READY, snapshot: 4 })).toEqual([]);
    expect(await takeDeliveries(database, 'w', { ...READY, snapshot: 6 })).toHaveLength(1);
    expect(await only()).toMatchObject({ pending_snapshot: 5, claimed_snapshot: 6 });
  });

  test('L1: until the lease expires, retries included', async () => {
    await subscribe(database, [{ lease_seconds: 10 }]);
    await publish(database, ['/feed.xml'], 5, 50);
    const [delivery] = await takeDeliveries(database, 'w', READY);
    if (!delivery) throw new Error('nothing was claimed');
    const failed = { kind: 'not_acknowledged', delivery, error: 'x', waitsMs: WAITS } as const;
    await record(database, 'w', [failed], 100);
    const at = (nowMs: number) => ({ ...READY, nowMs, pendingBeforeMs: nowMs });
    expect(await takeDeliveries(database, 'w', at(10_000))).toEqual([]);
    expect(await takeDeliveries(database, 'w', at(9_999))).toHaveLength(1);
  });

  test('again after the retry delay, not before', async () => {
    await withPending(1);
    const [delivery] = await takeDeliveries(database, 'w', READY);
    if (!delivery) throw new Error('nothing was claimed');
    const failed = { kind: 'not_acknowledged', delivery, error: 'x', waitsMs: WAITS } as const;
    await record(database, 'w', [failed], 100);
    await publish(database, ['/feed.xml'], 6, 150);
    const at = (nowMs: number) => ({ nowMs, pendingBeforeMs: nowMs, snapshot: 6, ...LONGEST });
    expect(await takeDeliveries(database, 'w', at(1_099))).toEqual([]);
    expect(await takeDeliveries(database, 'w', at(1_100))).toHaveLength(1);
    expect(await only()).toMatchObject({ pending_snapshot: 6, claimed_snapshot: 6, failures: 1 });
  });

  test('oldest first, first tries apart from retries, without busy hosts', async () => {
    const rows = await withPending(4);
    const waitsMs = [0, 0] as const;
    const [first, second] = await takeDeliveries(database, 'w', READY, { limit: 2 });
    if (!first || !second) throw new Error('nothing was claimed');
    const failed = { kind: 'not_acknowledged', error: 'x', waitsMs } as const;
    await record(database, 'w', [{ ...failed, delivery: first }], 60);
    await record(database, 'w', [{ kind: 'acknowledged', isSlow: false, delivery: second }], 60);
    await publish(database, ['/feed.xml'], 6, 70);
    const ready = { nowMs: 100, pendingBeforeMs: 100, snapshot: 6, ...LONGEST };
    const select = async (tries: 'first' | 'again', busy: string[], limit = 10) =>
      (
        await selectDeliveries(
          database.read,
          ready,
          { isUnproven: tries === 'again' },
          { domains: busy, networks: [] },
          limit,
        )
      ).map(({ id }) => id);
    const waiting = rows.filter(({ id }) => id !== first.id && id !== second.id);
    const tries = await select('first', []);
    expect(new Set(tries.slice(0, 2))).toEqual(new Set(waiting.map(({ id }) => id)));
    expect(tries.slice(2)).toEqual([second.id]);
    expect(await select('first', [second.host], 1)).toEqual(tries.slice(0, 1));
    expect(
      await select(
        'first',
        waiting.map(({ host }) => host),
      ),
    ).toEqual([second.id]);
    expect(await select('again', [])).toEqual([first.id]);
    expect(await select('again', [first.host])).toEqual([]);
  });
});

test('changes published before the clock was set back are due at once', async () => {
  await subscribe(database);
  await publish(database, ['/feed.xml'], 1, 3_600_000);
  const at = (nowMs: number) => ({
    nowMs,
    pendingBeforeMs: nowMs - 2_000,
    snapshot: 1,
    ...LONGEST,
  });
  expect(await takeDeliveries(database, 'w', at(3_601_999))).toEqual([]);
  expect(await isAnythingDue(database.read, at(5_000))).toBe(true);
  expect(await takeDeliveries(database, 'w', at(5_000), { untilMs: 6_000 })).toHaveLength(1);
});

test('L4: a renewal confirmed after the lease expired misses no change', async () => {
  await subscribe(database, [{ lease_seconds: 10 }]);
  await publish(database, ['/feed.xml'], 1, 9_000);
  await save(database, { lease_seconds: 60 }, 9_500);
  const [intent] = await takeIntents(database, 'w', { nowMs: 9_500, untilMs: 20_000 });
  if (!intent) throw new Error('nothing was claimed');
  await database.write((transaction) => deleteExpired(transaction, 11_000));
  expect(await isAnythingDue(database.read, { ...READY, nowMs: 11_000, snapshot: 0 })).toBe(false);
  // Nothing is sent in between.
  const ready = { nowMs: 11_000, pendingBeforeMs: 11_000, snapshot: 1, ...LONGEST };
  expect(await takeDeliveries(database, 'w', ready)).toEqual([]);
  await record(database, 'w', [confirmedOutcome(intent, 9_600)], 11_500);
  expect(await takeDeliveries(database, 'w', ready)).toMatchObject([{ expires_at: 69_600 }]);
});

test('domains take turns in verification, without busy destinations', async () => {
  for (const name of ['a', 'b', 'a', 'c'])
    await save(database, { callback: `https://${name}.example/` });
  const select = async (busy: string[], limit: number) =>
    (
      await selectWaiting(database.read, 'intents', READY, { domains: busy, networks: [] }, limit)
    ).map(({ number }) => number);
  expect(await select([], 10)).toEqual([1, 2, 4, 3]);
  expect(await select([], 2)).toEqual([1, 2]);
  expect(await select(['a.example'], 10)).toEqual([2, 4]);
});

test('expired subscriptions are deleted, but not one with a millisecond left', async () => {
  await subscribe(database, [
    { callback: 'https://a.example/', lease_seconds: 10 },
    { callback: 'https://b.example/', lease_seconds: 11 },
  ]);
  expect(await isAnythingDue(database.read, { ...READY, nowMs: 9_999 })).toBe(false);
  expect(await isAnythingDue(database.read, { ...READY, nowMs: 10_000 })).toBe(true);
  await database.write((transaction) => deleteExpired(transaction, 9_999));
  expect(await storedSubscriptions(database)).toHaveLength(2);
  await database.write((transaction) => deleteExpired(transaction, 10_000));
  const left = await storedSubscriptions(database);
  expect(left.map(({ callback }) => callback)).toEqual(['https://b.example/']);
  expect(await storedDenials(database)).toEqual([]);
});

describe('a clock that was ahead and was set back', () => {
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  const now = 10 * DAY;
  const at = (time: number) => ({ ...READY, nowMs: time, pendingBeforeMs: time });

  /** A subscription with a long lease and snapshot 5 pending. */
  async function longPending(): Promise<SubscriptionRow[]> {
    await subscribe(database, [{ lease_seconds: 30 * 86_400 }]);
    await publish(database, ['/feed.xml'], 5, 50);
    return storedSubscriptions(database);
  }

  test('leaves invalid claims, which end later than any new claim could', async () => {
    await longPending();
    await save(database, { callback: 'https://a.example/' });
    const ahead = now + DAY;
    const [row] = await takeDeliveries(database, 'gone', at(ahead), { untilMs: ahead + HOUR });
    expect(
      await takeIntents(database, 'gone', { nowMs: ahead, untilMs: ahead + HOUR }),
    ).toHaveLength(1);
    expect(await isAnythingDue(database.read, at(now))).toBe(true);
    const again = await takeDeliveries(database, 'here', at(now), { untilMs: now + 1 });
    expect(again.map(({ id }) => id)).toEqual([row?.id]);
    expect(await takeIntents(database, 'here', { nowMs: now, untilMs: now + 1 })).toHaveLength(1);
  });

  test('does not invalidate claims of a server whose clock differs by less than a minute', async () => {
    await longPending();
    const until = now + LONGEST.longestClaimMs + 60_000;
    await takeDeliveries(database, 'there', at(now), { untilMs: until });
    expect(await takeDeliveries(database, 'here', at(now))).toEqual([]);
    expect(await takeDeliveries(database, 'here', at(now - 1))).toHaveLength(1);
  });

  test('leaves no retry delay longer than the maximum', async () => {
    await longPending();
    const ahead = now + DAY;
    const [delivery] = await takeDeliveries(database, 'w', at(ahead), { untilMs: ahead + 1 });
    if (!delivery) throw new Error('nothing was claimed');
    const failed = { kind: 'not_acknowledged', delivery, error: 'x', waitsMs: WAITS } as const;
    await record(database, 'w', [failed], ahead);
    expect(await takeDeliveries(database, 'w', at(ahead))).toEqual([]);
    expect(await takeDeliveries(database, 'w', at(now))).toHaveLength(1);
  });

  test('leaves denials that are sent at once', async () => {
    const [row] = await longPending();
    await removeSubscription(database, row?.id ?? '', 'removed', 0);
    const ahead = now + DAY;
    const claim = { ownerId: 'gone', untilMs: ahead + HOUR };
    await database.write(async (transaction) => {
      const [denial] = await selectWaiting(transaction, 'denials', at(ahead), NOT_BUSY, 10);
      await claimNumbers(transaction, 'denials', [denial?.number ?? 0], claim);
    });
    expect(await isAnythingDue(database.read, at(now))).toBe(true);
    const free = database.write((transaction) =>
      selectWaiting(transaction, 'denials', at(now), NOT_BUSY, 10),
    );
    expect(await free).toHaveLength(1);
  });
});
