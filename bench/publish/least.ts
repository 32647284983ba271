// A process of its own that does the least that such data takes: what a publish and a start are measured
// against.

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type Manifest, partName, partsOf } from '../../src/snapshot/manifest.ts';
import { Database } from '../../src/store/database.ts';
import { loadCurrentSnapshot } from '../../src/store/snapshots.ts';
import { answerQuestions } from '../companion.ts';
import { measure, type Took } from './took.ts';

export interface Least {
  /** Reading what is stored of a snapshot, and decompressing what is served of it. */
  readonly unpack: Took;
  /** JSON.stringify and zstd-3 of what the two documents say. */
  readonly stringify: Took;
}

/** As large as what is decompressed may be: nothing is put together from pieces. */
const CHUNK = 128 * 1024 * 1024;

async function measureLeast({ databaseUrl }: { readonly databaseUrl: string }): Promise<Least> {
  const database = await Database.open(databaseUrl, 'thread');
  try {
    let values: unknown[] = [];
    const bodies = new Map<string, Buffer>();
    let manifest: Manifest | null = null;
    const unpack = await measure(async () => {
      const stored = await loadCurrentSnapshot(database, (text) => {
        manifest = JSON.parse(text) as Manifest;
        return partsOf(manifest);
      });
      for (const [name, bytes] of stored?.parts ?? []) {
        if (name.endsWith('zstd'))
          bodies.set(name, zstdDecompressSync(bytes, { chunkSize: CHUNK }));
      }
    });
    const { documents } = manifest as unknown as Manifest;
    values = (['/reviews.json', '/insights.json'] as const).map((path) =>
      JSON.parse((bodies.get(partName(documents[path], 'zstd')) as Buffer).toString()),
    );
    const stringify = await measure(() => {
      for (const value of values) {
        zstdCompressSync(Buffer.from(JSON.stringify(value)), {
          chunkSize: CHUNK,
          params: { [constants.ZSTD_c_compressionLevel]: 3 },
        });
      }
    });
    return { unpack, stringify };
  } finally {
    await database.close();
  }
}

answerQuestions(measureLeast);
