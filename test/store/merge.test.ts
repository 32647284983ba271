// The counts of a merge, and the stored reviews after it.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Business } from '../../src/model/business.ts';
import { UNNAMED_BUSINESS } from '../../src/model/business.ts';
import { ANY_DATE, parseRecord } from '../../src/intake/record.ts';
import type { Database } from '../../src/store/database.ts';
import { Staging } from '../../src/store/merge/merge.ts';
import { hasContent, loadBusiness, loadVerifiedReviews } from '../../src/store/reviews/reviews.ts';
import { loadState } from '../../src/store/state.ts';
import { BUSINESS } from '../support/reviews.ts';
import { merge, record, storedReviews, TestStore } from '../support/store.ts';

const NOTHING = {
  added: 0,
  updated: 0,
  unchanged: 0,
  duplicate: 0,
  suppressed: 0,
  removed: 0,
  unverified: 0,
  hidden: 0,
};
const ULID = '01HY2K3M4N5P6Q7R8S9T0VWXYZ';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

async function contentVersion(): Promise<number> {
  return (await loadState(database.read)).contentVersion;
}

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

describe('a merge', () => {
  test('adds new reviews, updates changed ones, and leaves the rest', async () => {
    const [a, b] = [record({ source_id: 'a' }), record({ source_id: 'b' })];
    expect(await merge(database, [a, b])).toEqual({ ...NOTHING, added: 2 });
    expect(await merge(database, [a, { ...b, rating: 1 }, record({ source_id: 'c' })])).toEqual({
      ...NOTHING,
      added: 1,
      updated: 1,
      unchanged: 1,
    });
    expect(sorted((await storedReviews(database)).map(({ rating }) => rating))).toEqual([1, 5, 5]);
  });

  test('hides reviews whose rows no longer agree: by their identities, or by what they say', async () => {
    const rows = ['a', 'b', 'c', 'd'].map((id) =>
      record({ source_id: id, text: `Words of ${id}.` }),
    );
    await merge(database, rows);
    // A copy without an id of the source is remembered.
    const copy = record({ text: 'Words of c.' });
    await merge(database, [copy]);
    await merge(database, [{ ...rows[2], text: 'Other words.' }]);
    const version = await contentVersion();
    const silent = record({ author: 'Nobody', text: null });
    const disagreed = [
      { ...rows[0], text: 'Edited.' },
      record({ text: 'Words of b.' }),
      copy,
      silent,
    ];
    await merge(database, [], {}, disagreed);
    const hidden = database.read.selectFrom('hidden_reviews').select('review_id');
    const left = (await storedReviews(database)).filter(({ text }) => text === 'Words of d.');
    expect(await storedReviews(database)).toHaveLength(4);
    const ids = (await hidden.execute()).map(({ review_id: id }) => id);
    expect(ids).toHaveLength(3);
    expect(ids).not.toContain(left[0]!.id);
    expect(await contentVersion()).toBe(version + 1);
    await merge(database, [], {}, disagreed);
    expect(await contentVersion()).toBe(version + 1);
  });

  test('takes the last of several rows for one review, and counts the others as duplicates', async () => {
    const rows = ['first', 'second', 'third'].map((text) => record({ source_id: 'a', text }));
    expect(await merge(database, rows)).toEqual({ ...NOTHING, added: 1, duplicate: 2 });
    expect(await storedReviews(database)).toMatchObject([{ text: 'third' }]);
  });

  test('counts rows as duplicates that match the same stored review', async () => {
    await merge(database, [record({ source_id: 'a' })]);
    const [{ id }] = (await storedReviews(database)) as unknown as [{ id: string }];
    const rows = [
      record({ id, text: 'by our id' }),
      record({ source_id: 'a', date: '2024-06-01' }),
    ];
    expect(await merge(database, rows)).toEqual({ ...NOTHING, updated: 1, duplicate: 1 });
    expect(await storedReviews(database)).toMatchObject([{ id, date: '2024-06-01' }]);
  });

  test('of more rows than fit into one statement loses none', async () => {
    const rows = Array.from({ length: 1201 }, (_, number) => record({ source_id: `n${number}` }));
    expect(await merge(database, rows)).toEqual({ ...NOTHING, added: 1201 });
    expect(await storedReviews(database)).toHaveLength(1201);
  });

  test('of two concurrent connections keeps the rows of both', async () => {
    const other = await store.open();
    const rowsOf = (name: string) =>
      Array.from({ length: 700 }, (_, number) => record({ source_id: `${name}${number}` }));
    const counts = await Promise.all([
      merge(database, [...rowsOf('a'), record({ source_id: 'both' })]),
      merge(other, [...rowsOf('b'), record({ source_id: 'both' })]),
    ]);
    expect(await storedReviews(database)).toHaveLength(1401);
    expect(sorted(counts.map(({ added }) => added))).toEqual([700, 701]);
    expect(sorted(counts.map(({ unchanged }) => unchanged))).toEqual([0, 1]);
    expect(await contentVersion()).toBe(3);
  });
});

