// The stored parts of the current snapshot, whole.

import type { Database } from '../../src/store/database.ts';
import { readCurrentSnapshot } from '../../src/store/snapshots/snapshots.ts';

export interface StoredParts {
  readonly number: number;
  /** JSON. */
  readonly manifest: string;
  readonly parts: ReadonlyMap<string, Buffer>;
}

/** Null before the first publish. `partsOf` lists the parts to load. */
export async function loadStoredSnapshot(
  database: Database,
  partsOf: (manifest: string) => readonly string[],
): Promise<StoredParts | null> {
  return readCurrentSnapshot(database, async ({ number, manifest, chunksOf }) => {
    const parts = new Map<string, Buffer>();
    for (const name of partsOf(manifest)) {
      parts.set(name, Buffer.concat(await Array.fromAsync(chunksOf(name))));
    }
    return { number, manifest, parts };
  });
}
