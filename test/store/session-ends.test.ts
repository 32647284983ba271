// State of MCP sessions that replicas share: the session key, and ended sessions in order.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { loadSessionEnds, loadSessionKey, saveSessionEnds } from '../../src/store/session-ends.ts';
import { TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const KEPT = { maxEnds: 100, nowSeconds: 1_000 };
const endOf = (id: string, expiresAtSeconds = 2_000) => ({ id, expiresAtSeconds });

describe('the session key', () => {
  test('is the first one proposed, for every server and after a restart', async () => {
    const other = await store.open();
    const keys = await Promise.all([loadSessionKey(database, 'a'), loadSessionKey(other, 'b')]);
    expect(new Set(keys).size).toBe(1);
    expect(await loadSessionKey(await store.open(), 'c')).toBe(keys[0]);
  });
});

describe('ended sessions', () => {
  test('are loaded once, in order, by every reader', async () => {
    await saveSessionEnds(database, [endOf('b'), endOf('a')], KEPT);
    const other = await store.open();
    const first = await loadSessionEnds(other, 0);
    expect(first.ids).toEqual(['b', 'a']);
    await saveSessionEnds(database, [endOf('c')], KEPT);
    const second = await loadSessionEnds(other, first.last);
    expect(second.ids).toEqual(['c']);
    expect(await loadSessionEnds(other, second.last)).toEqual({ ids: [], last: second.last });
    expect((await loadSessionEnds(database, 0)).ids).toEqual(['b', 'a', 'c']);
  });

  test('may be more than the values that fit into a statement', async () => {
    const many = Array.from({ length: 40_000 }, (_, number) => endOf(`${number}`));
    await saveSessionEnds(database, many, { maxEnds: 50_000, nowSeconds: 1_000 });
    expect((await loadSessionEnds(database, 0)).ids).toEqual(many.map(({ id }) => id));
  });

  test('may be ended twice', async () => {
    await saveSessionEnds(database, [endOf('a')], KEPT);
    await saveSessionEnds(database, [endOf('a'), endOf('b')], KEPT);
    expect((await loadSessionEnds(database, 0)).ids).toEqual(['a', 'b']);
  });

  test('are deleted when expired, and beyond the maximum', async () => {
    await saveSessionEnds(database, [endOf('out', 999), endOf('in', 1_000)], KEPT);
    expect((await loadSessionEnds(database, 0)).ids).toEqual(['in']);
    const many = Array.from({ length: 5 }, (_, number) => endOf(`${number}`));
    await saveSessionEnds(database, many, { maxEnds: 3, nowSeconds: 1_000 });
    expect((await loadSessionEnds(database, 0)).ids).toEqual(['2', '3', '4']);
  });

  test('keep ascending numbers when all earlier ones were deleted', async () => {
    await saveSessionEnds(database, [endOf('a', 999)], KEPT);
    const { last } = await loadSessionEnds(database, 0);
    await saveSessionEnds(database, [endOf('b')], KEPT);
    expect((await loadSessionEnds(database, last)).ids).toEqual(['b']);
  });
});
