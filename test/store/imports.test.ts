// The records of imports: written with the merge, bounded, and marked when they are published.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import {
  findImport,
  type ImportInput,
  type ImportOrigin,
  listImports,
  recordFailure,
  recordPublishFailure,
} from '../../src/store/merge/imports.ts';
import type { MergeOptions } from '../../src/store/merge/merge.ts';
import { claimPublishing, switchSnapshot } from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';
import { refuseInserts } from '../support/databases.ts';
import { BUSINESS } from '../support/reviews.ts';
import { merge, record, storedReviews, TestStore } from '../support/store.ts';

const ORIGIN: ImportOrigin = { command: 'import', operator: 'me@here', startedAtMs: 1_000 };
const INPUT: ImportInput = {
  files: [{ name: 'a.csv', bytes: 10 }],
  options: { source: 'google' },
  rows: 2,
  refused: 1,
  refusedLines: [{ file: 'a.csv', line: 2, reason: 'rating: expected an integer' }],
};
const RECORDED: Pick<MergeOptions, 'record'> = { record: { origin: ORIGIN, input: INPUT } };

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const outcomes = async () => (await listImports(database.read, 10)).map(({ outcome }) => outcome);

async function publishAll(): Promise<void> {
  const { contentVersion } = await loadState(database.read);
  await claimPublishing(database, 'p', 0, Date.now() + 60_000);
  await switchSnapshot(database, 'p', contentVersion, null);
}

test('a merge is recorded with what was read, its counts and that it is pending', async () => {
  await merge(database, [record()], { ...RECORDED, business: BUSINESS });
  expect(await listImports(database.read, 10)).toEqual([
    {
      ...ORIGIN,
      number: 1,
      outcome: 'pending',
      error: null,
      publishedAtMs: null,
      report: {
        ...INPUT,
        counts: {
          added: 1,
          updated: 0,
          unchanged: 0,
          duplicate: 0,
          suppressed: 0,
          removed: 0,
          unverified: 0,
          hidden: 0,
        },
        businessChanged: true,
        remarks: ['business: now "Harbor Heating"'],
      },
    },
  ]);
  expect(await findImport(database.read, 2)).toBeNull();
});

test('a record says what updates changed: replies, words and stars', async () => {
  const rows = ['a', 'b', 'c'].map((id) => record({ source_id: id, author: id }));
  await merge(database, rows, RECORDED);
  const reply = { text: 'Thanks.', date: '2024-02-01' };
  const edited = [
    { ...rows[0], owner_reply: reply, rating: 1 },
    { ...rows[1], owner_reply: reply },
    { ...rows[2], author_avatar_url: 'https://a.example/c.png' },
  ];
  await merge(database, edited, RECORDED);
  const found = await findImport(database.read, 2);
  expect(found?.report.remarks).toEqual([
    'of the updated, changed: reply 2, stars 1, other details 1',
  ]);
  for (const how of ['receipt', 'till 12', 'till 13']) {
    const proven = rows.slice(0, 2).map((row) => ({ ...row, verified_by: how }));
    await merge(database, proven, RECORDED);
  }
  const proofs = (await listImports(database.read, 3)).map(({ report }) => report.remarks);
  const remark = 'verified_by: 2 said "receipt", and say "till …" now';
  const other = 'of the updated, changed: other details 2';
  expect(proofs).toEqual([[other], [other, remark], ['of the updated, changed: reply 2, stars 1']]);
});

test('a record says what is gone from a whole export of all places', async () => {
  const of = (id: string, location?: string) =>
    record({ source_id: id, author: id, ...(location && { location }) });
  const rows = ['a', 'b', 'c'].map((id) => of(id));
  const remarksOf = async (records: Record<string, unknown>[], refused = 0) => {
    await merge(database, records, { record: { origin: ORIGIN, input: { ...INPUT, refused } } });
    return (await listImports(database.read, 1))[0]!.report.remarks;
  };
  await remarksOf(rows);
  const gone = 'known, but no longer in these files: 1; if deleted there, add --prune';
  expect(await remarksOf(rows.slice(1))).toEqual([gone]);
  // One that has the newest only, one with a refused row, and one of another place.
  expect(await remarksOf(rows.slice(2))).toEqual([]);
  expect(await remarksOf(rows.slice(1), 1)).toEqual([]);
  await remarksOf([of('d', 'harbor')]);
  expect(await remarksOf(rows)).toEqual([]);
});

