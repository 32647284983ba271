// Which process looks at a source, and when.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import {
  claimSource,
  findDue,
  loadSources,
  recordSource,
  renewSource,
  SOURCE_CLAIM_MS,
} from '../../src/store/merge/sources.ts';
import { TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
let other: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  other = await store.open();
});
afterEach(() => store.close());

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 0, 1);

const claim = (owner: string, nowMs = NOW_MS, { mustBeDue = true, at = database } = {}) =>
  claimSource(at, 'shop', owner, { nowMs, mustBeDue });
const due = async (nowMs = NOW_MS) => findDue(database.read, ['shop', 'new'], nowMs);

test('new sources are due first, then those that have waited longest', async () => {
  for (const [name, nextAtMs] of [
    ['a', 30],
    ['b', 10],
    ['c', 20],
    ['later', DAY_MS],
  ] as const) {
    await claimSource(database, name, 'one', { nowMs: NOW_MS, mustBeDue: true });
    await recordSource(database, name, 'one', { nowMs: NOW_MS, nextAtMs: NOW_MS + nextAtMs });
  }
  const names = ['a', 'later', 'new', 'b', 'c'];
  expect(await findDue(database.read, names, NOW_MS + 100)).toEqual(['new', 'b', 'c', 'a']);
});

test('of many processes one claims a source', async () => {
  const claims = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      claim(`process ${index}`, NOW_MS, { at: index % 2 === 0 ? database : other }),
    ),
  );
  const [claimed, ...more] = claims.filter((row) => row !== null);
  expect(more).toEqual([]);
  expect(await loadSources(database.read)).toEqual([claimed]);
});

test('a claim ends by itself, later if it is renewed', async () => {
  await claim('one');
  expect(await claim('two', NOW_MS + SOURCE_CLAIM_MS - 1)).toBeNull();
  await renewSource(database, 'shop', 'one', NOW_MS + 1_000);
  await renewSource(other, 'shop', 'two', NOW_MS + 50_000);
  expect(await claim('two', NOW_MS + SOURCE_CLAIM_MS)).toBeNull();
  expect(await claim('two', NOW_MS + SOURCE_CLAIM_MS + 1_000)).toMatchObject({
    claimed_by: 'two',
  });
  // The first process lost its claim, so its result does not count.
  await recordSource(database, 'shop', 'one', {
    nowMs: NOW_MS + SOURCE_CLAIM_MS + 2_000,
    nextAtMs: NOW_MS + DAY_MS,
    error: 'late',
  });
  expect(await loadSources(database.read)).toMatchObject([
    { claimed_by: 'two', error: null, failures: 0 },
  ]);
});

test('a source is claimed when it is due, or on demand', async () => {
  await claim('one');
  expect(await due()).toEqual(['new']);
  await recordSource(database, 'shop', 'one', { nowMs: NOW_MS, nextAtMs: NOW_MS + 60_000 });
  expect(await due(NOW_MS + 59_999)).toEqual(['new']);
  expect(await claim('two', NOW_MS + 59_999)).toBeNull();
  expect(await due(NOW_MS + 60_000)).toEqual(['new', 'shop']);
  expect(await claim('two', NOW_MS + 59_999, { mustBeDue: false })).not.toBeNull();
});

test('a time that a clock which ran ahead has stored does not keep a source from being due', async () => {
  const aheadMs = NOW_MS + 365 * DAY_MS;
  await claim('one', aheadMs, { mustBeDue: false });
  expect(await due()).toEqual(['new', 'shop']);
  await recordSource(database, 'shop', 'one', { nowMs: aheadMs, nextAtMs: aheadMs + 60_000 });
  expect(await due()).toEqual(['new', 'shop']);
  expect(await claim('two')).not.toBeNull();
});

test('failures add up until a success', async () => {
  const look = async (result: object) => {
    await claim('one', NOW_MS, { mustBeDue: false });
    await recordSource(database, 'shop', 'one', { nowMs: NOW_MS, nextAtMs: NOW_MS, ...result });
    const [row] = await loadSources(database.read);
    return { failures: row?.failures, error: row?.error, seen: row?.seen };
  };
  expect(await look({ seen: '"a"' })).toEqual({ failures: 0, error: null, seen: '"a"' });
  expect(await look({ error: 'gone' })).toEqual({ failures: 1, error: 'gone', seen: '"a"' });
  expect(await look({ error: 'x'.repeat(2_000) })).toMatchObject({ failures: 2 });
  expect(await look({ isPostponed: true })).toMatchObject({
    failures: 2,
    error: 'x'.repeat(1_000),
  });
  expect(await look({})).toEqual({ failures: 0, error: null, seen: '"a"' });
});
