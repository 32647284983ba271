// A process that does the minimum for the same data, for comparison with a publish and a start.

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type Manifest, partName, partsOf } from '../../src/snapshot/manifest.ts';
import { Database } from '../../src/store/database.ts';
import { answerQuestions } from '../companion.ts';
import { measure, type Took } from './took.ts';
import { loadStoredSnapshot } from '../../test/support/stored-snapshot.ts';

export interface Least {
  /** Reading the stored parts of a snapshot, and decompressing those that are served. */
  readonly unpack: Took;
  /** JSON.stringify and zstd-3 of the two documents. */
  readonly stringify: Took;
}

/** Larger than any decompressed part, so nothing is assembled from pieces. */
const CHUNK = 128 * 1024 * 1024;

async function measureLeast({ databaseUrl }: { readonly databaseUrl: string }): Promise<Least> {
  const database = await Database.open(databaseUrl, 'thread');
  try {
    let values: unknown[] = [];
    const bodies = new Map<string, Buffer>();
    let manifest: Manifest | null = null;
    const unpack = await measure(async () => {
      const stored = await loadStoredSnapshot(database, (text) => {
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
