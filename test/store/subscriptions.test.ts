// Stored requests, deliveries that become pending with a publish, and the list for operators.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import {
  claimPublishing,
  saveSnapshot,
  switchSnapshot,
} from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';
import {
  countSubscriptions,
  listSubscriptions,
  removeSubscription,
} from '../../src/store/hub/subscriptions.ts';
import { TestStore } from '../support/store.ts';
import {
  callbacksOf,
  publish,
  record,
  save,
  storedDenials,
  storedIntents,
  storedSubscriptions,
  subscribe,
  subscribeAll,
  takeIntents,
} from '../support/subscriptions.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

/** Callbacks of one host. */
const at = (...indexes: number[]) =>
  indexes.map((index) => ({ callback: `https://reader.example/${index}` }));

describe('a request', () => {
  test('is stored as given, and waits to be verified', async () => {
    await save(database, {
      topic_url: 'https://reviews.example/%66eed.xml',
      callback: 'https://Reader.example/c?a=%20b',
      callback_key: 'https://reader.example/c?a=%20b',
      host: 'reader.example',
      lease_seconds: 77,
      secret: 'geheim é',
      verify_token: 'token',
    });
    expect(await storedIntents(database)).toEqual([
      {
        number: 1,
        mode: 'subscribe',
        topic: '/feed.xml',
        callback_key: 'https://reader.example/c?a=%20b',
        host: 'reader.example',
        domain: 'reader.example',
        network: null,
        turn: 0,
        topic_url: 'https://reviews.example/%66eed.xml',
        callback: 'https://Reader.example/c?a=%20b',
        lease_seconds: 77,
        secret: 'geheim é',
        verify_token: 'token',
        claimed_by: null,
        claimed_until: 0,
      },
    ]);
  });

  test('is stored with a number of its own, for each of 200 at once through several connections', async () => {
    const connections = [database, await store.open(), await store.open(), await store.open()];
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        save(connections[index % 4] as Database, {
          callback: `https://reader-${index}.example/callback`,
        }),
      ),
    );
    expect(new Set(answers)).toEqual(new Set(['saved']));
    const intents = await storedIntents(database);
    expect(new Set(intents.map(({ callback }) => callback)).size).toBe(200);
    expect(intents.map(({ number }) => number)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
  });

  test('never reuses a number, not even of a deleted request', async () => {
    await save(database);
    const intents = await takeIntents(database, 'w');
    await record(
      database,
      'w',
      intents.map((intent) => ({ kind: 'unconfirmed', intent })),
    );
    await save(database);
    expect((await storedIntents(database)).map(({ number }) => number)).toEqual([2]);
  });
});

describe('a publish', () => {
  const pendingRows = async () =>
    (await storedSubscriptions(database)).map(
      ({ topic, pending_snapshot: pending, pending_since }) => [topic, pending, pending_since],
    );
  beforeEach(() =>
    subscribe(database, [
      { topic: '/feed.xml' },
      { topic: '/reviews.json' },
      { topic: '/api/feed.json' },
    ]),
  );

  test('makes deliveries to subscribers of changed topics pending', async () => {
    await publish(database, ['/feed.xml', '/api/feed.json'], 5, 700);
    expect((await pendingRows()).toSorted()).toEqual([
      ['/api/feed.json', 5, 700],
      ['/feed.xml', 5, 700],
      ['/reviews.json', 0, 0],
    ]);
    await publish(database, [], 6, 800);
    expect((await pendingRows()).map(([, pending]) => pending).toSorted()).toEqual([0, 5, 5]);
  });

  test('P7: makes deliveries pending in the transaction that makes its snapshot current', async () => {
    await claimPublishing(database, 'p', 0, 5000);
    const snapshot = { number: 5, manifest: '[]', parts: new Map<string, Uint8Array>() };
    await saveSnapshot(database, 'p', snapshot);
    const reader = await store.open();
    const next = { number: 5, changedTopics: ['/feed.xml'], publishedAtMs: 700 };

    // If marking them fails, nothing is published and nothing is pending.
    await database.read.schema.alterTable('subscriptions').renameTo('subscriptions_away').execute();
    await expect(switchSnapshot(database, 'p', 1, next)).rejects.toThrow(
      /no such table|does not exist/,
    );
    expect(await loadState(reader.read)).toMatchObject({
      snapshotNumber: null,
      publishedVersion: 0,
    });
    await database.read.schema.alterTable('subscriptions_away').renameTo('subscriptions').execute();
    expect((await pendingRows()).map(([, pending]) => pending)).toEqual([0, 0, 0]);

    await switchSnapshot(database, 'p', 1, next);
    expect(await loadState(reader.read)).toMatchObject({ snapshotNumber: 5, publishedVersion: 1 });
    expect((await pendingRows()).map(([, pending]) => pending).toSorted()).toEqual([0, 0, 5]);
  });

  test('by a process that lost the claim makes nothing pending', async () => {
    await claimPublishing(database, 'other', 0, 5000);
    const next = { number: 5, changedTopics: ['/feed.xml'], publishedAtMs: 700 };
    await expect(switchSnapshot(database, 'p', 1, next)).rejects.toThrow('took over');
    expect((await pendingRows()).map(([, pending]) => pending)).toEqual([0, 0, 0]);
  });

  test('without a change of content makes nothing pending', async () => {
    await claimPublishing(database, 'p', 0, 5000);
    await switchSnapshot(database, 'p', 1, null);
    expect((await pendingRows()).map(([, pending]) => pending)).toEqual([0, 0, 0]);
  });
});

