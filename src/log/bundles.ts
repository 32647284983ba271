// The stored form of a log: a row for each 256 entries, and all rows packed into a few arrays.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { HASH_BYTES, leafHash } from './merkle.ts';
import { decodeBundle, encodeBundle, rootsOf, TILE_WIDTH, TileTree } from './tiles.ts';

/** Up to 256 consecutive entries, and their hashes. */
export interface Bundle {
  /** The first has number 0. */
  readonly number: number;
  /** How many entries it has. */
  readonly width: number;
  /** The entries, each with its length, compressed with zstd. */
  readonly entries: Uint8Array;
  /** The hashes of the entries. */
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

/** A whole log in a few arrays that can be transferred to another thread. */
export interface PackedLog {
  /** Where the compressed entries of each bundle end. */
  readonly ends: Uint32Array;
  readonly entries: Uint8Array;
  readonly hashes: Uint8Array;
  /** The roots of full bundles. */
  readonly roots: Uint8Array;
}

/** Packs the first `size` entries. @throws if there are fewer */
export function packLog(bundles: readonly Bundle[], size: number): PackedLog {
  const used = cutTo(bundles, size);
  const ends = new Uint32Array(used.length);
  let end = 0;
  for (const [index, { entries }] of used.entries()) ends[index] = end += entries.length;
  return {
    ends,
    entries: concat(used.map(({ entries }) => entries)),
    hashes: concat(used.map(({ hashes }) => hashes)),
    roots: concat(used.flatMap(({ root }) => (root === null ? [] : [root]))),
  };
}

/** The tree of bundles. */
export function treeOf(bundles: readonly Bundle[]): TileTree {
  const { hashes, roots } = packLog(
    bundles,
    bundles.reduce((sum, { width }) => sum + width, 0),
  );
  return new TileTree(hashes, roots);
}

/** The log may be ahead of the snapshot, if a publish was killed between the two. */
function cutTo(bundles: readonly Bundle[], size: number): Bundle[] {
  const used: Bundle[] = [];
  let left = size;
  for (const [index, bundle] of bundles.entries()) {
    if (bundle.number !== index) throw new Error(`bundle ${index} of the log is missing`);
    if (left === 0) break;
    const width = Math.min(bundle.width, left);
    used.push(width === bundle.width ? bundle : cut(bundle, width));
    left -= width;
  }
  if (left > 0) throw new Error(`the last ${left} of ${size} entries of the log are missing`);
  return used;
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

/** An array with memory of its own, which can be transferred. */
function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
