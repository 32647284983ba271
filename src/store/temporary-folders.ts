// Folders for the time of one work. A process that is killed leaves its own behind, with copies of a source or of a
// backup: a later work removes them.

import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** No work takes so long. */
const STALE_MS = 24 * 3_600_000;

export interface FolderName {
  /** What all folders of a kind begin with. */
  readonly kind: string;
  /** Names the work among those of its kind. */
  readonly owner?: string;
}

/** Makes a new folder in `parent`, which the caller removes, and removes old ones of its kind. */
export async function makeFolder(parent: string, { kind, owner }: FolderName): Promise<string> {
  await removeFolders(parent, kind, STALE_MS);
  return mkdtemp(join(parent, owner === undefined ? kind : `${kind}${owner}-`));
}

/** Removes folders whose names begin so and that did not change for `ageMs`, if this user may. */
export async function removeFolders(parent: string, prefix: string, ageMs = 0): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(parent, name);
    const found = await stat(path).catch(() => null);
    if (!found?.isDirectory() || found.mtimeMs > Date.now() - ageMs) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
