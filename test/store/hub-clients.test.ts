// Counting requests to the hub by client, for all servers that share the store.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { countHubRequests, deleteEndedClientMinutes } from '../../src/store/hub/hub-clients.ts';
import { TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const at = (nowMs: number, maxClients = 100) => ({ nowMs, untilMs: nowMs + 60_000, maxClients });
const requests = (counts: Record<string, number>) => new Map(Object.entries(counts));

async function kept(): Promise<string[]> {
  const rows = await database.read
    .selectFrom('hub_clients')
    .select('client')
    .orderBy('client')
    .execute();
  return rows.map(({ client }) => client);
}

test('requests of a client add up across servers', async () => {
  const other = await store.open();
  const first = await countHubRequests(database, requests({ a: 2, b: 1 }), at(1_000));
  expect(first).toEqual(
    new Map([
      ['a', { count: 2, untilMs: 61_000 }],
      ['b', { count: 1, untilMs: 61_000 }],
    ]),
  );
  const second = await countHubRequests(other, requests({ a: 3 }), at(2_000));
  expect(second).toEqual(new Map([['a', { count: 5, untilMs: 61_000 }]]));
});

test('concurrent counts of two servers are all added', async () => {
  const other = await store.open();
  const rounds = Array.from({ length: 50 }, (_, round) =>
    countHubRequests(round % 2 ? database : other, requests({ b: 1, a: 1 }), at(1_000)),
  );
  await Promise.all(rounds);
  const last = await countHubRequests(database, requests({ a: 1, b: 1 }), at(1_000));
  expect([...last.values()].map(({ count }) => count)).toEqual([51, 51]);
});

test('a minute that has ended is deleted, and the next one starts at 1', async () => {
  await countHubRequests(database, requests({ a: 5, b: 1 }), at(1_000));
  const before = await countHubRequests(database, requests({ a: 1 }), at(60_999));
  expect(before.get('a')).toEqual({ count: 6, untilMs: 61_000 });
  const after = await countHubRequests(database, requests({ a: 1 }), at(61_000));
  expect(after.get('a')).toEqual({ count: 1, untilMs: 121_000 });
  expect(await kept()).toEqual(['a']);
});

test('a minute started by a clock that was ahead is deleted once the clock is corrected', async () => {
  const ahead = 1_000 + 86_400_000;
  await countHubRequests(database, requests({ a: 60, b: 1 }), at(ahead));
  const counted = await countHubRequests(database, requests({ a: 1 }), at(1_000));
  expect(counted.get('a')).toEqual({ count: 1, untilMs: 61_000 });
  expect(await kept()).toEqual(['a']);
});

test('the number of clients is limited; stored clients are still counted', async () => {
  await countHubRequests(database, requests({ a: 1 }), at(1_000, 2));
  const counted = await countHubRequests(database, requests({ a: 1, b: 1, c: 1 }), at(1_000, 2));
  expect([...counted.keys()].toSorted()).toEqual(['a', 'b']);
  expect(await kept()).toEqual(['a', 'b']);
  expect(await countHubRequests(database, requests({ c: 1 }), at(1_000, 2))).toEqual(new Map());
  expect((await countHubRequests(database, requests({ b: 1 }), at(1_000, 2))).get('b')).toEqual({
    count: 2,
    untilMs: 61_000,
  });
});

test('ended minutes can be deleted without another request', async () => {
  await countHubRequests(database, requests({ a: 1 }), at(1_000));
  await countHubRequests(database, requests({ b: 1 }), at(5_000));
  await deleteEndedClientMinutes(database, 61_000, 60_000);
  expect(await kept()).toEqual(['b']);
});
