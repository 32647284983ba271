// Files and folders for the time of one work. A process that is killed leaves its own behind, with copies of a source
// or of a backup: a later work removes them.

import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** No work takes so long. */
const STALE_MS = 24 * 3_600_000;

/** Makes a new folder in `parent`, which the caller removes, and removes old ones of its kind. */
export async function makeFolder(parent: string, kind: string, owner = ''): Promise<string> {
  await removeLeft(parent, kind);
  return mkdtemp(join(parent, kind + owner));
}

/** Removes what has a name that begins so and did not change for `ageMs`, a day by default, if this user may. */
export async function removeLeft(parent: string, prefix: string, ageMs = STALE_MS): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(parent, name);
    const found = await stat(path).catch(() => null);
    if (!found || found.mtimeMs > Date.now() - ageMs) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
