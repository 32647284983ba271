// Loads the current snapshot. Apart from a publish, so that whoever only loads reads no analyser.

import { type Manifest, partsOf } from './snapshot/manifest.ts';
import { type LoadedSnapshot, unpackSnapshot } from './snapshot/snapshot.ts';
import type { Database } from './store/database.ts';
import { loadCurrentSnapshot } from './store/snapshots.ts';

/** Loads and unpacks the current snapshot in this thread; null before the first publish. */
export async function load(database: Database): Promise<LoadedSnapshot | null> {
  const parse = (manifest: string) => JSON.parse(manifest) as Manifest;
  const stored = await loadCurrentSnapshot(database, (manifest) => partsOf(parse(manifest)));
  return stored && unpackSnapshot(parse(stored.manifest), stored.parts);
}
