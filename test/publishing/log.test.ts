// What a publish writes into the transparency log, also if two publish, and if the store was restored from an older
// backup. log-kill.test.ts kills publishes.

import crypto from 'node:crypto';
import promises, { readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { isConsistent, consistencyProof } from '../../src/log/merkle.ts';
import { dateOfDay } from '../../src/model/date.ts';
import type { DocumentPath } from '../../src/snapshot/documents.ts';
import { KeyStore, newKeyring } from '../../src/publishing/log-keys.ts';
import type { Database } from '../../src/store/database.ts';
import { appendToLog, loadLogState } from '../../src/store/log/log.ts';
import { hideReviews, removeReviews, showReviews } from '../../src/store/reviews/removals.ts';
import { removeExample } from '../../src/store/state.ts';
import { requestPublish } from '../../src/store/state.ts';
import {
  currentSnapshot,
  entriesOf,
  expectHolds,
  logOf,
  publishLog,
  told,
} from '../support/log.ts';
import { merge, record, storedReviews, TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const BAD = { source_id: '1', rating: 1, author: 'Zelda Q.', text: 'Never again.' };
const ORIGIN = { command: 'remove', operator: 'reviews@web-1', startedAtMs: 0 };
const RECORD = {
  origin: ORIGIN,
  input: { files: [], options: {}, rows: 1, refused: 0, refusedLines: [] },
};
const GOOD = { source_id: '2', rating: 5, source: 'yelp', date: '2024-06-01' };

test('each new, edited and removed review is an entry, and each publication', async () => {
  await merge(database, [record(GOOD), record(BAD)]);
  const first = await publishLog(database);
  // Oldest first.
  expect(told(first)).toEqual(['added 1 google', 'added 5 yelp', 'publication']);
  expectHolds(first);

  await merge(database, [record({ ...BAD, rating: 4, text: 'Never again? They came back.' })], {
    record: RECORD,
  });
  const second = await publishLog(database, { now: 1_800_000_000 });
  expect(told(second, 3)).toEqual(['edited 4 google', 'publication']);
  expectHolds(second);
  // In feeds, that is when the review was modified.
  const { at } = entriesOf(second).at(-1)!;
  const textOf = (path: DocumentPath) => second.documents.get(path)!.body.toString();
  const items = JSON.parse(textOf('/api/feed.json')).items as { date_modified: string }[];
  expect(items.map((item) => item.date_modified)).toEqual(['2024-06-01T00:00:00Z', at]);
  expect(textOf('/feed.xml')).toContain(`<updated>${at.replace('Z', '.000Z')}</updated>`);

  await merge(database, [record({ source_id: '3' })], { prune: true });
  const third = await publishLog(database);
  expect(told(third, 5)).toEqual([
    'removed 4 google removed_at_source',
    'added 5 google',
    'publication',
  ]);
  expectHolds(third);
  expect(entriesOf(third).at(-1)).toMatchObject({
    published: { google: [0, 0, 0, 0, 1], yelp: [0, 0, 0, 0, 1] },
    withheld: {},
    removed: { google: [0, 0, 0, 1, 0] },
  });
  const proof = consistencyProof(logOf(third).tree, 3);
  const heads = [first, third].map((each) => parseCheckpoint(logOf(each).manifest.checkpoint)!);
  expect(isConsistent(heads[0]!, heads[1]!, proof)).toBe(true);
});

test('an edit of the stars tells both numbers; with another author, date or text it is a removal and an addition', async () => {
  const bad = {
    source_id: '1',
    rating: 1,
    author: 'Zelda Q.',
    text: 'Never again, they broke it.',
  };
  const made = ['2', '3', '4', '5'].map((id) => ({ ...bad, source_id: id }));
  const all = [bad, ...made];
  await merge(
    database,
    all.map((each) => record(each)),
  );
  await publishLog(database);
  const edits = [
    { text: 'Never again, they broke it. Update: they mended it.' },
    { author: 'Happy Hannah' },
    { date: '2024-06-02' },
    { text: 'Lovely people, as always!' },
    // Without other stars, words alone are an edit.
    { rating: 1, text: 'Lovely people, as always!' },
  ];
  await merge(
    database,
    all.map((each, index) => record({ ...each, rating: 5, ...edits[index] })),
    { record: RECORD },
  );
  const after = await publishLog(database, { now: 1_800_000_000 });
  expect(told(after, 6).toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => 'added 5 google'),
    'edited 1 google',
    'edited 5 google',
    'publication',
    ...Array.from({ length: 3 }, () => 'removed 1 google replaced'),
  ]);
  expectHolds(after);
  // In feeds they keep their ids, and are modified, except one that got another date.
  const { items } = JSON.parse(after.documents.get('/api/feed.json')!.body.toString()) as {
    items: { date_modified: string }[];
  };
  const { at } = entriesOf(after).at(-1)!;
  expect(items.filter(({ date_modified }) => date_modified === at)).toHaveLength(4);
  expect(entriesOf(after).at(-1)).toMatchObject({
    removed: { google: [3, 0, 0, 0, 0] },
    edited: [{ count: 1, from: 1, to: 5 }],
  });
  expect(after.manifestDetails?.counts).toMatchObject({
    removed: { total: 3, by_reason: { replaced: 3 } },
    edited: { total: 1, stars: [{ count: 1, from: 1, to: 5 }] },
  });

  // What was replaced is known by its new entries from then on.
  await merge(
    database,
    all.map((each, index) => record({ ...each, ...edits[index], rating: 4 })),
    { record: RECORD },
  );
  const again = await publishLog(database, { now: 1_800_000_001 });
  expect(told(again, 15)).toEqual([
    ...Array.from({ length: 5 }, () => 'edited 4 google'),
    'publication',
  ]);
  expectHolds(again);
});