describe('an import that says less', () => {
  const PROVEN = { verified_by: 'job record', verified_level: 'buyer', verified_at: '2024-05-20' };
  const FULL = {
    source_id: 'a',
    title: 'Fast',
    author_avatar_url: 'https://pictures.example/1',
    source_url: 'https://google.example/1',
    owner_reply: { text: 'Thanks!', date: '2024-05-18' },
    ...PROVEN,
  };

  test('erases what the source no longer has, and keeps how the review was verified', async () => {
    await merge(database, [record({ ...FULL, text: 'No heat' })]);
    await merge(database, [record({ source_id: 'a', text: 'No heat again' })]);
    expect(await storedReviews(database)).toMatchObject([
      {
        text: 'No heat again',
        title: null,
        author_avatar_url: null,
        source_url: null,
        owner_reply_text: null,
        owner_reply_date: null,
        verified: 1,
        ...PROVEN,
      },
    ]);
  });

  test('of a review without words gives no words to a copy that has its identity', async () => {
    const [api, file] = [record({ source_id: 'a', text: 'No heat' }), record({ text: 'No heat' })];
    await merge(database, [api, file]);
    await merge(database, [record({ source_id: 'a', text: null })]);
    expect(await merge(database, [file])).toMatchObject({ added: 0 });
    expect(await storedReviews(database)).toMatchObject([{ text: null }]);
  });
});

describe('a review keeps its id', () => {
  test('when it has a source id and was edited, including its date', async () => {
    await merge(database, [record({ source_id: 'a' })]);
    const [before] = await storedReviews(database);
    const edited = record({ source_id: 'a', date: '2025-01-31', text: 'Broke again.', rating: 1 });
    expect(await merge(database, [edited])).toEqual({ ...NOTHING, updated: 1 });
    expect(await storedReviews(database)).toEqual([
      { ...before, date: '2025-01-31', text: 'Broke again.', rating: 1 },
    ]);
  });

  test('when the file has an id of this program', async () => {
    await merge(database, [record({ id: ULID })]);
    expect(await storedReviews(database)).toMatchObject([{ id: ULID }]);
    expect(await merge(database, [record({ id: ULID, text: 'Other words.' })])).toEqual({
      ...NOTHING,
      updated: 1,
    });
    expect(await storedReviews(database)).toMatchObject([{ id: ULID, text: 'Other words.' }]);
  });

  test('in every store that imports it first with the same date', async () => {
    await merge(database, [record()]);
    const other = await TestStore.create();
    const elsewhere = await other.open();
    await merge(elsewhere, [record()]);
    expect(await storedReviews(elsewhere)).toEqual(await storedReviews(database));
    await other.close();
  });

  test('when the original file is imported after a mirror of the published reviews', async () => {
    const originals = [
      record(),
      record({ source_id: 'a', text: 'Quick.' }),
      record({ text: null }),
    ];
    await merge(database, originals);
    const published = await storedReviews(database);
    const mirror = await TestStore.create();
    const mirrored = await mirror.open();
    await merge(
      mirrored,
      published.map(({ id, author, rating, date, text, source }) =>
        record({ id, author, rating, date, text, source }),
      ),
    );
    expect(await merge(mirrored, originals)).toEqual({ ...NOTHING, unchanged: 3 });
    // The source's id is now known here too.
    const edited = record({ source_id: 'a', date: '2024-05-20', text: 'Edited.' });
    expect(await merge(mirrored, [edited])).toEqual({ ...NOTHING, updated: 1 });
    expect((await storedReviews(mirrored)).map(({ id }) => id)).toEqual(
      published.map(({ id }) => id),
    );
    await mirror.close();
  });

  test('when rows without source ids differ in author, date or text they are different reviews', async () => {
    const rows = [
      record(),
      record({ author: 'Karen V.' }),
      record({ date: '2024-05-18' }),
      record({ text: 'Came late.' }),
      record({ source: 'yelp' }),
    ];
    expect(await merge(database, rows)).toEqual({ ...NOTHING, added: 5 });
  });
});

