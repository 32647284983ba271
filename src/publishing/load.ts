// Loads the current snapshot. Separate from publish.ts, so that loading imports no analyser.

import type { Manifest } from '../snapshot/manifest.ts';
import { type LoadedSnapshot, unpackSnapshot } from '../snapshot/unpack.ts';
import type { Database } from '../store/database.ts';
import { loadCurrentManifest, readCurrentSnapshot } from '../store/snapshots/snapshots.ts';

/** The snapshot to load: built by this version of the program, and for this origin if it is known. */
export interface Wanted {
  readonly builder: string;
  readonly origin: string | null;
}

/**
 * Loads and unpacks the current snapshot in this thread; null before the first publish, and if the
 * current snapshot is not the wanted one.
 */
export async function load(
  database: Database,
  wanted: Wanted | null = null,
): Promise<LoadedSnapshot | null> {
  const parse = (manifest: string) => JSON.parse(manifest) as Manifest;
  if (wanted) {
    const current = await loadCurrentManifest(database.read);
    if (current === null) return null;
    const { builder, origin } = parse(current);
    if (builder !== wanted.builder || origin !== (wanted.origin ?? origin)) return null;
  }
  return readCurrentSnapshot(database, async (stored) => {
    return unpackSnapshot(parse(stored.manifest), stored.chunksOf, stored.bundles());
  });
}
