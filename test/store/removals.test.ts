// Reviews that are removed for good: no import brings them back, whatever shape its file has. And hidden
// reviews: they stay hidden, whatever is imported.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eraseRemoved } from '../../src/publishing/erase.ts';
import { copyStore } from '../../src/store/backup/copy-store.ts';
import type { Database } from '../../src/store/database.ts';
import { isForgotten, markErased } from '../../src/store/reviews/erasures.ts';
import { findImport, listImports } from '../../src/store/merge/imports.ts';
import {
  findByAuthor,
  hideReviews,
  removeReviews,
  showReviews,
} from '../../src/store/reviews/removals.ts';
import { loadVerifiedReviews } from '../../src/store/reviews/reviews.ts';
import { loadSecret } from '../../src/store/secrets.ts';
import { loadState } from '../../src/store/state.ts';
import { isSuppressed } from '../../src/store/reviews/suppressions.ts';
import { cases } from '../support/cases.ts';
import { publishHere } from '../support/publish.ts';
import { merge, record, storedReviews, TestStore } from '../support/store.ts';

type Values = Record<string, unknown>;

const ORIGIN = { command: 'remove', operator: 'reviews@web-1', startedAtMs: 1_700_000_000_000 };
const OTHER_ULID = '01HY2K3M4N5P6Q7R8S9T0VWXYZ';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

/** Imports one record into the store and removes it; returns its id. */
async function importAndRemove(values: Values): Promise<string> {
  await merge(database, [record(values)]);
  const [{ id }] = (await storedReviews(database)) as unknown as [{ id: string }];
  await removeReviews(database, [id], 'customer_request', ORIGIN);
  return id;
}

const idsOf = async () => (await storedReviews(database)).map(({ id }) => id);
const published = async () =>
  (await loadVerifiedReviews(database.read, 'full')).map(({ id }) => id);

