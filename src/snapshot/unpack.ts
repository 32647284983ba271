// A stored snapshot, decompressed into memory that threads share. It is read chunk by chunk, so that loading
// takes little more memory than what is loaded.

import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createZstdDecompress } from 'node:zlib';
import { type Bundle, bundlesUntil, type PackedLog } from '../log/bundles.ts';
import { HASH_BYTES } from '../log/merkle.ts';
import { TILE_WIDTH } from '../log/tiles.ts';
import { ROUTES } from '../model/routes.ts';
import { type Range, SharedMemory } from '../search/shared-memory.ts';
import { DOCUMENT_PATHS, ENCODINGS } from './documents.ts';
import { type Manifest, partName } from './manifest.ts';
import type { LoadedLog } from './published-log.ts';

/** A decompressed snapshot in memory that threads share. */
export interface LoadedSnapshot {
  readonly manifest: Manifest;
  readonly bodies: ReadonlyMap<string, Uint8Array>;
  /** The body of `/reviews.json`, and after it, at a multiple of eight, the index. */
  readonly memory: WebAssembly.Memory;
  readonly indexAt: number;
  /** Null in snapshots of earlier versions. */
  readonly log: LoadedLog | null;
}

/** Decompressed at a time. */
const PIECE_BYTES = 64 * 1024;

/**
 * Reads the bytes of a part in order. A chunk with a buffer of its own is freed when it is unpacked.
 *
 * @throws if the part is missing or damaged
 */
export type PartReader = (name: string) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Unpacks a stored snapshot; `bundles` is the log. @throws if a part is missing or damaged */
export async function unpackSnapshot(
  manifest: Manifest,
  read: PartReader,
  bundles: Iterable<Bundle> | AsyncIterable<Bundle> | null = null,
): Promise<LoadedSnapshot> {
  const dataset = manifest.documents[ROUTES.getReviews.path];
  const searched = new SharedMemory();
  await unpackInto(searched, read(partName(dataset, 'zstd')), dataset.bytes);
  const datasetBytes = searched.length;
  const indexAt = searched.align();
  await unpackInto(searched, read(manifest.index), manifest.indexBytes);
  const stored = new SharedMemory();
  const ranges = new Map<string, Range>();
  for (const path of DOCUMENT_PATHS) {
    const document = manifest.documents[path];
    for (const form of document.blocks ? ([...ENCODINGS, 'blocks'] as const) : ENCODINGS) {
      const name = `${path} ${form}`;
      ranges.set(name, await stored.place(() => copyInto(stored, read(partName(document, form)))));
    }
    if (document.blocks || document === dataset) continue;
    const unpacked = () => unpackInto(stored, read(partName(document, 'zstd')), document.bytes);
    ranges.set(path, await stored.place(unpacked));
  }
  let log: LoadedLog | null = null;
  if (manifest.log && bundles) {
    const { size, part } = manifest.log;
    const packed = await packLog(stored, bundlesUntil(bundles, size), size);
    const openings = () => unpackInto(stored, read(part));
    log = { packed, openings: stored.view(await stored.place(openings)) };
  }
  const bodies = new Map([...ranges].map(([name, range]) => [name, stored.view(range)]));
  bodies.set(ROUTES.getReviews.path, searched.view([0, datasetBytes]));
  return { manifest, bodies, memory: searched.memory, indexAt, log };
}

/** Copies the bundles of the first `size` entries into the memory one by one. */
async function packLog(
  memory: SharedMemory,
  bundles: AsyncIterable<Bundle>,
  size: number,
): Promise<PackedLog> {
  const reserve = async (bytes: number) =>
    memory.view(await memory.place(() => memory.skip(bytes)));
  const count = Math.ceil(size / TILE_WIDTH);
  const endBytes = await reserve(count * Uint32Array.BYTES_PER_ELEMENT);
  const ends = new Uint32Array(endBytes.buffer, endBytes.byteOffset, count);
  const hashes = await reserve(size * HASH_BYTES);
  const roots = await reserve(Math.floor(size / TILE_WIDTH) * HASH_BYTES);
  const start = memory.align();
  for await (const bundle of bundles) {
    const { number } = bundle;
    hashes.set(bundle.hashes, number * TILE_WIDTH * HASH_BYTES);
    if (bundle.root) roots.set(bundle.root, number * HASH_BYTES);
    memory.append(bundle.entries);
    ends[number] = memory.length - start;
    release(bundle.hashes);
    release(bundle.entries);
  }
  return { ends, hashes, roots, entries: memory.view([start, memory.length]) };
}

async function copyInto(memory: SharedMemory, chunks: ReturnType<PartReader>): Promise<void> {
  for await (const chunk of chunks) {
    memory.append(chunk);
    release(chunk);
  }
}

/** @throws if the part is missing */
export function requirePart(parts: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const part = parts.get(name);
  if (!part) throw new Error(`part ${name} of the snapshot is missing`);
  return part;
}

/** Decompresses a part in pieces; `length` in bytes if it is known. */
async function unpackInto(
  memory: SharedMemory,
  compressed: ReturnType<PartReader>,
  length = 0,
): Promise<void> {
  memory.reserve(length);
  const unzip = createZstdDecompress({ chunkSize: PIECE_BYTES });
  unzip.on('data', (piece: Buffer) => {
    memory.append(piece);
    // Pieces share a buffer until it is full.
    const { buffer, byteOffset, length: bytes } = piece;
    if (byteOffset + bytes === buffer.byteLength) release(new Uint8Array(buffer));
  });
  const ended = finished(unzip);
  // Awaited below; until then `write` reports a failure.
  ended.catch(() => undefined);
  const write = promisify((chunk: Uint8Array, done: (error?: Error | null) => void) => {
    unzip.write(chunk, done);
  });
  for await (const chunk of compressed) {
    await write(chunk);
    release(chunk);
  }
  unzip.end();
  await ended;
}

/**
 * Frees the memory of bytes that are used up, if nothing else is in their buffer. V8 would free them only
 * when malloc already keeps some 50 MiB of the thread's memory.
 */
function release({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
