// Loads the current snapshot. Apart from a publish, so that whoever only loads reads no analyser.

import { type Manifest, partsOf } from './snapshot/manifest.ts';
import { type LoadedSnapshot, unpackSnapshot } from './snapshot/snapshot.ts';
import type { Database } from './store/database.ts';
import { loadCurrentManifest, loadCurrentSnapshot } from './store/snapshots.ts';

/**
 * Loads and unpacks the current snapshot in this thread; null before the first publish, and where it
 * was built by another program than the one that is named.
 */
export async function load(
  database: Database,
  builder: string | null = null,
): Promise<LoadedSnapshot | null> {
  const parse = (manifest: string) => JSON.parse(manifest) as Manifest;
  if (builder !== null) {
    const manifest = await loadCurrentManifest(database.read);
    if (manifest === null || parse(manifest).builder !== builder) return null;
  }
  const stored = await loadCurrentSnapshot(database, (manifest) => partsOf(parse(manifest)));
  return stored && unpackSnapshot(parse(stored.manifest), stored.parts);
}