describe('a removed review', () => {
  test.each<[string, Values, Values]>([
    ['the same file', {}, {}],
    ['the same file, with a new reply', {}, { owner_reply: { text: 'Hi', date: '2024-06-01' } }],
    ['the same file, with other stars', {}, { rating: 1 }],
    ['its source by its id, edited', { source_id: 'a' }, { source_id: 'a', text: 'Edited.' }],
    ['its source by a long id', { source_id: 'a'.repeat(600) }, { source_id: 'a'.repeat(600) }],
    [
      'its source by its id, on another day',
      { source_id: 'a' },
      { source_id: 'a', date: '2025-01-31' },
    ],
    ['a file without ids', { source_id: 'a' }, {}],
    ['a file with ids', {}, { source_id: 'a' }],
    ['a file with other ids, but the same words', { source_id: 'a' }, { source_id: 'b' }],
    ['the export of another instance', { source_id: 'a' }, { id: OTHER_ULID }],
    ['its source, after the export of an instance', { id: OTHER_ULID }, { source_id: 'a' }],
    ['a file with other line ends', { text: 'One\ntwo' }, { text: ' One\r\ntwo\u0000 ' }],
    ['a file with the author in capitals', { author: 'José Quag' }, { author: ' JOSE  QUAG' }],
    [
      'a file with the author in capitals, without words',
      { author: 'Zed Quag', text: null },
      { author: 'ZED QUAG', text: null },
    ],
    ['a file without ids, without words', { source_id: 'a', text: null }, { text: '' }],
  ])('is left out of %s', async (_, removed, imported) => {
    await importAndRemove(removed);
    const counts = await merge(database, [
      record(imported),
      record({ source_id: 'other', text: 'Other.' }),
    ]);
    expect(counts).toMatchObject({ added: 1, suppressed: 1, unverified: 0 });
    expect(await storedReviews(database)).toMatchObject([{ text: 'Other.' }]);
  });

  test.each<[string, Values, Values]>([
    ['other words by the same author', {}, { text: 'Other words.' }],
    ['the same words by another author', {}, { author: 'Lee' }],
    ['the same words elsewhere', {}, { source: 'yelp' }],
    [
      'a rating with another id of the source',
      { source_id: 'a', text: null },
      { source_id: 'b', text: null },
    ],
  ])('does not suppress %s', async (_, removed, imported) => {
    await importAndRemove(removed);
    expect(await merge(database, [record(imported)])).toMatchObject({ added: 1, suppressed: 0 });
  });

  test('stays suppressed if an earlier version listed its author as written', async () => {
    await importAndRemove({ source_id: 'a' });
    const key = await loadSecret(database.read, 'suppression_key');
    const { source, author, date, text } = record();
    const name = `content ${JSON.stringify([source, author, date, text])}`;
    const digest = createHmac('sha256', key!).update(name).digest('base64url');
    await database.write(async (transaction) => {
      await transaction.deleteFrom('suppressions').execute();
      await transaction.insertInto('suppressions').values({ digest }).execute();
    });
    expect(await merge(database, [record()])).toMatchObject({ added: 0, suppressed: 1 });
  });

  test('does not suppress a stored review with the same words, which --prune keeps', async () => {
    const twins = [record({ source_id: 'a' }), record({ source_id: 'b' })];
    await merge(database, twins);
    const [first, second] = (await idsOf()) as [string, string];
    await removeReviews(database, [first], 'duplicate', ORIGIN);
    expect(await merge(database, twins, { prune: true })).toMatchObject({
      unchanged: 1,
      suppressed: 1,
      removed: 0,
    });
    expect(await idsOf()).toEqual([second]);
  });

  test('is left out of an import that began before the removal', async () => {
    await merge(database, [record({ source_id: 'a' })]);
    const [id] = (await idsOf()) as [string];
    const other = await store.open();
    let removed = false;
    // The plan of the merge is made; the removal comes before its transaction.
    const counts = await merge(
      Object.assign(Object.create(database) as Database, {
        withConnection: <T>(work: (connection: Database) => Promise<T>) =>
          database.withConnection(async (connection) => {
            const begin = connection.write.bind(connection);
            connection.write = async (...parts) => {
              if (!removed) await removeReviews(other, [id], 'customer_request', ORIGIN);
              removed = true;
              return begin(...(parts as Parameters<typeof begin>)) as never;
            };
            return work(connection);
          }),
      }),
      [record({ source_id: 'a', rating: 2 })],
    );
    expect(counts).toMatchObject({ added: 0, updated: 0, suppressed: 1 });
    expect(await idsOf()).toEqual([]);
  });

  test('is recorded, without a word that could lead to it', async () => {
    const id = await importAndRemove({ author: 'Zelda Quinn' });
    const [recorded] = await listImports(database.read, 1);
    expect(recorded).toMatchObject({
      command: 'remove',
      outcome: 'pending',
      report: { options: { reason: 'customer_request' }, counts: { removed: 1, updated: 0 } },
    });
    const digests = await database.read.selectFrom('suppressions').selectAll().execute();
    expect(digests).toHaveLength(3);
    expect(JSON.stringify([recorded, digests])).not.toMatch(new RegExp(`Zelda|${id}`));
    expect([
      await isSuppressed(database.read, id),
      await isSuppressed(database.read, OTHER_ULID),
    ]).toEqual([true, false]);
  });

  test('is left out of a copy of the store', async () => {
    await importAndRemove({ source_id: 'a' });
    const other = await TestStore.create();
    const copy = await other.open();
    await copyStore(database, copy, () => undefined);
    expect(await merge(copy, [record({ source_id: 'a' })])).toMatchObject({ suppressed: 1 });
    await other.close();
  });

  test('leaves an erasure pending, until it is published and erased', async () => {
    const publishing = { publisherId: 'the test', defaultOrigin: 'https://reviews.example' };
    await merge(database, [record({ author: 'Zed' }), record({ source_id: 'b', text: 'B' })]);
    await publishHere(database, store.url, publishing);
    const chunks = () => database.read.selectFrom('snapshot_parts').select('name').execute();
    const [before, [first, second]] = [await chunks(), await idsOf()];
    await removeReviews(database, [first!], 'customer_request', ORIGIN, 'Zed');
    const { contentVersion, erasingVersion } = await loadState(database.read);
    expect([erasingVersion, await eraseRemoved(database)]).toEqual([contentVersion, false]);
    expect(await isForgotten(database.read, ' ZED')).toBe(true);
    expect(await isForgotten(database.read, 'Ze')).toBe(false);

    // Another removal takes its place, and only its own end ends it.
    await removeReviews(database, [second!], 'customer_request', ORIGIN);
    expect(await isForgotten(database.read, 'Zed')).toBe(false);
    await markErased(database, contentVersion);
    expect((await loadState(database.read)).erasingVersion).toBe(contentVersion + 1);
    await publishHere(database, store.url, publishing);
    expect(await eraseRemoved(database)).toBe(true);
    expect((await loadState(database.read)).erasingVersion).toBeNull();
    const after = new Set((await chunks()).map(({ name }) => name));
    expect(before.filter(({ name }) => !after.has(name)).length).toBeGreaterThan(0);
  });

  test('leaves an erasure pending in a store that a restore replaces', async () => {
    await importAndRemove({ source_id: 'a' });
    const other = await TestStore.create();
    const backup = await other.open();
    await merge(backup, [record({ source_id: 'b' })]);
    await copyStore(backup, database, () => undefined, { replace: true });
    const { contentVersion, erasingVersion } = await loadState(database.read);
    expect(erasingVersion).toBe(contentVersion);
    await other.close();
  });

  test('that is not stored changes nothing', async () => {
    const before = await loadState(database.read);
    expect(await removeReviews(database, [OTHER_ULID], 'error', ORIGIN)).toEqual({
      ids: [],
      number: null,
    });
    expect(await loadState(database.read)).toEqual(before);
  });

  test('of many is one change', async () => {
    const rows = Array.from({ length: 1_100 }, (_, number) =>
      record({ source_id: `n${number}`, text: null }),
    );
    await merge(database, rows);
    const { ids, number } = await removeReviews(database, await idsOf(), 'error', ORIGIN);
    expect([
      ids.length,
      (await findImport(database.read, number!))?.report.counts?.removed,
    ]).toEqual([1_100, 1_100]);
    expect(await merge(database, rows)).toMatchObject({ added: 0, suppressed: 1_100 });
  });
});

