// The publish claim, and stored snapshots.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UnavailableError } from '../../src/errors.ts';
import type { Database } from '../../src/store/database.ts';
import {
  claimPublishing,
  ClaimLost,
  deleteUnused,
  loadCurrentManifest,
  releasePublishing,
  renewPublishing,
  saveSnapshot,
  switchSnapshot,
} from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';
import { merge, record, TestStore } from '../support/store.ts';
import { loadStoredSnapshot } from '../support/stored-snapshot.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

/** A snapshot to make current, without changed topics. */
const next = (number: number) => ({ number, changedTopics: [], publishedAtMs: 0 });

function snapshot(number: number, parts: Record<string, Uint8Array>) {
  const names = Object.keys(parts);
  return { number, manifest: JSON.stringify(names), parts: new Map(Object.entries(parts)) };
}

const partsOf = (manifest: string) => JSON.parse(manifest) as string[];

describe('the claim to publish', () => {
  test('has one owner when many processes claim at once', async () => {
    const other = await store.open();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        claimPublishing(index % 2 === 0 ? database : other, `process ${index}`, 1000, 6000),
      ),
    );
    expect(answers.filter(Boolean)).toEqual([true]);
  });

  test('is refused to another process until it expires, then succeeds', async () => {
    expect(await claimPublishing(database, 'first', 1000, 6000)).toBe(true);
    expect(await claimPublishing(database, 'second', 6000, 11_000)).toBe(false);
    expect(await claimPublishing(database, 'second', 6001, 11_001)).toBe(true);
    expect(await claimPublishing(database, 'first', 6002, 11_002)).toBe(false);
  });

  test('lasts longer when renewed', async () => {
    await claimPublishing(database, 'first', 1000, 6000);
    expect(await renewPublishing(database, 'first', 9000)).toBe(true);
    expect(await claimPublishing(database, 'second', 9000, 14_000)).toBe(false);
    expect(await claimPublishing(database, 'second', 9001, 14_001)).toBe(true);
  });

  test('cannot be renewed once lost, even if nobody holds it now', async () => {
    await claimPublishing(database, 'first', 1000, 6000);
    await claimPublishing(database, 'second', 7000, 12_000);
    expect(await renewPublishing(database, 'first', 13_000)).toBe(false);
    await releasePublishing(database, 'second');
    expect(await renewPublishing(database, 'first', 13_000)).toBe(false);
  });

  test('is free at once when released, by its owner only', async () => {
    await claimPublishing(database, 'first', 1000, 6000);
    await releasePublishing(database, 'second');
    expect(await claimPublishing(database, 'second', 1001, 6001)).toBe(false);
    await releasePublishing(database, 'first');
    expect(await claimPublishing(database, 'second', 1001, 6001)).toBe(true);
  });

  test('is invalid if it ends later than a new one could: its clock was ahead', async () => {
    const year = 365 * 86_400_000;
    await claimPublishing(database, 'ahead', 1000 + year, 6000 + year);
    expect(await claimPublishing(database, 'second', 1000, 6000)).toBe(true);
    expect(await renewPublishing(database, 'ahead', 7000 + year)).toBe(false);
  });

  test('of a server whose clock differs by less than a minute is valid', async () => {
    await claimPublishing(database, 'ahead', 61_000, 66_000);
    expect(await claimPublishing(database, 'second', 1000, 6000)).toBe(false);
    expect(await claimPublishing(database, 'second', 999, 5999)).toBe(true);
  });

  test('can be renewed during a merge', async () => {
    await claimPublishing(database, 'first', 1000, 6000);
    await merge(database, [record()]);
    expect(await claimPublishing(database, 'second', 1001, 6001)).toBe(false);
  });
});

