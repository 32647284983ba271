// The log of a snapshot in memory: its tiles and entries as they are served, and proofs of reviews.

import { zstdDecompressSync } from 'node:zlib';
import { unpackSections } from '../model/bytes.ts';
import type { PackedLog } from '../log/bundles.ts';
import { SALT_BYTES } from '../log/canonical.ts';
import { HASH_BYTES, inclusionProof } from '../log/merkle.ts';
import { decodeBundle, encodeBundle, parseTilePath, TILE_WIDTH, TileTree } from '../log/tiles.ts';
import type { LogManifest } from './manifest.ts';

export interface LoadedLog {
  readonly packed: PackedLog;
  /** The openings of the reviews, in the order of the snapshot. */
  readonly openings: Uint8Array;
}

export class PublishedLog {
  readonly manifest: LogManifest;
  readonly #packed: PackedLog;
  readonly tree: TileTree;
  readonly #first: Uint32Array;
  readonly #last: Uint32Array;
  readonly #salts: Uint8Array;

  constructor(manifest: LogManifest, { packed, openings }: LoadedLog) {
    this.manifest = manifest;
    this.#packed = packed;
    this.tree = new TileTree(packed.hashes, packed.roots);
    const sections = unpackSections(openings);
    this.#first = sections.get('first') as Uint32Array;
    this.#last = sections.get('last') as Uint32Array;
    this.#salts = sections.get('salts') as Uint8Array;
  }

  /** Entries. */
  get size(): number {
    return this.manifest.size;
  }

  /** The tile or the bundle of entries at a path below `tile/`; null if there is none. */
  file(path: string): Uint8Array | null {
    const name = parseTilePath(path);
    if (!name) return null;
    const { level, index, width } = name;
    const hashes = this.tree.tile({ level: level === 'entries' ? 0 : level, index, width });
    if (!hashes || level !== 'entries') return hashes;
    const bundle = zstdDecompressSync(this.#compressed(index));
    const isWhole = Math.min(TILE_WIDTH, this.size - index * TILE_WIDTH) === width;
    return isWhole ? bundle : encodeBundle((decodeBundle(bundle) as Buffer[]).slice(0, width));
  }

  #compressed(bundle: number): Uint8Array {
    const { ends, entries } = this.#packed;
    return entries.subarray(bundle === 0 ? 0 : ends[bundle - 1], ends[bundle]);
  }

  entryAt(index: number): Buffer {
    const bundle = Math.floor(index / TILE_WIDTH);
    const entries = decodeBundle(zstdDecompressSync(this.#compressed(bundle))) as Buffer[];
    return entries[index % TILE_WIDTH] as Buffer;
  }

  /** The index of the newest entry of the review at a position, and the salt of its digest in base64. */
  openingAt(position: number): { readonly index: number; readonly salt: string } {
    const salt = this.#salts.subarray(position * SALT_BYTES, (position + 1) * SALT_BYTES);
    return { index: this.#last[position] as number, salt: Buffer.from(salt).toString('base64') };
  }

  /** The index of the entry that added the review at a position. */
  firstEntryAt(position: number): number {
    return this.#first[position] as number;
  }

  /** The hash of an entry, and the proof that it is in the tree; in base64. */
  proofOf(index: number): { readonly leaf: string; readonly proof: string[] } {
    const { hashes } = this.#packed;
    const hash = hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
    return {
      leaf: Buffer.from(hash).toString('base64'),
      proof: inclusionProof(this.tree, index).map((each) => Buffer.from(each).toString('base64')),
    };
  }
}
