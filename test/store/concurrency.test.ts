// Concurrent transactions of several processes on one store.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { deleteExpired } from '../../src/store/hub/deliveries.ts';
import { recordOutcomes } from '../../src/store/hub/outcomes.ts';
import { claimPublishing, switchSnapshot } from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';
import { removeSubscription } from '../../src/store/hub/subscriptions.ts';
import { merge, record, storedReviews, TestStore } from '../support/store.ts';
import {
  LONGEST,
  confirmedOutcome,
  publish,
  record as recordOutcome,
  save,
  storedDenials,
  storedIntents,
  storedSubscriptions,
  subscribe,
  takeDeliveries,
  takeIntents,
} from '../support/subscriptions.ts';

let store: TestStore;
let databases: Database[];
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  databases = [await store.open(), await store.open(), await store.open()];
  database = databases[0] as Database;
});
afterEach(() => store.close());

/** Runs an action many times, concurrently on all connections. */
function together<T>(times: number, act: (on: Database, turn: number) => Promise<T>): Promise<T[]> {
  return Promise.all(
    Array.from({ length: times }, (_, turn) => act(databases[turn % 3] as Database, turn)),
  );
}

const READY = { nowMs: 100, pendingBeforeMs: 100, snapshot: 5, ...LONGEST };

describe('concurrent', () => {
  test('requests for one host are accepted up to its limit', async () => {
    const limits = { maxPerHost: 5, maxPending: 10_000, maxSubscriptions: 0 };
    const answers = await together(60, (on, turn) =>
      save(on, { callback: `https://reader.example/${turn}` }, 0, limits),
    );
    expect(answers.filter((answer) => answer === 'saved')).toHaveLength(5);
    expect(await storedIntents(database)).toHaveLength(5);
  });

  test('removals of a subscription by operators: one succeeds, and one denial is queued', async () => {
    const [row] = await subscribe(database);
    const answers = await together(9, (on) => removeSubscription(on, row?.id ?? '', 'over', 0));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await storedDenials(database)).toHaveLength(1);
  });

  test('imports lose no row and count none twice', async () => {
    const all = await together(9, (on, turn) =>
      merge(on, [
        ...Array.from({ length: 20 }, (_, index) => record({ source_id: `${turn} ${index}` })),
        record({ source_id: 'of all' }),
      ]),
    );
    expect(all.reduce((sum, { added }) => sum + added, 0)).toBe(181);
    expect(await storedReviews(database)).toHaveLength(181);
    expect((await loadState(database.read)).contentVersion).toBe(10);
  });

  test('imports that give a mirrored review its source identity: the first one wins', async () => {
    const mirror = { id: '01HY0000000000000000000000', text: 'From the mirror.' };
    await merge(database, [record(mirror)]);
    const { length } = await storedReviews(database);
    await together(6, (on) => merge(on, [record({ source_id: 'g-1', text: 'By its source.' })]));
    expect(await storedReviews(database)).toHaveLength(length + 1);
  });
});

describe('two concurrent dispatchers', () => {
  const request = { callback: 'https://reader.example/' };

  test('confirming two requests for one callback make one subscription with the later terms', async () => {
    for (let round = 0; round < 20; round++) {
      const callback = `https://reader-${round}.example/`;
      await save(database, { callback, secret: 'first' });
      const [first] = await takeIntents(database, 'one');
      await save(database, { callback, secret: 'second' });
      const [second] = await takeIntents(database, 'two');
      if (!first || !second) throw new Error('nothing was claimed');
      await Promise.all([
        recordOutcome(databases[1] as Database, 'one', [confirmedOutcome(first)]),
        recordOutcome(databases[2] as Database, 'two', [confirmedOutcome(second)]),
      ]);
      const rows = (await storedSubscriptions(database)).filter((row) => row.callback === callback);
      expect(rows.map(({ secret }) => secret)).toEqual(['second']);
      expect(await storedIntents(database)).toEqual([]);
    }
  });

  test('that renew and deliver both record it', async () => {
    await subscribe(database, [request]);
    for (let round = 1; round <= 40; round++) {
      const snapshot = 5 + round;
      await publish(database, ['/feed.xml'], snapshot, 50);
      const [delivery] = await takeDeliveries(database, 'one', { ...READY, snapshot });
      await save(database, { ...request, secret: `secret ${round}` });
      const [intent] = await takeIntents(database, 'two');
      if (!delivery || !intent) throw new Error('nothing was claimed');
      await Promise.all([
        recordOutcome(
          databases[1] as Database,
          'one',
          [{ kind: 'acknowledged', isSlow: false, delivery }],
          200,
        ),
        recordOutcome(databases[2] as Database, 'two', [confirmedOutcome(intent, 1)]),
      ]);
      expect(await storedSubscriptions(database)).toMatchObject([
        { acknowledged_snapshot: snapshot, secret: `secret ${round}`, claimed_by: null },
      ]);
    }
  });

  test('that renew and delete an expired subscription leave it renewed', async () => {
    for (let round = 0; round < 30; round++) {
      const callback = `https://late-${round}.example/`;
      await subscribe(database, [{ callback, lease_seconds: 1 }]);
      await save(database, { callback, lease_seconds: 1000 }, 500);
      const [intent] = await takeIntents(database, 'one', { nowMs: 500, untilMs: 5_000 });
      if (!intent) throw new Error('nothing was claimed');
      await Promise.all([
        recordOutcome(databases[1] as Database, 'one', [confirmedOutcome(intent, 900)], 2_000),
        (databases[2] as Database).write((transaction) => deleteExpired(transaction, 2_000)),
      ]);
      const rows = (await storedSubscriptions(database)).filter((row) => row.callback === callback);
      expect(rows).toMatchObject([{ expires_at: 1_000_900 }]);
    }
  });
});

test('a publish and dispatchers that record outcomes do not deadlock', async () => {
  const callbacks = Array.from({ length: 60 }, (_, turn) => ({
    callback: `https://reader-${turn}.example/`,
  }));
  await subscribe(database, callbacks);
  await claimPublishing(database, 'p', 0, 1000);
  for (let number = 6; number < 26; number++) {
    const waitsMs = [1, 1] as const;
    await Promise.all([
      switchSnapshot(database, 'p', 1, { number, changedTopics: ['/feed.xml'], publishedAtMs: 1 }),
      ...['one', 'two'].map(async (ownerId, turn) => {
        const on = databases[turn + 1] as Database;
        const ready = {
          nowMs: number * 10,
          pendingBeforeMs: number * 10,
          snapshot: number,
          ...LONGEST,
        };
        const rows = await takeDeliveries(on, ownerId, ready, {
          untilMs: number * 10 + 1,
          limit: 40,
        });
        await on.write(
          (transaction) =>
            recordOutcomes(
              transaction,
              ownerId,
              rows
                .toReversed()
                .map((delivery, index) =>
                  index % 3 === 0
                    ? { kind: 'not_acknowledged', delivery, error: 'answered 500', waitsMs }
                    : { kind: 'acknowledged', isSlow: false, delivery },
                ),
              number * 10,
            ),
          { lock: { shared: 'deliveries' } },
        );
      }),
    ]);
  }
  for (const row of await storedSubscriptions(database)) expect(row.pending_snapshot).toBe(25);
});