describe('a snapshot', () => {
  test('is loaded as stored, with empty, small and multi-chunk parts', async () => {
    const large = new Uint8Array(9 * 1024 * 1024).map((_, index) => index % 251);
    const parts = { none: new Uint8Array(), small: Uint8Array.of(1, 2, 3), large };
    await claimPublishing(database, 'p', 0, 5000);
    await saveSnapshot(database, 'p', snapshot(1, parts));
    expect(await loadStoredSnapshot(database, partsOf)).toBeNull();
    await switchSnapshot(database, 'p', 1, next(1));
    const loaded = await loadStoredSnapshot(database, partsOf);
    expect(loaded?.number).toBe(1);
    expect([...(loaded?.parts.keys() ?? [])]).toEqual(['none', 'small', 'large']);
    for (const [name, bytes] of Object.entries(parts)) {
      expect(Buffer.compare(loaded?.parts.get(name) as Uint8Array, bytes)).toBe(0);
    }
  });

  test('with a missing part is an error that names the part', async () => {
    await claimPublishing(database, 'p', 0, 5000);
    await saveSnapshot(database, 'p', { ...snapshot(1, {}), manifest: '["lost"]' });
    await switchSnapshot(database, 'p', 1, next(1));
    await expect(loadStoredSnapshot(database, partsOf)).rejects.toThrow(
      'the part lost of the published snapshot is missing in the database: restore a backup',
    );
  });

  test.each([
    ['altered', { bytes: Uint8Array.of(1, 2, 4) }],
    ['exchanged for another', { name: 'b' }],
  ])('with a part that was %s in the database is not loaded', async (_how, values) => {
    await claimPublishing(database, 'p', 0, 5000);
    await saveSnapshot(database, 'p', snapshot(1, { a: Uint8Array.of(1, 2, 3) }));
    await switchSnapshot(database, 'p', 1, next(1));
    await database.read.updateTable('snapshot_parts').set(values).execute();
    const name = 'name' in values ? values.name : 'a';
    const loading = loadStoredSnapshot(database, () => [name]);
    await expect(loading).rejects.toThrow(UnavailableError);
    await expect(loading).rejects.toThrow(/^the part \w of the published snapshot was altered/);
  });

  test('of an earlier version without hashes is loaded', async () => {
    await claimPublishing(database, 'p', 0, 5000);
    await saveSnapshot(database, 'p', snapshot(1, { a: Uint8Array.of(1, 2, 3) }));
    await switchSnapshot(database, 'p', 1, next(1));
    await database.read.updateTable('snapshot_parts').set({ hash: null }).execute();
    expect((await loadStoredSnapshot(database, partsOf))?.parts.get('a')).toHaveLength(3);
  });

  test('can be recorded as up to date without a new one', async () => {
    await claimPublishing(database, 'p', 0, 5000);
    await saveSnapshot(database, 'p', snapshot(1, {}));
    await switchSnapshot(database, 'p', 1, next(1));
    await switchSnapshot(database, 'p', 5, null);
    expect(await loadState(database.read)).toMatchObject({
      snapshotNumber: 1,
      publishedVersion: 5,
    });
  });

  test('cleanup keeps only the current manifest and used parts', async () => {
    await claimPublishing(database, 'p', 0, 5000);
    await saveSnapshot(database, 'p', snapshot(1, { kept: Uint8Array.of(1) }));
    await switchSnapshot(database, 'p', 1, next(1));
    await saveSnapshot(database, 'p', snapshot(2, { left: new Uint8Array(5 * 1024 * 1024) }));
    await deleteUnused(database, 'p', new Set(['kept']));
    const names = await database.read.selectFrom('snapshot_parts').select('name').execute();
    expect(names).toEqual([{ name: 'kept' }]);
    const numbers = await database.read.selectFrom('snapshots').select('number').execute();
    expect(numbers).toEqual([{ number: 1 }]);
    expect(await loadCurrentManifest(database.read)).toBe('["kept"]');
  });
});

describe('a publish process that lost its claim', () => {
  beforeEach(async () => {
    await claimPublishing(database, 'slow', 0, 5000);
    await saveSnapshot(database, 'slow', snapshot(1, { part: Uint8Array.of(1) }));
    await claimPublishing(database, 'other', 6000, 11_000);
  });

  test.each([
    ['stores no part', () => saveSnapshot(database, 'slow', snapshot(2, { b: Uint8Array.of(2) }))],
    ['stores no manifest', () => saveSnapshot(database, 'slow', snapshot(2, {}))],
    ['makes no snapshot the current one', () => switchSnapshot(database, 'slow', 1, next(1))],
    ['declares nothing published', () => switchSnapshot(database, 'slow', 1, null)],
    ['deletes nothing', () => deleteUnused(database, 'slow', new Set())],
  ])('%s', async (_, act) => {
    await expect(act()).rejects.toThrow(ClaimLost);
    const names = await database.read.selectFrom('snapshot_parts').select('name').execute();
    expect(names).toEqual([{ name: 'part' }]);
    const numbers = await database.read.selectFrom('snapshots').select('number').execute();
    expect(numbers).toEqual([{ number: 1 }]);
    expect(await loadState(database.read)).toMatchObject({
      publishedVersion: 0,
      snapshotNumber: null,
    });
  });
});