/** Reviews that share authors, days and words, with ids of the source, with our ids, or with none. */
const reviewValues = fc.record(
  {
    source: fc.constantFrom('google', 'yelp'),
    author: fc.constantFrom('Ann', 'Ben'),
    date: fc.constantFrom('2024-05-17', '2024-05-18'),
    text: fc.constantFrom('Good.', 'Bad\r\n day.', null),
    source_id: fc.constantFrom('a', 'b'),
    id: fc.constantFrom(OTHER_ULID, '7'),
  },
  { requiredKeys: ['source', 'author', 'date', 'text'] },
);

/** The tables with anything of a review, removed or not. */
const KEPT_OF_REVIEWS = [
  'reviews',
  'review_identities',
  'review_history',
  'suppressions',
  'secrets',
] as const;

test('what was removed is in no file that holds it, alone or with others, in any shape', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(reviewValues, { minLength: 1, maxLength: 5 }),
      fc.array(reviewValues, { maxLength: 5 }),
      fc.nat(),
      async (first, others, choice) => {
        await database.write(async (transaction) => {
          for (const table of KEPT_OF_REVIEWS) await transaction.deleteFrom(table).execute();
        });
        await merge(database, first.map(record));
        const before = await storedReviews(database);
        const removed = before[choice % before.length]!;
        const rest = before.filter(({ id }) => id !== removed.id);
        await removeReviews(database, [removed.id], 'customer_request', ORIGIN);
        const { id, source, author, date, text } = removed;
        // As its source has it, as this instance published it, and without ids.
        const shapes = [
          { id, source, author, date, text },
          { source, author, date, text },
        ];
        await merge(database, [...first, ...others, ...shapes].map(record));
        const after = await storedReviews(database);
        expect(after.map((review) => review.id)).toEqual(
          expect.arrayContaining(rest.map((review) => review.id)),
        );
        expect(after).not.toContainEqual(expect.objectContaining({ id }));
        expect(after).not.toContainEqual(expect.objectContaining({ identity: removed.identity }));
      },
    ),
    { numRuns: cases(15) },
  );
});

describe('a hidden review', () => {
  const hide = (ids: readonly string[]) =>
    hideReviews(database, ids, 'court_or_law', { ...ORIGIN, command: 'hide' });

  test('is stored and not published, until it is shown', async () => {
    await merge(database, [record(), record({ source_id: 'b', text: 'Quick.' })]);
    const [id, other] = (await idsOf()) as [string, string];
    const { number } = await hide([id]);
    expect(await findImport(database.read, number!)).toMatchObject({
      command: 'hide',
      outcome: 'pending',
      report: {
        options: { reason: 'court_or_law', reviews: id },
        counts: { updated: 1, removed: 0 },
      },
    });
    expect([await published(), await idsOf()]).toEqual([[other], [id, other]]);
    expect((await hide([id])).ids).toEqual([]);
    expect((await showReviews(database, [id, other], ORIGIN)).ids).toEqual([id]);
    expect((await published()).toSorted()).toEqual([id, other]);
  });

  test('stays hidden when it is imported again, changed, or after a prune', async () => {
    await merge(database, [record({ source_id: 'a' })]);
    const [id] = (await idsOf()) as [string];
    await hide([id]);
    expect(await merge(database, [record({ source_id: 'a', rating: 1 })])).toMatchObject({
      updated: 1,
      hidden: 1,
    });
    expect(await published()).toEqual([]);
    await merge(database, [record({ source_id: 'b' })], { prune: true });
    await merge(database, [record({ source_id: 'a' })]);
    expect(await idsOf()).toContain(id);
    expect(await published()).not.toContain(id);
  });

  test('can be removed', async () => {
    await merge(database, [record()]);
    const [id] = (await idsOf()) as [string];
    await hide([id]);
    await removeReviews(database, [id], 'customer_request', ORIGIN);
    expect(await database.read.selectFrom('hidden_reviews').selectAll().execute()).toEqual([]);
    expect(await merge(database, [record()])).toMatchObject({ suppressed: 1, hidden: 0 });
  });
});

test('reviews of an author are found in any case, with and without accents', async () => {
  await merge(database, [record({ author: 'JOSÉ  Núñez' }), record({ author: 'Jose Nunez Jr.' })]);
  expect(await findByAuthor(database.read, ' José Nunez')).toMatchObject({
    found: [{ author: 'JOSÉ  Núñez' }],
  });
});