describe('verified', () => {
  test('is stored as false if nothing says so, and the review is not loaded', async () => {
    const silent = record({ verified: undefined });
    expect(await merge(database, [silent])).toEqual({ ...NOTHING, added: 1, unverified: 1 });
    expect(await merge(database, [silent])).toEqual({ ...NOTHING, unchanged: 1, unverified: 1 });
    expect(await storedReviews(database)).toMatchObject([{ verified: 0, verified_by: null }]);
    expect(await loadVerifiedReviews(database.read, 'full')).toEqual([]);
  });

  test('stays true when a later import does not say', async () => {
    await merge(database, [record({ source_id: 'a', verified_by: 'invoice number' })]);
    const silent = record({ source_id: 'a', verified: undefined });
    expect(await merge(database, [silent])).toEqual({ ...NOTHING, unchanged: 1 });
    expect(await merge(database, [{ ...silent, rating: 2 }])).toEqual({ ...NOTHING, updated: 1 });
    expect(await storedReviews(database)).toMatchObject([
      { rating: 2, verified: 1, verified_by: 'invoice number' },
    ]);
  });

  test('keeps the kind of verification when a mirror only says that it is verified', async () => {
    await merge(database, [record({ source_id: 'a', verified_by: 'invoice number' })]);
    const mirrored = record({ source_id: 'a', verified: true });
    expect(await merge(database, [mirrored])).toEqual({ ...NOTHING, unchanged: 1 });
    expect(await merge(database, [{ ...mirrored, rating: 2 }])).toEqual({ ...NOTHING, updated: 1 });
    expect(await storedReviews(database)).toMatchObject([
      { rating: 2, verified: 1, verified_by: 'invoice number' },
    ]);
  });

  test('becomes false when a later import says so', async () => {
    await merge(database, [record({ source_id: 'a' })]);
    expect(await merge(database, [record({ source_id: 'a', verified: false })])).toEqual({
      ...NOTHING,
      updated: 1,
      unverified: 1,
    });
    expect(await storedReviews(database)).toMatchObject([{ verified: 0, verified_by: null }]);
  });

  test('becomes true when a later import verifies it', async () => {
    await merge(database, [record({ source_id: 'a', verified: undefined })]);
    const proven = record({ source_id: 'a', verified_by: 'e-mail link' });
    expect(await merge(database, [proven])).toEqual({ ...NOTHING, updated: 1 });
    expect(await storedReviews(database)).toMatchObject([
      { verified: 1, verified_by: 'e-mail link' },
    ]);
  });
});

describe('prune', () => {
  test("removes missing reviews of the import's sources only", async () => {
    await merge(database, [
      record({ source_id: 'a' }),
      record({ source_id: 'b' }),
      record({ source_id: 'c', source: 'yelp' }),
    ]);
    expect(await merge(database, [record({ source_id: 'a' })], { prune: true })).toEqual({
      ...NOTHING,
      unchanged: 1,
      removed: 1,
    });
    expect((await storedReviews(database)).map(({ identity }) => identity).toSorted()).toEqual([
      'source:["google","a"]',
      'source:["yelp","c"]',
    ]);
  });

  test('of an empty import removes nothing', async () => {
    await merge(database, [record()]);
    expect(await merge(database, [], { prune: true })).toEqual(NOTHING);
    expect(await storedReviews(database)).toHaveLength(1);
  });
});

test('a dry run counts what would happen and changes nothing', async () => {
  await merge(database, [record({ source_id: 'a' }), record({ source_id: 'b' })]);
  const [reviews, state] = [await storedReviews(database), await loadState(database.read)];
  const rows = [record({ source_id: 'a', rating: 1 }), record({ source_id: 'c' })];
  const options = { dryRun: true, prune: true, business: BUSINESS };
  const expected = { ...NOTHING, added: 1, updated: 1, removed: 1 };
  expect(await merge(database, rows, options)).toEqual(expected);
  expect(await storedReviews(database)).toEqual(reviews);
  expect(await loadState(database.read)).toEqual(state);
  expect(await loadBusiness(database.read)).toEqual(UNNAMED_BUSINESS);
});

test('the rows that leave their review unverified are known after a dry run', async () => {
  const unverified = (source_id: string) => record({ source_id, verified: undefined });
  await merge(database, [record({ source_id: 'a' }), unverified('b')]);
  const rows = [
    unverified('a'),
    unverified('b'),
    unverified('c'),
    record({ source_id: 'd', verified: false }),
    record({ source_id: 'c' }),
  ];
  const sequences = await Staging.use(database, async (staging) => {
    for (const each of rows) {
      const options = { source: null, verifiedBy: null, dates: ANY_DATE };
      const parsed = parseRecord(each, options, '');
      if (parsed.ok) await staging.add(parsed.value);
    }
    await staging.merge({
      business: null,
      prune: false,
      dryRun: true,
      example: false,
      record: null,
    });
    return staging.unverified();
  });
  expect(sequences).toEqual([2, 4]);
});

