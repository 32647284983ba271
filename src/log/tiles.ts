// Tiles of a log (https://c2sp.org/tlog-tiles): the tree as files of 256 hashes, the entries as bundles of
// 256 entries, and their paths.

import { HASH_BYTES, type Hash, type HashSource, nodeHash } from './merkle.ts';

/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;
/** The longest entry, in bytes: its length is 16 bits. */
export const LONGEST_ENTRY = 0xffff;

/** A tile: its level, or `entries` for a bundle; its index there; and its hashes or entries. */
interface TileName {
  readonly level: number | 'entries';
  readonly index: number;
  readonly width: number;
}

const TILE_NAME = /^(entries|\d{1,2})\/((?:x\d{3}\/)*)(\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The path of a tile below `tile/`, such as `0/x001/234.p/56`. */
export function tilePath({ level, index, width }: TileName): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const groups = padded.match(/.{3}/g) as string[];
  const folders = groups.slice(0, -1).map((group) => `x${group}/`);
  const partial = width < TILE_WIDTH ? `.p/${width}` : '';
  return `${level}/${folders.join('')}${groups.at(-1) as string}${partial}`;
}

/** The tile of a path below `tile/`; null if it is not the one spelling of a tile. */
export function parseTilePath(path: string): TileName | null {
  const [, level = '', folders = '', last = '', width] = TILE_NAME.exec(path) ?? [];
  if (level === '') return null;
  const name: TileName = {
    level: level === 'entries' ? level : Number(level),
    index: Number(folders.replaceAll(/[x/]/g, '') + last),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  return tilePath(name) === path && Number(name.level !== 'entries' && name.level) < 64
    ? name
    : null;
}

/** Every tile of a tree of this size, the bundles of entries included. */
export function* tilesOf(size: number): Generator<TileName> {
  for (const name of rowOf('entries', size)) yield name;
  let level = 0;
  for (let count = size; count > 0; count = Math.floor(count / TILE_WIDTH)) {
    yield* rowOf(level, count);
    level += 1;
  }
}

function* rowOf(level: TileName['level'], count: number): Generator<TileName> {
  for (let index = 0; index * TILE_WIDTH < count; index++) {
    yield { level, index, width: Math.min(TILE_WIDTH, count - index * TILE_WIDTH) };
  }
}

/** A tree in memory: the hashes of its leaves, and of every complete subtree of 256, 256**2, ... leaves. */
export class TileTree implements HashSource {
  readonly size: number;
  /** Concatenated hashes; `#levels[1]` are the roots of the full tiles of `#levels[0]`, and so on. */
  readonly #levels: Uint8Array[];

  /** `roots`, if they are known, are the roots of the full tiles of leaves. */
  constructor(leaves: Uint8Array, roots?: Uint8Array) {
    this.size = leaves.length / HASH_BYTES;
    this.#levels = [leaves];
    let above = roots ?? rootsOf(leaves);
    while (above.length > 0) {
      this.#levels.push(above);
      above = rootsOf(above);
    }
  }

  /** The root of a complete subtree. @throws {RangeError} if there is none. */
  subtree(height: number, index: number): Hash {
    const level = Math.floor(height / TILE_HEIGHT);
    const width = 2 ** (height % TILE_HEIGHT);
    const hashes = this.#levels[level] ?? new Uint8Array();
    const start = index * width * HASH_BYTES;
    const bytes = hashes.subarray(start, start + width * HASH_BYTES);
    if (bytes.length < width * HASH_BYTES) {
      throw new RangeError(`the tree has no complete subtree ${index} of height ${height}`);
    }
    return completeRoot(bytes);
  }

  /** The hashes of a tile; null if the tree has not that many. */
  tile({ level, index, width }: TileName & { readonly level: number }): Uint8Array | null {
    const hashes = this.#levels[level] ?? new Uint8Array();
    const start = index * TILE_WIDTH * HASH_BYTES;
    const end = start + width * HASH_BYTES;
    return end <= hashes.length ? hashes.subarray(start, end) : null;
  }
}

/** The roots of the full tiles of concatenated hashes. */
export function rootsOf(hashes: Uint8Array): Uint8Array {
  const tileBytes = TILE_WIDTH * HASH_BYTES;
  const count = Math.floor(hashes.length / tileBytes);
  const roots = new Uint8Array(count * HASH_BYTES);
  for (let tile = 0; tile < count; tile++) {
    const root = completeRoot(hashes.subarray(tile * tileBytes, (tile + 1) * tileBytes));
    roots.set(root, tile * HASH_BYTES);
  }
  return roots;
}

/** The root of concatenated hashes whose number is a power of two. */
function completeRoot(hashes: Uint8Array): Hash {
  if (hashes.length === HASH_BYTES) return hashes;
  const middle = hashes.length / 2;
  return nodeHash(completeRoot(hashes.subarray(0, middle)), completeRoot(hashes.subarray(middle)));
}

/**
 * Entries as a bundle: each with its length before it, in 16 bits, big-endian.
 *
 * @throws {RangeError} if an entry is too long.
 */
export function encodeBundle(entries: readonly Uint8Array[]): Buffer {
  const pieces = entries.flatMap((entry) => {
    if (entry.length > LONGEST_ENTRY) throw new RangeError('the entry is longer than 65,535 bytes');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(entry.length);
    return [length, entry];
  });
  return Buffer.concat(pieces);
}

/** The entries of a bundle, without copies; null if a length does not fit. */
export function decodeBundle(bundle: Uint8Array): Buffer[] | null {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.length);
  const entries: Buffer[] = [];
  for (let offset = 0; offset < bytes.length;) {
    if (offset + 2 > bytes.length) return null;
    const start = offset + 2;
    offset = start + bytes.readUInt16BE(offset);
    if (offset > bytes.length) return null;
    entries.push(bytes.subarray(start, offset));
  }
  return entries;
}
