// The stored form of a log: a row for each 256 entries, and all rows packed into a few arrays.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { HASH_BYTES, isEqual, leafHash } from './merkle.ts';
import { decodeBundle, encodeBundle, rootsOf, TILE_WIDTH, TileTree } from './tiles.ts';

/** Up to 256 consecutive entries, and their hashes. */
export interface Bundle {
  /** The first has number 0. */
  readonly number: number;
  /** How many entries it has. */
  readonly width: number;
  /** The entries, each with its length, compressed with zstd. */
  readonly entries: Uint8Array;
  readonly hashes: Uint8Array;
  /** The root of a full bundle; null of others. */
  readonly root: Uint8Array | null;
}

/** The entries of a bundle. @throws if it is damaged */
export function readBundle({ number, width, entries }: Bundle): Buffer[] {
  const decoded = decodeBundle(zstdDecompressSync(entries));
  if (decoded?.length !== width) throw new Error(`bundle ${number} of the log is damaged`);
  return decoded;
}

/** Whether the entries of a bundle have its hashes, and the hashes its root. */
export function isWhole(bundle: Bundle): boolean {
  const { width, hashes, root } = bundle;
  let entries: readonly Buffer[];
  try {
    entries = readBundle(bundle);
  } catch {
    return false;
  }
  return (
    isEqual(Buffer.concat(entries.map(leafHash)), hashes) &&
    (width < TILE_WIDTH ? root === null : root !== null && isEqual(rootsOf(hashes), root))
  );
}

/** The bundles that change when entries are appended to a log; `last` is its last bundle. */
export function appendEntries(last: Bundle | null, entries: readonly Buffer[]): Bundle[] {
  const isOpen = last !== null && last.width < TILE_WIDTH;
  const kept = isOpen ? readBundle(last) : [];
  const all = [...kept, ...entries];
  const first = last === null ? 0 : last.number + (isOpen ? 0 : 1);
  const bundles: Bundle[] = [];
  for (let start = 0; start < all.length; start += TILE_WIDTH) {
    const some = all.slice(start, start + TILE_WIDTH);
    const known = start === 0 && isOpen ? last.hashes : new Uint8Array();
    const fresh = some.slice(known.length / HASH_BYTES).map(leafHash);
    const hashes = Buffer.concat([known, ...fresh]);
    bundles.push({
      number: first + start / TILE_WIDTH,
      width: some.length,
      entries: zstdCompressSync(encodeBundle(some)),
      hashes,
      root: some.length === TILE_WIDTH ? rootsOf(hashes) : null,
    });
  }
  return bundles;
}

/** Bundles with those of the same numbers replaced by newer ones, and further ones added. */
export function withNewer(bundles: readonly Bundle[], newer: readonly Bundle[]): Bundle[] {
  const first = newer[0]?.number ?? bundles.length;
  return [...bundles.slice(0, first), ...newer];
}

/** A whole log in a few arrays. */
export interface PackedLog {
  /** Where the compressed entries of each bundle end. */
  readonly ends: Uint32Array;
  readonly entries: Uint8Array;
  readonly hashes: Uint8Array;
  readonly roots: Uint8Array;
}

export function treeOf(bundles: readonly Bundle[]): TileTree {
  for (const [index, { number }] of bundles.entries()) assertNumber(number, index);
  return new TileTree(
    Buffer.concat(bundles.map(({ hashes }) => hashes)),
    Buffer.concat(bundles.flatMap(({ root }) => root ?? [])),
  );
}

/**
 * The bundles of the first `size` entries. The log may be ahead of the snapshot, if a publish was killed
 * between the two.
 *
 * @throws if there are fewer entries
 */
export async function* bundlesUntil(
  bundles: Iterable<Bundle> | AsyncIterable<Bundle>,
  size: number,
): AsyncGenerator<Bundle> {
  let [index, left] = [0, size];
  for await (const bundle of bundles) {
    if (left === 0) return;
    assertNumber(bundle.number, index);
    const width = Math.min(bundle.width, left);
    yield width === bundle.width ? bundle : cut(bundle, width);
    index += 1;
    left -= width;
  }
  if (left > 0) throw new Error(`the last ${left} of ${size} entries of the log are missing`);
}

function assertNumber(number: number, expected: number): void {
  if (number !== expected) throw new Error(`bundle ${expected} of the log is missing`);
}

function cut(bundle: Bundle, width: number): Bundle {
  const entries = zstdCompressSync(encodeBundle(readBundle(bundle).slice(0, width)));
  return {
    ...bundle,
    width,
    entries,
    hashes: bundle.hashes.slice(0, width * HASH_BYTES),
    root: null,
  };
}
