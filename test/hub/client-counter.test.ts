// The rate limit of the hub, with two servers that share a store.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryCounter } from '../../src/http/request-limits.ts';
import { HubClientCounter } from '../../src/hub/client-counter.ts';
import type { Database } from '../../src/store/database.ts';
import { TestStore } from '../support/store.ts';

let store: TestStore;
let now: number;
const open: HubClientCounter[] = [];
beforeEach(async () => {
  store = await TestStore.create();
  now = 1_000;
});
afterEach(async () => {
  for (const counter of open.splice(0)) counter.close();
  await store.close();
});

function counterOf(database: Database, options: { limit?: number; maxClients?: number } = {}) {
  const clock = () => now;
  const local = new MemoryCounter(100, clock);
  const counter = new HubClientCounter({ database, local, limit: 3, nowMs: clock, ...options });
  open.push(counter);
  return counter;
}

const countsOf = async (counted: readonly Promise<{ count: number }>[]) =>
  (await Promise.all(counted)).map(({ count }) => count);

test('simultaneous requests are counted in order of arrival', async () => {
  const counter = counterOf(await store.open());
  const counted = ['a', 'b', 'a', 'a', 'b'].map((client) => counter.count(client));
  expect(await countsOf(counted)).toEqual([1, 1, 2, 3, 2]);
});

test('two servers count together', async () => {
  const [one, other] = [counterOf(await store.open()), counterOf(await store.open())];
  expect(await one.count('a')).toEqual({ count: 1, untilMs: 61_000 });
  expect(await other.count('a')).toEqual({ count: 2, untilMs: 61_000 });
  expect(await one.count('a')).toEqual({ count: 3, untilMs: 61_000 });
});

test('a client over the limit causes no writes until its minute is over', async () => {
  const database = await store.open();
  const counter = counterOf(database);
  for (let request = 1; request <= 4; request++) {
    expect((await counter.count('a')).count).toBe(request);
  }
  const { writes } = database;
  for (let request = 0; request < 100; request++) {
    expect(await counter.count('a')).toEqual({ count: 4, untilMs: 61_000 });
  }
  expect(database.writes).toBe(writes);
  now = 61_000;
  expect(await counter.count('a')).toEqual({ count: 1, untilMs: 121_000 });
});

test('a thousand waiting requests need a handful of transactions', async () => {
  const database = await store.open();
  const counter = counterOf(database, { limit: 1_000 });
  const { writes } = database;
  const counted = await countsOf(
    Array.from({ length: 1_000 }, (_, index) => counter.count(`client ${index % 500}`)),
  );
  expect(counted.toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 500 }, () => 1),
    ...Array.from({ length: 500 }, () => 2),
  ]);
  expect(database.writes - writes).toBeLessThanOrEqual(3);
});

test('a client beyond the capacity of the store is counted by each server alone', async () => {
  const database = await store.open();
  const [one, other] = [
    counterOf(database, { maxClients: 1 }),
    counterOf(database, { maxClients: 1 }),
  ];
  await one.count('first');
  expect(await countsOf([one.count('late'), one.count('late'), other.count('late')])).toEqual([
    1, 2, 1,
  ]);
  expect((await other.count('first')).count).toBe(2);
});

test('while the store is unavailable, each server counts alone', async () => {
  const database = await store.open();
  const counter = counterOf(database);
  await counter.count('a');
  await database.close();
  expect(await countsOf([counter.count('a'), counter.count('a')])).toEqual([1, 2]);
});

test('an unavailable store is tried again after two seconds, not before', async () => {
  const database = await store.open();
  const isAway = { value: true };
  const failing = new Proxy(database, {
    get: (target, name) => {
      if (name === 'write' && isAway.value) return () => Promise.reject(new Error('away'));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const counter = counterOf(failing, { limit: 100 });
  await counter.count('a');
  isAway.value = false;
  now += 1_999;
  expect(await counter.count('a')).toMatchObject({ count: 2 });
  now += 1;
  expect(await counter.count('a')).toMatchObject({ count: 1 });
});

test('a client that was refused while the clock ran ahead is accepted after the clock is set back', async () => {
  const counter = counterOf(await store.open());
  now = 86_400_000;
  for (let request = 1; request <= 4; request++) await counter.count('a');
  now = 1_000;
  expect(await counter.count('a')).toEqual({ count: 1, untilMs: 61_000 });
});