test('the stars that were published last count, whatever was imported between two publishes', async () => {
  await merge(database, [record(BAD)]);
  await publishLog(database);
  await merge(database, [record({ ...BAD, author: 'Happy Hannah' })], { record: RECORD });
  await merge(database, [record({ ...BAD, author: 'Happy Hannah', rating: 5 })], {
    record: RECORD,
  });
  const after = await publishLog(database);
  expect(told(after, 2)).toEqual(['removed 1 google replaced', 'added 5 google', 'publication']);
  expectHolds(after);
});

test('what is not published is counted as withheld, and logged although no document changes', async () => {
  await merge(database, [record(GOOD)]);
  const before = await publishLog(database);
  await merge(database, [record({ ...BAD, verified: false })]);
  const after = await publishLog(database);
  expect(told(after, 2)).toEqual(['publication']);
  expect(entriesOf(after).at(-1)).toMatchObject({ withheld: { google: [1, 0, 0, 0, 0] } });
  expect([...after.documents.values()].map(({ tag }) => tag)).toEqual(
    [...before.documents.values()].map(({ tag }) => tag),
  );
  expect((await publishLog(database)).number).toBe(after.number);
});

test('a publish without news adds no entry and no snapshot', async () => {
  await merge(database, [record(GOOD)]);
  const { number } = await publishLog(database);
  await requestPublish(database);
  const again = await publishLog(database);
  expect([again.number, logOf(again).size]).toEqual([number, 2]);
});

test('a review that loses its verification, is removed or hidden, says why; one shown again is added', async () => {
  const hidden = { source_id: '3', rating: 3, source: 'yelp' };
  await merge(database, [record(GOOD), record(BAD), record(hidden)]);
  await publishLog(database);
  const idOf = async (stars: number) =>
    (await storedReviews(database)).find(({ rating }) => rating === stars)!.id;
  const [badId, hiddenId] = [await idOf(1), await idOf(3)];
  await merge(database, [record({ ...GOOD, verified: false })]);
  await removeReviews(database, [badId], 'customer_request', ORIGIN);
  await hideReviews(database, [hiddenId], 'court_or_law', ORIGIN);
  const salts = await database.read
    .selectFrom('log_reviews')
    .select('salt')
    .where('review_id', 'in', [badId, hiddenId])
    .execute();
  expect(salts).toEqual([{ salt: null }, { salt: null }]);
  const after = await publishLog(database);
  expect(told(after, 4).toSorted()).toEqual([
    'publication',
    'removed 1 google customer_request',
    'removed 3 yelp court_or_law',
    'removed 5 yelp failed_verification',
  ]);
  expectHolds(after);
  expect(entriesOf(after).at(-1)).toMatchObject({ withheld: { yelp: [0, 0, 1, 0, 1] } });
  expect(await database.read.selectFrom('log_reviews').selectAll().execute()).toEqual([]);

  await showReviews(database, [hiddenId], ORIGIN);
  const again = await publishLog(database);
  expect(told(again, 8)).toEqual(['added 3 yelp', 'publication']);
  expectHolds(again);
});

