// The cache of analyses.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteAnalyses, loadAnalyses, saveAnalyses } from '../../src/store/reviews/analyses.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing, ClaimLost } from '../../src/store/snapshots/snapshots.ts';
import { TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  await claimPublishing(database, 'p', 0, 5000);
});
afterEach(() => store.close());

const analyses = (...keys: string[]) => keys.map((key) => ({ key, analysis: `{"of":"${key}"}` }));

async function keysOf(context: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of loadAnalyses(database.read, context)) keys.push(key);
  return keys.toSorted();
}

test('are loaded by context, as saved', async () => {
  await saveAnalyses(database, 'p', 'one', analyses('a', 'b'));
  await saveAnalyses(database, 'p', 'two', analyses('c'));
  expect(await keysOf('one')).toEqual(['a', 'b']);
  expect(await Array.fromAsync(loadAnalyses(database.read, 'two'))).toEqual(analyses('c'));
});

test('are not overwritten when saved again', async () => {
  await saveAnalyses(database, 'p', 'one', analyses('a'));
  await saveAnalyses(database, 'p', 'one', analyses('a', 'b'));
  expect(await keysOf('one')).toEqual(['a', 'b']);
});

test('are deleted if unused or of another context', async () => {
  const many = Array.from({ length: 1200 }, (_, index) => `old ${index}`);
  await saveAnalyses(database, 'p', 'old', analyses(...many));
  await saveAnalyses(database, 'p', 'new', analyses('a', 'b', 'c'));
  await deleteAnalyses(database, 'p', 'new', ['b']);
  expect(await keysOf('old')).toEqual([]);
  expect(await keysOf('new')).toEqual(['a', 'c']);
});

test('are neither saved nor deleted after the publish claim was lost', async () => {
  await saveAnalyses(database, 'p', 'one', analyses('a'));
  await claimPublishing(database, 'other', 6000, 9000);
  await expect(saveAnalyses(database, 'p', 'one', analyses('b'))).rejects.toThrow(ClaimLost);
  await expect(deleteAnalyses(database, 'p', 'two', ['a'])).rejects.toThrow(ClaimLost);
  expect(await keysOf('one')).toEqual(['a']);
});
