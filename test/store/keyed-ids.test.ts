// New ids for reviews whose ids earlier versions derived from the full names of their authors.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { loadIdKey, replaceGuessableIds } from '../../src/store/reviews/keyed-ids.ts';
import { hideReviews } from '../../src/store/reviews/removals.ts';
import { loadState } from '../../src/store/state.ts';
import { confirmedNames, storeGuessableIds } from '../support/guesser.ts';
import { merge, record, storedReviews, TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const OPERATOR = { startedAtMs: 0, command: 'hide', operator: 'tests' };
const WEAVER = record({ author: 'Tom Weaver', text: null, verified: true });
const confirmed = async () =>
  (await storedReviews(database)).flatMap((row) =>
    confirmedNames({ ...row, author: 'Tom W.' }, ['Walker', 'Weaver']),
  );

test('a review without an id of its source gets an id that nobody can compute', async () => {
  await merge(database, [WEAVER]);
  expect(await confirmed()).toEqual([]);
});

test('an id that can be computed is replaced once, everywhere, on the same day', async () => {
  await merge(database, [WEAVER, record({ source_id: 'kept' })]);
  await storeGuessableIds(database);
  expect(await confirmed()).toEqual(['Tom Weaver']);
  const before = await storedReviews(database);
  const guessable = before.find(({ author }) => author === 'Tom Weaver')!;
  await hideReviews(database, [guessable.id], 'error', OPERATOR);
  const { contentVersion } = await loadState(database.read);

  await replaceGuessableIds(database);

  expect(await confirmed()).toEqual([]);
  const after = await storedReviews(database);
  const replaced = after.find(({ author }) => author === 'Tom Weaver')!;
  expect(replaced).toEqual({ ...guessable, id: replaced.id });
  expect(replaced.id.slice(0, 10)).toBe(guessable.id.slice(0, 10));
  expect(after.find(({ author }) => author !== 'Tom Weaver')).toEqual(
    before.find(({ author }) => author !== 'Tom Weaver'),
  );
  const hidden = await database.read.selectFrom('hidden_reviews').selectAll().execute();
  expect(hidden).toEqual([{ review_id: replaced.id, reason: 'error' }]);
  const { contentVersion: changed } = await loadState(database.read);
  expect(changed).toBe(contentVersion + 1);

  await replaceGuessableIds(database);
  expect(await storedReviews(database)).toEqual(after);
  expect((await loadState(database.read)).contentVersion).toBe(changed);
});

test('imports recognise the review by what it says, and by its old id', async () => {
  await merge(database, [WEAVER]);
  await storeGuessableIds(database);
  const [{ id } = { id: '' }] = await storedReviews(database);
  await replaceGuessableIds(database);
  expect(await merge(database, [WEAVER])).toMatchObject({ unchanged: 1, added: 0 });
  expect(await merge(database, [{ ...WEAVER, id }])).toMatchObject({ unchanged: 1, added: 0 });
});

test('an id is replaced that a copy leads to, although the review says something else now', async () => {
  await merge(database, [WEAVER]);
  await storeGuessableIds(database);
  await merge(database, [{ ...WEAVER, source_id: '1' }]);
  await merge(database, [{ ...WEAVER, source_id: '1', text: 'Warm again.' }]);
  const [before] = await storedReviews(database);
  expect(before).toMatchObject({ identity: 'source:["google","1"]', text: 'Warm again.' });
  await replaceGuessableIds(database);
  const [after] = await storedReviews(database);
  expect(after).toEqual({ ...before, id: after!.id });
  expect(after!.id).not.toBe(before!.id);
});

test('an id is replaced that what the review said before, its title, or another server leads to', async () => {
  const titled = record({ author: 'Tom Weaver', title: 'Warm', text: 'It is warm again.' });
  await merge(database, [titled, record({ author: 'Tom Weaver', text: 'Cold.' })]);
  await storeGuessableIds(database);
  const exported = (await storedReviews(database)).map(({ id, date, author, text, source }) => ({
    id,
    date,
    author,
    text,
    source,
    rating: 4,
    verified: true,
  }));
  // Another server, which knows the ids alone.
  const other = await TestStore.create();
  try {
    const mirror = await other.open();
    await merge(mirror, exported);
    const ORIGIN = { origin: OPERATOR, input: NO_INPUT };
    await merge(mirror, [{ ...exported[1], text: 'Cold, and then warm.' }], { record: ORIGIN });
    await replaceGuessableIds(mirror);
    const ids = (await storedReviews(mirror)).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(ids.filter((id) => exported.some((one) => one.id === id))).toEqual([]);
  } finally {
    await other.close();
  }
});

const NO_INPUT = { files: [], options: {}, rows: 0, refused: 0, refusedLines: [], remarks: [] };

test('the key is made once, and not by a dry run', async () => {
  const first = await loadIdKey(database, true);
  expect(await loadIdKey(database, true)).not.toBe(first);
  const key = await loadIdKey(database);
  expect(key).toHaveLength(43);
  expect(await loadIdKey(database, true)).toBe(key);
  expect(await loadIdKey(database)).toBe(key);
});
