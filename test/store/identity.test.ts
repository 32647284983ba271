// The same review from several files, and what an import changed.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { loadHistory } from '../../src/store/reviews/history.ts';
import { findImport } from '../../src/store/merge/imports.ts';
import { removeReviews } from '../../src/store/reviews/removals.ts';
import { cases } from '../support/cases.ts';
import { ulidOf } from '../support/reviews.ts';
import { merge, record, storedReviews, TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const origin = { command: 'import', operator: 'me@here', startedAtMs: 1_700_000_000_000 };
const input = { files: [], options: {}, rows: 1, refused: 0, refusedLines: [] };
const recorded = { record: { origin, input } };

/** One review: from an API with the source's id, from a file without, and from another instance. */
const FROM_API = record({ source_id: 'g1', author_avatar_url: 'https://pictures.example/1' });
const FROM_FILE = record({ owner_reply: { text: 'Thanks!', date: '2024-05-18' }, title: '' });
const FROM_INSTANCE = record({ id: ulidOf(77), source_url: 'https://google.example/1' });
const COPIES = [FROM_API, FROM_FILE, FROM_INSTANCE];

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    ordersOf(items.toSpliced(index, 1)).map((others) => [item, ...others]),
  );
}

const withoutIds = async (on = database) =>
  (await storedReviews(on)).map(({ id: _id, ...row }) => row);

describe('copies of one review', () => {
  test.each(ordersOf(COPIES).map((order) => [order]))('are one, in any order %#', async (order) => {
    for (const each of order) await merge(database, [each]);
    const [stored, ...others] = await withoutIds();
    expect(others).toEqual([]);
    expect(stored).toMatchObject({
      identity: 'source:["google","g1"]',
      author_avatar_url: 'https://pictures.example/1',
      owner_reply_text: 'Thanks!',
      source_url: 'https://google.example/1',
    });
    for (const each of order) {
      expect(await merge(database, [each])).toMatchObject({ added: 0 });
    }
  });

  test('are one within an import', async () => {
    expect(await merge(database, COPIES)).toMatchObject({ added: 1, duplicate: 2 });
    const together = await withoutIds();
    await merge(database, COPIES);
    expect(await withoutIds()).toEqual(together);
    expect(await merge(database, [FROM_FILE])).toMatchObject({ unchanged: 1 });
  });

  test('are still one after the source edits the review, and keep the edit', async () => {
    await merge(database, COPIES);
    await merge(database, [{ ...FROM_API, text: 'Edited.', rating: 2 }]);
    expect(await merge(database, [FROM_FILE])).toMatchObject({ added: 0 });
    expect(await withoutIds()).toMatchObject([{ text: 'Edited.', rating: 2 }]);
  });

  test('with different ids of the source are different reviews', async () => {
    await merge(database, [FROM_API, { ...FROM_API, source_id: 'g2' }]);
    expect(await storedReviews(database)).toHaveLength(2);
    expect(await merge(database, [FROM_FILE])).toMatchObject({ added: 0 });
  });

  test('do not come back after a removal, edited or not', async () => {
    await merge(database, [FROM_API]);
    await merge(database, [FROM_FILE]);
    await merge(database, [{ ...FROM_API, text: 'Edited.' }], recorded);
    const [{ id } = { id: '' }] = await storedReviews(database);
    await removeReviews(database, [id], 'customer_request', origin);
    for (const copy of [...COPIES, { ...FROM_FILE, text: 'Edited.' }]) {
      expect(await merge(database, [copy])).toMatchObject({ suppressed: 1 });
    }
    expect(await storedReviews(database)).toEqual([]);
  });
});