describe('an operator', () => {
  test('sees active subscriptions first, then pending ones, in order, and no expired ones', async () => {
    await subscribe(database, [
      { callback: 'https://b.example/' },
      { callback: 'https://a.example/' },
      { callback: 'https://short.example/', lease_seconds: 1 },
      { callback: 'https://z.example/', topic: '/api/feed.json' },
    ]);
    // Renewals and unsubscribe requests are not listed as pending; an expired one requested again is.
    await save(database, { callback: 'https://a.example/' });
    await save(database, { callback: 'https://b.example/', mode: 'unsubscribe' });
    await save(database, { callback: 'https://short.example/' });
    await save(database, { callback: 'https://new.example/' });
    await save(database, { callback: 'https://new.example/' });
    await save(database, { callback: 'https://never.example/', mode: 'unsubscribe' });
    const listed = await listSubscriptions(database.read, 1_000);
    expect(
      listed.map(({ subscription, topic, callback }) => [
        subscription ? 'active' : 'pending',
        topic,
        callback,
      ]),
    ).toEqual([
      ['active', '/api/feed.json', 'https://z.example/'],
      ['active', '/feed.xml', 'https://a.example/'],
      ['active', '/feed.xml', 'https://b.example/'],
      ['pending', '/feed.xml', 'https://new.example/'],
      ['pending', '/feed.xml', 'https://short.example/'],
    ]);
    expect(
      listed.map(({ subscription }) => [subscription !== null, subscription?.expires_at]),
    ).toEqual([
      [true, 1_000_000],
      [true, 1_000_000],
      [true, 1_000_000],
      [false, undefined],
      [false, undefined],
    ]);
  });

  test('V4: ends a subscription, and a denial with the reason is queued', async () => {
    const [first, second] = await subscribe(database, at(1, 2));
    const id = first?.id as string;
    expect(await removeSubscription(database, id, 'a reason', 0)).toBe(true);
    expect((await storedSubscriptions(database)).map((row) => row.id)).toEqual([second?.id]);
    expect(await storedDenials(database)).toEqual([[first?.callback, 'a reason']]);
    expect(await removeSubscription(database, id, 'a reason', 0)).toBe(false);
    expect(await storedDenials(database)).toHaveLength(1);
  });

  test('counts active subscriptions and pending deliveries by topic', async () => {
    await subscribe(database, [
      ...at(1, 2),
      { ...at(3)[0], lease_seconds: 1 },
      { topic: '/reviews.json' },
    ]);
    await publish(database, ['/feed.xml'], 5);
    const counts = (await countSubscriptions(database.read, 1_000)).toSorted((one, other) =>
      one.topic < other.topic ? -1 : 1,
    );
    expect(counts).toEqual([
      { topic: '/feed.xml', active: 2, pending: 2 },
      { topic: '/reviews.json', active: 1, pending: 0 },
    ]);
  });

  test('counts thousands in statements of at most 1,000 rows, and yields between them', async () => {
    for (const topic of ['/feed.xml', '/reviews.json']) {
      await subscribeAll(database, callbacksOf(['reader.example'], 1_250), 0, { topic });
    }
    let turns = 0;
    let isCounted = false;
    const countTurns = () => {
      turns += 1;
      if (!isCounted) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const counts = await countSubscriptions(database.read, 0);
    isCounted = true;
    expect(counts.toSorted((one, other) => (one.topic < other.topic ? -1 : 1))).toEqual([
      { topic: '/feed.xml', active: 1_250, pending: 0 },
      { topic: '/reviews.json', active: 1_250, pending: 0 },
    ]);
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});
