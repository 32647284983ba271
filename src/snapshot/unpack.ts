// A stored snapshot, decompressed into memory that can be transferred to another thread.

import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { PackedLog } from '../log/bundles.ts';
import { packSections, unpackSections } from '../model/bytes.ts';
import { copyToMemory } from '../search/text-scan.ts';
import { DOCUMENT_PATHS, type DocumentPath, ENCODINGS, type Encoding } from './documents.ts';
import { type Manifest, partName } from './manifest.ts';
import type { LoadedLog } from './published-log.ts';

/** A decompressed snapshot in memory that can be transferred to another thread. */
export interface LoadedSnapshot {
  readonly manifest: Manifest;
  readonly bodies: ReadonlyMap<string, Uint8Array>;
  readonly index: WebAssembly.Memory;
  /** Null in snapshots of earlier versions. */
  readonly log: LoadedLog | null;
}

/** Decompresses the parts of a stored snapshot in parallel. @throws if a part is missing or damaged */
export async function unpackSnapshot(
  manifest: Manifest,
  parts: ReadonlyMap<string, Uint8Array>,
  packedLog: PackedLog | null = null,
): Promise<LoadedSnapshot> {
  const partOf = (path: DocumentPath, form: Encoding | 'blocks') =>
    requirePart(parts, partName(manifest.documents[path], form));
  const formsOf = (path: DocumentPath) =>
    manifest.documents[path].blocks ? ([...ENCODINGS, 'blocks'] as const) : ENCODINGS;
  const compressed = copyTogether(
    Object.fromEntries(
      DOCUMENT_PATHS.flatMap((path) =>
        formsOf(path).map((form) => [`${path} ${form}`, partOf(path, form)] as const),
      ),
    ),
  );
  const plain = DOCUMENT_PATHS.filter((path) => !manifest.documents[path].blocks).map(
    async (path) =>
      [path, await unpack(partOf(path, 'zstd'), manifest.documents[path].bytes)] as const,
  );
  const packed = await unpack(requirePart(parts, manifest.index), manifest.indexBytes);
  const index = copyToMemory(packed);
  let log: LoadedLog | null = null;
  if (manifest.log && packedLog) {
    const openings = await unpack(requirePart(parts, manifest.log.part));
    const { openings: kept, ...rest } = copyTogether({ ...packedLog, openings });
    log = { packed: rest, openings: kept };
  }
  const bodies = new Map([...Object.entries(compressed), ...(await Promise.all(plain))]);
  return { manifest, bodies, index, log };
}

/**
 * Copies arrays into one shared memory, which the system gives and takes back as a whole: of arrays that are
 * allocated and freed one by one, the allocator of a thread keeps a part after they are gone.
 */
function copyTogether<Arrays extends Parameters<typeof packSections>[0]>(arrays: Arrays): Arrays {
  const copies = packSections(arrays, (bytes) => new SharedArrayBuffer(bytes));
  return Object.fromEntries(unpackSections(copies)) as unknown as Arrays;
}

/** @throws if the part is missing */
export function requirePart(parts: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const part = parts.get(name);
  if (!part) throw new Error(`part ${name} of the snapshot is missing`);
  return part;
}

/** The chunk size if the decompressed size is unknown. */
const DEFAULT_CHUNK_BYTES = 1024 * 1024;
/** zlib refuses smaller chunks. */
const MIN_CHUNK_BYTES = 64;

/** With a chunk of exactly its size, the result need not be assembled from pieces. */
async function unpack(bytes: Uint8Array, length = DEFAULT_CHUNK_BYTES): Promise<Uint8Array> {
  const chunkSize = Math.max(length, MIN_CHUNK_BYTES);
  const unpacked = await promisify(zstdDecompress)(bytes, { chunkSize });
  // A small buffer shares its memory with others, which must not be transferred with it.
  return unpacked.buffer.byteLength === unpacked.length ? unpacked : Uint8Array.from(unpacked);
}