test('a review that is hidden and shown before the next publish gets a new digest', async () => {
  await merge(database, [record(BAD)]);
  await publishLog(database);
  const [bad] = await storedReviews(database);
  await hideReviews(database, [bad!.id], 'error', ORIGIN);
  await showReviews(database, [bad!.id], ORIGIN);
  const after = await publishLog(database);
  expect(told(after, 2)).toEqual(['edited 1 google', 'publication']);
  expectHolds(after);
});

test('no entry has an author, a text or an id', async () => {
  await merge(database, [record(BAD)]);
  const snapshot = await publishLog(database);
  const [stored] = await storedReviews(database);
  const texts = [0, 1].map((index) => logOf(snapshot).entryAt(index).toString());
  expect(texts.join()).not.toMatch(new RegExp(`Zelda|Never again|${stored!.id}`));
  expect(texts[0]).toContain('"date":"2024-05-17","digest":"');
});

test('the same review imported again after its removal has another digest', async () => {
  await merge(database, [record(BAD)]);
  await publishLog(database);
  await merge(database, [record({ source_id: '3' })], { prune: true });
  await publishLog(database);
  await merge(database, [record(BAD)]);
  const entries = entriesOf(await publishLog(database));
  const digests = entries.flatMap((each) =>
    'digest' in each && each.rating === 1 ? each.digest : [],
  );
  expect(new Set(digests).size).toBe(2);
});

test('two publishers never append to one tree', async () => {
  await merge(database, [record(GOOD)]);
  const snapshot = await publishLog(database);
  const growth = {
    after: 3,
    bundles: [],
    opened: new Map(),
    closed: [],
    example: false,
    isReset: false,
  };
  await expect(appendToLog(database, 'p', { ...growth, before: 1 })).rejects.toThrow(
    'another process appended to the log',
  );
  await expect(appendToLog(database, 'other', { ...growth, before: 2 })).rejects.toThrow(
    'another process took over',
  );
  expect(await loadLogState(database.read)).toMatchObject({ size: logOf(snapshot).size });
});

test('the log of the example business ends with it, and so does its key', async () => {
  await merge(database, [record(GOOD)], { example: true });
  const example = await publishLog(database);
  expect(logOf(example).manifest.example).toBe(true);
  await removeExample(database);
  await merge(database, [record(BAD)]);
  const real = await publishLog(database);
  expect(told(real)).toEqual(['added 1 google', 'publication']);
  expectHolds(real);
  expect(logOf(real).manifest).toMatchObject({ example: false });
  expect(logOf(real).manifest.keys).not.toEqual(logOf(example).manifest.keys);
});

describe('the keys', () => {
  test('are made once, and signed with again', async () => {
    const { keys } = logOf(await publishLog(database)).manifest;
    await merge(database, [record(GOOD)]);
    expect(logOf(await publishLog(database)).manifest.keys).toEqual(keys);
  });

  test('in a file are not in the store, and are readable by their owner only', async () => {
    const logKeyFile = join(store.folder, 'log-key');
    const { keys } = logOf(await publishLog(database)).manifest;
    await merge(database, [record(GOOD)]);
    // Keys of the store move into the file.
    const moved = logOf(await publishLog(database, { logKeyFile })).manifest;
    expect(moved.keys).toEqual(keys);
    expect(await database.read.selectFrom('secrets').selectAll().execute()).toEqual([]);
    expect(JSON.parse(await readFile(logKeyFile, 'utf8'))).toMatchObject({
      signed: { size: moved.size },
      replaces: false,
    });
  });

  test('on a full disk name the disk', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const open = vi.spyOn(promises, 'open').mockRejectedValue(full);
    syncBuiltinESMExports();
    const publishing = publishLog(database, { logKeyFile: join(store.folder, 'log-key') });
    await expect(publishing).rejects.toThrow(/^the disk of .+log-key, or .+ is full: make room$/);
    open.mockRestore();
    syncBuiltinESMExports();
  });

  test('both sign while one replaces the other', async () => {
    await publishLog(database);
    const kept = new KeyStore(database, null);
    const keyring = (await kept.load())!;
    await kept.save({ ...keyring, keys: [...keyring.keys, ...newKeyring().keys] });
    await requestPublish(database);
    const both = await publishLog(database);
    expect(logOf(both).manifest.keys).toHaveLength(2);
    expectHolds(both);
    expect(logOf(both).size).toBe(1);
  });

  test('that are lost stop the publish, until the operator replaces them', async () => {
    const logKeyFile = join(store.folder, 'log-key');
    const { number } = await publishLog(database, { logKeyFile });
    await rm(logKeyFile);
    await merge(database, [record(GOOD)]);
    await expect(publishLog(database, { logKeyFile })).rejects.toThrow(
      /^the key that signed the log is not in .*log-key\. Put it back/,
    );
    expect((await currentSnapshot(database)).number).toBe(number);
    expect(await loadLogState(database.read)).toMatchObject({ size: 1 });
    await new KeyStore(database, logKeyFile).save({ ...newKeyring(), replaces: true });
    expectHolds(await publishLog(database, { logKeyFile }));
    await merge(database, [record(BAD)]);
    expectHolds(await publishLog(database, { logKeyFile }));
  });
});

