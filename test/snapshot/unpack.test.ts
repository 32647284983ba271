// Decompressing a stored snapshot, with and without known sizes.

import { expect, test } from 'vitest';
import { appendEntries, type Bundle, treeOf } from '../../src/log/bundles.ts';
import { rootOf } from '../../src/log/merkle.ts';
import { packSections } from '../../src/model/bytes.ts';
import { compress, DOCUMENT_PATHS } from '../../src/snapshot/documents.ts';
import type { LogManifest, Manifest } from '../../src/snapshot/manifest.ts';
import { type LoadedLog, PublishedLog } from '../../src/snapshot/published-log.ts';
import { unpackSnapshot } from '../../src/snapshot/unpack.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { Press, readerOf } from '../support/snapshot.ts';

const unpacked = async (press: Press, manifest: Manifest) => {
  const { bodies, memory, indexAt } = await unpackSnapshot(manifest, readerOf(press.parts));
  return new Map(
    [...bodies, ['index', new Uint8Array(memory.buffer, indexAt)] as const].map(([name, bytes]) => [
      name,
      Buffer.from(bytes),
    ]),
  );
};

test('a manifest has the right sizes, and without them the result is the same', async () => {
  const press = new Press();
  await press.publish(REVIEWS, { insights: INSIGHTS });
  const manifest = press.manifest as Manifest;
  const bodies = await unpacked(press, manifest);
  for (const path of DOCUMENT_PATHS) {
    expect(manifest.documents[path].bytes).toBe(bodies.get(path)?.length);
  }
  // It lies in whole pages.
  expect(manifest.indexBytes).toBeGreaterThan((bodies.get('index')?.length ?? 0) - 65_536);
  expect(manifest.indexBytes).toBeLessThanOrEqual(bodies.get('index')?.length ?? 0);
  // As an earlier version wrote it.
  const older = JSON.parse(
    JSON.stringify(manifest, (key, value: unknown) =>
      key === 'bytes' || key === 'indexBytes' ? undefined : value,
    ),
  ) as Manifest;
  expect(older.documents['/reviews.json'].bytes).toBeUndefined();
  expect(await unpacked(press, older)).toEqual(bodies);
});

const ENTRIES = Array.from({ length: 600 }, (_, index) => Buffer.from(`entry ${index}`));

/** Unpacks a snapshot whose log has so many of these entries. */
async function unpackLog(bundles: Iterable<Bundle>, size: number): Promise<PublishedLog> {
  const press = new Press();
  await press.publish(REVIEWS, { insights: INSIGHTS });
  const none = new Uint32Array();
  const openings = packSections({ first: none, last: none, salts: new Uint8Array() });
  press.parts.set('log', await compress(openings, 'zstd'));
  const log = { size, part: 'log' } as LogManifest;
  const manifest = { ...(press.manifest as Manifest), log };
  const { log: loaded } = await unpackSnapshot(manifest, readerOf(press.parts), bundles);
  return new PublishedLog(log, loaded as LoadedLog);
}

test.each([1, 256, 300, 512, 600])('a log has the first %i entries of the store', async (size) => {
  const log = await unpackLog(appendEntries(null, ENTRIES), size);
  expect(log.tree.size).toBe(size);
  const tree = treeOf(appendEntries(null, ENTRIES.slice(0, size)));
  expect(Buffer.from(rootOf(log.tree))).toEqual(Buffer.from(rootOf(tree)));
  for (const index of [0, 255, 256, size - 1].filter((each) => each < size)) {
    expect(log.entryAt(index)).toEqual(ENTRIES[index]);
  }
});

test('entries of a log that are missing are an error', async () => {
  const bundles = appendEntries(null, ENTRIES);
  await expect(unpackLog(bundles.slice(0, 2), 600)).rejects.toThrow('the last 88 of 600 entries');
  await expect(unpackLog(bundles.slice(1), 300)).rejects.toThrow('bundle 0 of the log is missing');
});

test('each bundle of a log is freed before the next is read', async () => {
  let before: Bundle | null = null;
  function* read() {
    for (const bundle of appendEntries(null, ENTRIES)) {
      expect(before?.entries.buffer.byteLength ?? 0).toBe(0);
      expect(before?.hashes.buffer.byteLength ?? 0).toBe(0);
      // As the store reads them: each in a buffer of its own.
      const [entries, hashes] = [Uint8Array.from(bundle.entries), Uint8Array.from(bundle.hashes)];
      before = { ...bundle, entries, hashes };
      yield before;
    }
  }
  await unpackLog(read(), ENTRIES.length);
});