test('a publish marks what it contains, and a merge that changed nothing needs none', async () => {
  await merge(database, [record()], RECORDED);
  await recordPublishFailure(database, 1, 'analysing review X failed');
  expect(await listImports(database.read, 1)).toMatchObject([
    { outcome: 'publish failed', error: 'analysing review X failed' },
  ]);
  await merge(database, [record()], RECORDED);
  expect(await outcomes()).toEqual(['unchanged', 'publish failed']);
  await publishAll();
  expect(await outcomes()).toEqual(['unchanged', 'published']);
  await merge(database, [record({ rating: 1 })], RECORDED);
  await recordPublishFailure(database, 1, 'late');
  expect(await outcomes()).toEqual(['pending', 'unchanged', 'published']);
});

test('a publish does not mark what was merged after it began', async () => {
  await merge(database, [record()], RECORDED);
  const { contentVersion } = await loadState(database.read);
  await merge(database, [record({ rating: 1 })], RECORDED);
  await claimPublishing(database, 'p', 0, Date.now() + 60_000);
  await switchSnapshot(database, 'p', contentVersion, null);
  expect(await outcomes()).toEqual(['pending', 'published']);
});

test('an import that failed is recorded with its reason', async () => {
  await recordFailure(database, ORIGIN, INPUT, 'nothing was imported: all 2 rows were refused');
  expect(await findImport(database.read, 1)).toMatchObject({
    outcome: 'failed',
    error: 'nothing was imported: all 2 rows were refused',
    report: { ...INPUT, counts: null },
  });
  await publishAll();
  expect(await outcomes()).toEqual(['failed']);
});

test('a dry run is not recorded', async () => {
  await merge(database, [record()], { ...RECORDED, dryRun: true });
  expect(await outcomes()).toEqual([]);
});

test('a merge whose record cannot be written changes nothing', async () => {
  await refuseInserts(database, 'imports', 'no room');
  await expect(merge(database, [record()], RECORDED)).rejects.toThrow('no room');
  expect(await storedReviews(database)).toEqual([]);
  expect((await loadState(database.read)).contentVersion).toBe(1);
});

test('the newest 1,000 are kept', async () => {
  await database.write(async (transaction) => {
    const report = JSON.stringify({ ...INPUT, counts: null, businessChanged: false });
    const { startedAtMs: started_at, command, operator } = ORIGIN;
    const row = { started_at, command, operator, report, error: 'x' };
    for (let count = 0; count < 1_004; count += 502) {
      await transaction
        .insertInto('imports')
        .values(Array.from({ length: 502 }, () => row))
        .execute();
    }
  });
  await recordFailure(database, ORIGIN, INPUT, 'the last');
  const kept = await listImports(database.read, 2_000);
  expect([kept.length, kept[0]?.number, kept.at(-1)?.number]).toEqual([1_000, 1_005, 6]);
});

test('a record names 100 refused rows, shortened, and counts all', async () => {
  const line = { file: 'a.csv', line: 1, reason: 'x'.repeat(5_000) };
  const refusedLines = Array.from({ length: 150 }, () => line);
  await recordFailure(
    database,
    ORIGIN,
    { ...INPUT, refused: 150, refusedLines },
    'y'.repeat(5_000),
  );
  const found = await findImport(database.read, 1);
  expect(found?.report.refused).toBe(150);
  expect(found?.report.refusedLines).toHaveLength(100);
  expect(found?.report.refusedLines[0]?.reason).toHaveLength(1_000);
  expect(found?.error).toHaveLength(1_000);
});