test('a store restored from an older backup signs no smaller and no other tree', async () => {
  const logKeyFile = join(store.folder, 'log-key');
  await merge(database, [record(GOOD)]);
  await publishLog(database, { logKeyFile });
  const beside = database.fileBeside('-signed') ?? `${logKeyFile}-signed`;
  const remembered = JSON.parse(await readFile(beside, 'utf8')) as object;
  // As if the store were that of an earlier day.
  const remember = (signed: object) =>
    writeFile(beside, JSON.stringify({ ...remembered, ...signed }));
  await remember({ size: 7 });
  await merge(database, [record(BAD)]);
  await expect(publishLog(database, { logKeyFile })).rejects.toThrow(
    'the log in the store has 2 entries, and one with 7 was signed before. Nothing was signed or ' +
      'published. Restore a newer backup',
  );
  await remember({ size: 2, root: Buffer.alloc(32).toString('base64') });
  await expect(publishLog(database, { logKeyFile })).rejects.toThrow(
    'the log in the store has other entries than the one that was signed before',
  );
  expect(await loadLogState(database.read)).toMatchObject({ size: 2 });
  await remember({});
  expectHolds(await publishLog(database, { logKeyFile }));
});

describe('a later publish of one review', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  /** Publishes reviews of one day each, then one more; returns what the second publish hashed and wrote. */
  async function publishOneMore(count: number) {
    const own = await TestStore.create();
    const on = await own.open();
    const dates = Array.from({ length: count }, (_, day) => dateOfDay(15_000 + day));
    await merge(
      on,
      dates.map((date, id) => record({ source_id: `${id}`, date })),
    );
    await publishLog(on);
    const rows = () => on.read.selectFrom('log_bundles').selectAll().execute();
    const before = new Set((await rows()).map(({ hashes }) => Buffer.from(hashes).toString('hex')));
    await merge(on, [record({ source_id: '7', date: dates[7], rating: 1 })]);
    const hash = vi.spyOn(crypto, 'hash');
    syncBuiltinESMExports();
    const next = await publishLog(on);
    const calls = hash.mock.calls.map(([, , encoding]) => encoding);
    hash.mockRestore();
    syncBuiltinESMExports();
    const written = (await rows()).filter(
      ({ hashes }) => !before.has(Buffer.from(hashes).toString('hex')),
    );
    expectHolds(next);
    await own.close();
    return {
      rows: written.length,
      digests: calls.filter((encoding) => encoding === 'base64').length,
      hashes: calls.filter((encoding) => encoding === 'buffer').length,
    };
  }

  test('writes one row and digests that review alone, however long the log is', async () => {
    const [short, long] = [await publishOneMore(300), await publishOneMore(1_324)];
    expect([short.rows, long.rows]).toEqual([1, 1]);
    // Once with the old salt and once with the new one.
    expect([short.digests, long.digests]).toEqual([2, 2]);
    // Both have 46 entries after the last full row of 256: what is hashed for the new row is the same. The 1,024 entries of
    // the four further rows are hashed once, with the nodes above them, to see that they are not damaged.
    expect(long.hashes - short.hashes).toBeLessThan(2 * 1_024 + 32);
  });
});
