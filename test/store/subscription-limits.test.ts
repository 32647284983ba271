// How many subscriptions a host may have, and how many requests may wait.

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
const at = (...places: number[]) =>
  places.map((place) => ({ callback: `https://reader.example/${place}` }));

describe('a host may have so many subscriptions', () => {
  const limits = { maxPerHost: 2, maxPending: 10_000, maxSubscriptions: 0 };
  const ask = (values: Parameters<typeof newIntent>[0], now = 0) =>
    save(database, values, now, limits);

  test('active and pending ones, of all topics', async () => {
    await subscribe(database, at(1));
    expect(await ask({ ...at(1)[0], topic: '/reviews.json' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/2' })).toBe('host_full');
    expect(await storedIntents(database)).toHaveLength(1);
    expect(await ask({ callback: 'https://other.example/2' })).toBe('saved');
  });

  test('of which a renewal is none, nor a request that is repeated', async () => {
    await subscribe(database, at(1, 2));
    expect(await ask({ callback: 'https://reader.example/1' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/1' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/3' })).toBe('host_full');
  });

  test('of which a pending one counts once, however often it is asked for', async () => {
    for (let round = 0; round < 3; round++) {
      expect(await ask({ callback: 'https://reader.example/1' })).toBe('saved');
    }
    expect(await ask({ callback: 'https://reader.example/2' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/3' })).toBe('host_full');
  });

  test('and unsubscribe all the same', async () => {
    await subscribe(database, at(1, 2));
    const mode = 'unsubscribe';
    expect(await ask({ mode, callback: 'https://reader.example/1' })).toBe('saved');
    expect(await ask({ mode, callback: 'https://reader.example/unknown' })).toBe('saved');
    // What is not yet confirmed to be over still counts.
    expect(await ask({ callback: 'https://reader.example/3' })).toBe('host_full');
  });

  test('of which an unsubscribe of what nobody knows is none', async () => {
    for (const place of [7, 8]) {
      await ask({ mode: 'unsubscribe', callback: `https://reader.example/${place}` });
    }
    expect(await ask({ callback: 'https://reader.example/1' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/2' })).toBe('saved');
  });

  test.each(['subscribe', 'unsubscribe'] as const)(
    'and twice as many requests that wait, so that it cannot fill the queue with %s',
    async (mode) => {
      await subscribe(database, at(1));
      const again = { mode, callback: 'https://reader.example/1' };
      for (let count = 0; count < 4; count++) expect(await ask(again)).toBe('saved');
      expect(await ask(again)).toBe('host_full');
      expect(await ask({ mode, callback: 'https://other.example/1' })).toBe('saved');
    },
  );

  test('of which those whose lease ran out are none, at the very moment', async () => {
    await subscribe(
      database,
      [...at(1, 2)].map((each) => ({ ...each, leaseSeconds: 10 })),
    );
    expect(await ask({ callback: 'https://reader.example/3' }, 9_999)).toBe('host_full');
    expect(await ask({ callback: 'https://reader.example/3' }, 10_000)).toBe('saved');
  });

  test('or any number, with a limit of 0', async () => {
    await subscribe(database, at(1, 2, 3));
    const unlimited = { maxPerHost: 0, maxPending: 10, maxSubscriptions: 0 };
    expect(await save(database, { callback: 'https://reader.example/4' }, 0, unlimited)).toBe(
      'saved',
    );
  });

  test('exactly so many, when many ask at once', async () => {
    const other = await store.open();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        save(place % 2 ? database : other, { callback: `https://reader.example/${place}` }, 0, {
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

test('as many requests may wait as there is room for, unsubscribing ones included', async () => {
  const limits = { maxPerHost: 0, maxPending: 2, maxSubscriptions: 0 };
  expect(await save(database, {}, 0, limits)).toBe('saved');
  expect(await save(database, { mode: 'unsubscribe' }, 0, limits)).toBe('saved');
  expect(await save(database, {}, 0, limits)).toBe('queue_full');
  expect(await save(database, { mode: 'unsubscribe' }, 0, limits)).toBe('queue_full');
  expect(await storedIntents(database)).toHaveLength(2);
});

describe('a domain may have ten times the subscriptions of a host', () => {
  const limits = { maxPerHost: 1, maxPending: 10_000, maxSubscriptions: 0 };
  const ask = (place: number, values: Parameters<typeof newIntent>[0] = {}) => {
    const callback = `https://host-${place}.reader.example/`;
    return save(database, { callback, domain: 'reader.example', ...values }, 0, limits);
  };

  test('whatever the names of its hosts', async () => {
    for (let place = 0; place < 10; place++) expect(await ask(place)).toBe('saved');
    expect(await ask(10)).toBe('host_full');
    expect(await ask(10, { domain: 'other.example' })).toBe('saved');
    // A renewal is not concerned.
    expect(await ask(3)).toBe('saved');
  });

  test('and twice as many requests that wait', async () => {
    const mode = 'unsubscribe';
    for (let place = 0; place < 20; place++) expect(await ask(place, { mode })).toBe('saved');
    expect(await ask(20, { mode })).toBe('host_full');
  });
});

describe('the whole hub may have so many subscriptions', () => {
  const limits = { maxPerHost: 0, maxPending: 10_000, maxSubscriptions: 3 };
  const ask = (values: Parameters<typeof newIntent>[0], now = 0) =>
    save(database, values, now, limits);

  test('active and pending ones, whatever their hosts', async () => {
    await subscribe(database, at(1, 2));
    expect(await ask({ callback: 'https://a.example/' })).toBe('saved');
    expect(await ask({ callback: 'https://b.example/' })).toBe('hub_full');
    expect(await storedIntents(database)).toHaveLength(1);
  });

  test('of which a renewal and an unsubscribe are none', async () => {
    await subscribe(database, at(1, 2, 3));
    expect(await ask({ callback: 'https://b.example/' })).toBe('hub_full');
    expect(await ask({ callback: 'https://reader.example/2' })).toBe('saved');
    expect(await ask({ callback: 'https://reader.example/2', topic: '/other' })).toBe('hub_full');
    expect(await ask({ mode: 'unsubscribe', callback: 'https://reader.example/1' })).toBe('saved');
  });
});

test('the last quarter of the queue is for domains with few requests in it', async () => {
  const limits = { maxPerHost: 0, maxPending: 16, maxSubscriptions: 0 };
  const ask = (host: string) => save(database, { callback: `https://${host}/` }, 0, limits);
  for (let count = 0; count < 12; count++) expect(await ask('greedy.example')).toBe('saved');
  expect(await ask('greedy.example')).toBe('queue_full');
  for (let count = 0; count < 4; count++) expect(await ask('modest.example')).toBe('saved');
  expect(await ask('another.example')).toBe('queue_full');
});

test('a domain without a waiting request has its turn with the first that wait', async () => {
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
