// Loads the current snapshot. Separate from publish.ts, so that loading imports no analyser.

import type { Manifest } from '../snapshot/manifest.ts';
import { type LoadedSnapshot, unpackSnapshot } from '../snapshot/unpack.ts';
import { Database, used } from '../store/database.ts';
import { loadCurrentManifest, readCurrentSnapshot } from '../store/snapshots/snapshots.ts';
import { runInThread } from './task-threads.ts';
import type { Wanted } from './tasks.ts';

/** Starting a thread takes longer than loading a smaller snapshot, which leaves the event loop free most of the time. */
const SMALL_BYTES = 8 * 1024 * 1024;

/** The manifest of the current snapshot; null before the first publish. */
export async function currentManifest(database: Database): Promise<Manifest | null> {
  const manifest = await loadCurrentManifest(database.read);
  return manifest === null ? null : (JSON.parse(manifest) as Manifest);
}

/**
 * Loads and unpacks the current snapshot in this thread; null before the first publish, and if the
 * current snapshot is not the wanted one.
 */
export async function load(
  database: Database,
  wanted: Wanted | null = null,
): Promise<LoadedSnapshot | null> {
  return readCurrentSnapshot(database, async (stored) => {
    const manifest = JSON.parse(stored.manifest) as Manifest;
    const { builder, origin } = { ...manifest, ...wanted };
    if (builder !== manifest.builder || (origin ?? manifest.origin) !== manifest.origin)
      return null;
    return unpackSnapshot(manifest, stored.chunksOf, stored.bundles());
  });
}

/** Loads the current snapshot, a large one in a thread; null before the first publish. */
export async function loadSnapshot(
  databaseUrl: string,
  signal?: AbortSignal,
): Promise<LoadedSnapshot | null> {
  return used(await Database.open(databaseUrl, 'load'), async (database) => {
    const manifest = await currentManifest(database);
    const sizes = Object.values(manifest?.documents ?? {}).map(({ bytes = 0 }) => bytes);
    const size = sizes.reduce((sum, next) => sum + next, manifest?.indexBytes ?? Infinity);
    if (size < SMALL_BYTES) return load(database);
    return runInThread({ kind: 'load', databaseUrl, wanted: null }, signal);
  });
}
