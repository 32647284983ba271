// A large body in compressed blocks: ranges of it can be read without decompressing the whole, and it can be
// sent block by block.

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { packSections, unpackSections } from '../model/bytes.ts';

/** Larger blocks compress better, smaller ones are faster to read. */
const BLOCK_BYTES = 128 * 1024;
/** Decompressed blocks that are kept. */
const KEPT = 8;

/** Compresses a body, to be stored and read by `BlockBody`. */
export function packBlocks(body: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let start = 0; start < body.length; start += BLOCK_BYTES) {
    blocks.push(
      zstdCompressSync(body.subarray(start, start + BLOCK_BYTES), {
        params: { [constants.ZSTD_c_compressionLevel]: 3 },
      }),
    );
  }
  const ends = new Uint32Array(blocks.length);
  let end = 0;
  for (const [index, { length }] of blocks.entries()) ends[index] = end += length;
  return packSections({ ends, bytes: Buffer.concat(blocks), length: Uint32Array.of(body.length) });
}

export class BlockBody implements Iterable<Buffer> {
  readonly length: number;
  readonly #bytes: Uint8Array;
  readonly #ends: Uint32Array;
  readonly #kept = new LRUCache<number, Buffer>({ max: KEPT });

  constructor(packed: Uint8Array) {
    const sections = unpackSections(packed);
    this.#bytes = sections.get('bytes') as Uint8Array;
    this.#ends = sections.get('ends') as Uint32Array;
    this.length = (sections.get('length') as Uint32Array)[0] as number;
  }

  read(start: number, end: number): Buffer {
    const pieces: Buffer[] = [];
    for (let number = Math.floor(start / BLOCK_BYTES); number * BLOCK_BYTES < end; number++) {
      const first = number * BLOCK_BYTES;
      pieces.push(this.#block(number).subarray(Math.max(start - first, 0), end - first));
    }
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  }

  /** All bytes; each block is decompressed when it is needed. */
  *[Symbol.iterator](): Generator<Buffer> {
    for (let number = 0; number < this.#ends.length; number++) yield this.#decompress(number);
  }

  toString(): string {
    return Buffer.concat([...this]).toString();
  }

  #block(number: number): Buffer {
    const block = this.#kept.get(number) ?? this.#decompress(number);
    this.#kept.set(number, block);
    return block;
  }

  #decompress(number: number): Buffer {
    const block = this.#bytes.subarray(this.#ends[number - 1] ?? 0, this.#ends[number]);
    return zstdDecompressSync(block, { chunkSize: BLOCK_BYTES });
  }
}
