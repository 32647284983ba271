// Limits of subscriptions and of requests that wait to be verified.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { TestStore } from '../support/store.ts';
import { newIntent, save, storedIntents, subscribe } from '../support/subscriptions.ts';

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

describe('the limit of a host', () => {
  const limits = { maxPerHost: 2, maxPending: 10_000, maxSubscriptions: 0 };
  const ask = (values: Parameters<typeof newIntent>[0], now = 0) =>
    save(database, values, now, limits);

  test('counts active and pending subscriptions of all topics', async () => {
    await subscribe(database, at(1));
    expect(await ask({ ...at(1)[0], topic: '/reviews.json' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/2' })).toBe('host_full');
    expect(await storedIntents(database)).toHaveLength(1);
    expect(await ask({ callback: 'https://other.example/2' })).toBe('saved');
  });

  test('does not count renewals and repeated requests', async () => {
    await subscribe(database, at(1, 2));
    expect(await ask({ callback: 'https://reader.example/1' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/1' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/3' })).toBe('host_full');
  });

  test('counts a pending subscription once, however often requested', async () => {
    for (let round = 0; round < 3; round++) {
      expect(await ask({ callback: 'https://reader.example/1' })).toBe('saved');
    }
    expect(await ask({ callback: 'https://reader.example/2' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/3' })).toBe('host_full');
  });

  test('does not apply to unsubscribe requests', async () => {
    await subscribe(database, at(1, 2));
    const mode = 'unsubscribe';
    expect(await ask({ mode, callback: 'https://reader.example/1' })).toBe('saved');
    expect(await ask({ mode, callback: 'https://reader.example/unknown' })).toBe('saved');
    // An unconfirmed unsubscribe does not free a subscription.
    expect(await ask({ callback: 'https://reader.example/3' })).toBe('host_full');
  });

  test('does not count unsubscribe requests of unknown subscriptions', async () => {
    for (const index of [7, 8]) {
      await ask({ mode: 'unsubscribe', callback: `https://reader.example/${index}` });
    }
    expect(await ask({ callback: 'https://reader.example/1' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/2' })).toBe('saved');
  });

  test.each(['subscribe', 'unsubscribe'] as const)(
    'allows twice as many waiting requests, so that a host cannot fill the queue with %s',
    async (mode) => {
      await subscribe(database, at(1));
      const again = { mode, callback: 'https://reader.example/1' };
      for (let count = 0; count < 4; count++) expect(await ask(again)).toBe('saved');
      expect(await ask(again)).toBe('host_full');
      expect(await ask({ mode, callback: 'https://other.example/1' })).toBe('saved');
    },
  );

  test('does not count expired leases, from the moment of expiry', async () => {
    await subscribe(
      database,
      [...at(1, 2)].map((each) => ({ ...each, lease_seconds: 10 })),
    );
    expect(await ask({ callback: 'https://reader.example/3' }, 9_999)).toBe('host_full');
    expect(await ask({ callback: 'https://reader.example/3' }, 10_000)).toBe('saved');
  });

  test('is unlimited if 0', async () => {
    await subscribe(database, at(1, 2, 3));
    const unlimited = { maxPerHost: 0, maxPending: 10, maxSubscriptions: 0 };
    expect(await save(database, { callback: 'https://reader.example/4' }, 0, unlimited)).toBe(
      'saved',
    );
  });

  test('holds for many concurrent requests', async () => {
    const other = await store.open();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        save(index % 2 ? database : other, { callback: `https://reader.example/${index}` }, 0, {
          maxPerHost: 7,
          maxPending: 100,
          maxSubscriptions: 0,
        }),
      ),
    );
    expect(answers.filter((answer) => answer === 'saved')).toHaveLength(7);
    expect(await storedIntents(database)).toHaveLength(7);
  });
});

test('the queue is limited, unsubscribe requests included', async () => {
  const limits = { maxPerHost: 0, maxPending: 2, maxSubscriptions: 0 };
  expect(await save(database, {}, 0, limits)).toBe('saved');
  expect(await save(database, { mode: 'unsubscribe' }, 0, limits)).toBe('saved');
  expect(await save(database, {}, 0, limits)).toBe('queue_full');
  expect(await save(database, { mode: 'unsubscribe' }, 0, limits)).toBe('queue_full');
  expect(await storedIntents(database)).toHaveLength(2);
});

describe('the limit of a domain is ten times that of a host', () => {
  const limits = { maxPerHost: 1, maxPending: 10_000, maxSubscriptions: 0 };
  const ask = (index: number, values: Parameters<typeof newIntent>[0] = {}) => {
    const callback = `https://host-${index}.reader.example/`;
    return save(database, { callback, domain: 'reader.example', ...values }, 0, limits);
  };

  test('for active and pending subscriptions of all its hosts', async () => {
    for (let index = 0; index < 10; index++) expect(await ask(index)).toBe('saved');
    expect(await ask(10)).toBe('host_full');
    expect(await ask(10, { domain: 'other.example' })).toBe('saved');
    // A renewal does not count.
    expect(await ask(3)).toBe('saved');
  });

  test('and twice that for waiting requests', async () => {
    const mode = 'unsubscribe';
    for (let index = 0; index < 20; index++) expect(await ask(index, { mode })).toBe('saved');
    expect(await ask(20, { mode })).toBe('host_full');
  });
});

describe('the limit of the whole hub', () => {
  const limits = { maxPerHost: 0, maxPending: 10_000, maxSubscriptions: 3 };
  const ask = (values: Parameters<typeof newIntent>[0], now = 0) =>
    save(database, values, now, limits);

  test('counts active and pending subscriptions of all hosts', async () => {
    await subscribe(database, at(1, 2));
    expect(await ask({ callback: 'https://a.example/' })).toBe('saved');
    expect(await ask({ callback: 'https://b.example/' })).toBe('hub_full');
    expect(await storedIntents(database)).toHaveLength(1);
  });

  test('does not apply to renewals and unsubscribe requests', async () => {
    await subscribe(database, at(1, 2, 3));
    expect(await ask({ callback: 'https://b.example/' })).toBe('hub_full');
    expect(await ask({ callback: 'https://reader.example/2' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/2', topic: '/other' })).toBe('hub_full');
    expect(await ask({ mode: 'unsubscribe', callback: 'https://reader.example/1' })).toBe('saved');
  });
});

test('the last quarter of the queue is for domains with few waiting requests', async () => {
  const limits = { maxPerHost: 0, maxPending: 16, maxSubscriptions: 0 };
  const ask = (host: string) => save(database, { callback: `https://${host}/` }, 0, limits);
  for (let count = 0; count < 12; count++) expect(await ask('greedy.example')).toBe('saved');
  expect(await ask('greedy.example')).toBe('queue_full');
  for (let count = 0; count < 4; count++) expect(await ask('modest.example')).toBe('saved');
  expect(await ask('another.example')).toBe('queue_full');
});

test('a domain without waiting requests gets the first turn', async () => {
  const turns = async () => (await storedIntents(database)).map(({ turn }) => turn);
  const ask = (host: string) => save(database, { callback: `https://${host}/` });
  for (const host of ['a.example', 'a.example', 'a.example', 'b.example']) await ask(host);
  expect(await turns()).toEqual([0, 1, 2, 0]);
  await database.write((transaction) =>
    transaction.deleteFrom('intents').where('turn', '=', 0).execute(),
  );
  for (const host of ['c.example', 'a.example']) await ask(host);
  expect(await turns()).toEqual([1, 2, 1, 3]);
});