describe('the history', () => {
  test('has every version that an import replaced', async () => {
    await merge(database, [FROM_API], recorded);
    await merge(database, [{ ...FROM_API, rating: 3 }], recorded);
    await merge(database, [{ ...FROM_API, rating: 3 }], recorded);
    await merge(database, [{ ...FROM_API, rating: 3, text: 'Edited.' }], recorded);
    const [{ id } = { id: '' }] = await storedReviews(database);
    const { review, versions } = (await loadHistory(database.read, id))!;
    expect(review).toMatchObject({ rating: 3, text: 'Edited.' });
    expect(versions).toMatchObject([
      { rating: 5, text: FROM_API['text'], replaced_at: origin.startedAtMs },
      { rating: 3, text: FROM_API['text'] },
    ]);
  });

  test('keeps the newest 50 versions', async () => {
    for (let edit = 0; edit < 53; edit++) {
      await merge(database, [{ ...FROM_API, text: `Edit ${edit}.` }], recorded);
    }
    const [{ id } = { id: '' }] = await storedReviews(database);
    const { versions } = (await loadHistory(database.read, id))!;
    expect(versions.map(({ text }) => text)).toEqual(
      Array.from({ length: 50 }, (_, index) => `Edit ${index + 2}.`),
    );
  });

  test('goes with a removed and with a pruned review', async () => {
    const other = record({ source: 'yelp', source_id: 'y' });
    await merge(database, [FROM_API, other], recorded);
    await merge(database, [FROM_FILE], recorded);
    await merge(
      database,
      [
        { ...FROM_API, rating: 3 },
        { ...other, rating: 3 },
      ],
      recorded,
    );
    await merge(database, [record({ source: 'yelp', source_id: 'z', author: 'Lee' })], {
      prune: true,
    });
    const [{ id } = { id: '' }] = await storedReviews(database);
    await removeReviews(database, [id], 'customer_request', origin);
    for (const table of ['review_history', 'review_identities'] as const) {
      expect(await database.read.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });
});

describe('near duplicates', () => {
  test('are recorded, not merged, and forgotten with a removed review', async () => {
    await merge(database, [record({ text: 'Came on time and fixed the old boiler.' })]);
    const next = record({ date: '2024-05-18', text: 'Came on time and fixed the boiler!' });
    const far = record({ date: '2024-06-18', source_id: 'far' });
    const unlike = record({ author: 'Lee', source_id: 'unlike' });
    expect(await merge(database, [next, far, unlike], recorded)).toMatchObject({ added: 3 });
    const [known, added] = (await storedReviews(database)).filter(
      ({ author, date }) => author === 'Karen W.' && date < '2024-06',
    );
    const { report } = (await findImport(database.read, 1))!;
    expect(report.nearDuplicates).toEqual([{ id: added!.id, of: known!.id }]);
    await removeReviews(database, [known!.id], 'duplicate', origin);
    expect((await findImport(database.read, 1))!.report.nearDuplicates).toEqual([]);
  });

  test('are no reviews that the same import removes', async () => {
    await merge(database, [
      record({ source_id: 'old', text: 'Came on time and fixed the boiler.' }),
    ]);
    const corrected = record({ source_id: 'new', text: 'Came on time and fixed our boiler.' });
    await merge(database, [corrected], { ...recorded, prune: true });
    expect((await findImport(database.read, 1))!.report.nearDuplicates).toBeUndefined();
  });

  test('are not found among the reviews of the example that an import replaces', async () => {
    await merge(database, [record({ text: 'Came on time and fixed the boiler.' })], {
      example: true,
    });
    const real = { source: 'yelp', date: '2024-05-18', text: 'Came on time and fixed the boiler!' };
    const rows = [record(real), record({ ...real, date: '2024-05-19' })];
    await merge(database, rows, recorded);
    const [first, second] = await storedReviews(database);
    const { report } = (await findImport(database.read, 1))!;
    expect(report.nearDuplicates).toEqual([{ id: second!.id, of: first!.id }]);
  });
});

/** Files of one small business: the same reviews with and without ids of the source. */
const fileOf = (source: boolean) =>
  fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 7 }).map((numbers) =>
    numbers.map((number) =>
      record({
        ...(source ? { source_id: `s${number}` } : {}),
        author: `Author ${number % 3}`,
        text: number === 6 ? null : `Text ${number}.`,
        date: `2024-05-0${1 + number}`,
        ...(source ? { source_url: `https://google.example/${number}` } : {}),
      }),
    ),
  );

test('A then B, B then A, and A with B end in the same store; removed reviews stay away', async () => {
  await fc.assert(
    fc.asyncProperty(fileOf(true), fileOf(false), async (a, b) => {
      const ends = [];
      for (const imports of [[a, b], [b, a], [[...a, ...b]]]) {
        const own = await TestStore.create();
        try {
          const on = await own.open();
          for (const each of imports) await merge(on, each);
          const rows = await withoutIds(on);
          ends.push(rows.toSorted((one, other) => (one.identity < other.identity ? -1 : 1)));
          const ids = (await storedReviews(on)).map(({ id }) => id);
          if (ids.length === 0) continue;
          await removeReviews(on, ids, 'customer_request', origin);
          await merge(on, [...b, ...a]);
          expect(await storedReviews(on)).toEqual([]);
        } finally {
          await own.close();
        }
      }
      expect(ends[1]).toEqual(ends[0]);
      expect(ends[2]).toEqual(ends[0]);
    }),
    { numRuns: cases(4) },
  );
});

describe('reviews of branches', () => {
  const here = { location: 'Portland' };
  const there = { location: 'Bath' };

  test('by one author on one day are two, in one import and in two', async () => {
    const both = [record(here), record(there)];
    expect(await merge(database, both)).toMatchObject({ added: 2, duplicate: 0 });
    expect(await merge(database, [record(there)])).toMatchObject({ unchanged: 1 });
    expect((await storedReviews(database)).map(({ location }) => location).toSorted()).toEqual([
      'Bath',
      'Portland',
    ]);
  });

  test('that were stored before their branch was known keep their id, and one branch gets it', async () => {
    await merge(database, [record()]);
    const [before] = await storedReviews(database);
    const both = [record(there), record(here)];
    expect(await merge(database, both)).toMatchObject({ added: 1, updated: 1 });
    const after = await storedReviews(database);
    expect(after.find(({ id }) => id === before!.id)).toMatchObject({
      location: 'Bath',
      identity: before!.identity,
    });
    expect(await merge(database, both)).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
    // A file without the column takes nothing away.
    expect(await merge(database, [record()])).toMatchObject({ added: 0, updated: 0 });
  });

  test('that were removed do not come back with a branch', async () => {
    const rating = record({ text: null });
    await merge(database, [rating]);
    const { id } = (await storedReviews(database))[0]!;
    await removeReviews(database, [id], 'customer_request', origin);
    expect(await merge(database, [{ ...rating, ...here }])).toMatchObject({ suppressed: 1 });
  });

  test('that are nearly the same are reported of one branch only', async () => {
    const words = { text: 'They came on time and fixed the boiler well.', date: '2024-05-18' };
    await merge(database, [record(there), record({ ...here, ...words })], recorded);
    expect((await findImport(database.read, 1))!.report).not.toHaveProperty('nearDuplicates.0');
    await merge(database, [record({ ...here, ...words, text: `${words.text} Yes.` })], recorded);
    expect((await findImport(database.read, 2))!.report).toHaveProperty('nearDuplicates.0');
  });
});