describe('the content version', () => {
  test('grows by one on a change, and only then', async () => {
    const versions: number[] = [];
    const steps: [Record<string, unknown>[], Parameters<typeof merge>[2]][] = [
      [[], {}],
      [[record()], {}],
      [[record()], {}],
      [[record({ verified: undefined })], {}],
      [[record({ rating: 4 })], {}],
      [[], { business: BUSINESS }],
      [[record({ rating: 4 })], { business: BUSINESS }],
      [[record({ author: 'Another' })], { prune: true, dryRun: true }],
      [[record({ author: 'Another' })], { prune: true }],
    ];
    for (const [rows, options] of steps) {
      await merge(database, rows, options);
      versions.push(await contentVersion());
    }
    expect(versions).toEqual([1, 2, 2, 2, 3, 4, 4, 4, 5]);
  });
});

describe('the business', () => {
  test('is the unnamed one until an import has one', async () => {
    expect(await loadBusiness(database.read)).toEqual(UNNAMED_BUSINESS);
    expect(await hasContent(database.read)).toBe(false);
    await merge(database, [], { business: BUSINESS });
    expect(await loadBusiness(database.read)).toEqual(BUSINESS);
    expect(await hasContent(database.read)).toBe(true);
  });

  test('is kept by an import without one and replaced by one that has one', async () => {
    const other: Business = { ...BUSINESS, name: 'Harbor Plumbing' };
    await merge(database, [], { business: BUSINESS });
    await merge(database, [record()]);
    expect(await loadBusiness(database.read)).toEqual(BUSINESS);
    await merge(database, [record()], { business: other });
    expect(await loadBusiness(database.read)).toEqual(other);
  });
});

describe('the example business', () => {
  beforeEach(async () => {
    const rows = [record({ source: 'direct', source_id: 'e1' }), record({ id: ULID })];
    await merge(database, rows, { example: true, business: BUSINESS });
  });

  test('is completely replaced by the first real import with a review', async () => {
    expect(await merge(database, [record({ source_id: 'a' })])).toEqual({ ...NOTHING, added: 1 });
    expect(await storedReviews(database)).toMatchObject([{ identity: 'source:["google","a"]' }]);
    expect(await loadBusiness(database.read)).toEqual(UNNAMED_BUSINESS);
    expect(await loadState(database.read)).toMatchObject({ example: false, contentVersion: 3 });
    await merge(database, [record({ source_id: 'b' })]);
    expect(await storedReviews(database)).toHaveLength(2);
  });

  test('is replaced even if a real review has the identity of an example', async () => {
    const real = record({ id: ULID, verified: undefined });
    expect(await merge(database, [real])).toEqual({ ...NOTHING, added: 1, unverified: 1 });
    expect(await storedReviews(database)).toMatchObject([{ id: ULID, verified: 0 }]);
  });

  test('stays when a real import is empty', async () => {
    expect(await merge(database, [])).toEqual(NOTHING);
    expect(await storedReviews(database)).toHaveLength(2);
    expect(await loadState(database.read)).toMatchObject({ example: true, contentVersion: 2 });
  });

  test('never stays next to a real business', async () => {
    const real: Business = { ...BUSINESS, name: 'Real Plumbing' };
    await merge(database, [], { business: real });
    expect(await storedReviews(database)).toEqual([]);
    expect(await loadBusiness(database.read)).toEqual(real);
    expect(await loadState(database.read)).toMatchObject({ example: false });
  });

  test('stays after a dry run of a real import', async () => {
    const counts = await merge(database, [record({ source_id: 'a' })], { dryRun: true });
    expect(counts).toEqual({ ...NOTHING, added: 1 });
    expect(await storedReviews(database)).toHaveLength(2);
    expect(await loadState(database.read)).toMatchObject({ example: true, contentVersion: 2 });
  });

  test('is never imported into a store with real content', async () => {
    await merge(database, [record({ source_id: 'a' })]);
    const rows = [record({ source: 'direct', source_id: 'e1' })];
    expect(await merge(database, rows, { example: true, business: BUSINESS })).toEqual(NOTHING);
    expect(await storedReviews(database)).toMatchObject([{ identity: 'source:["google","a"]' }]);
    expect(await loadState(database.read)).toMatchObject({ example: false, contentVersion: 3 });
  });
});
