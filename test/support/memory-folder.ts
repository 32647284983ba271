// Temporary files of tests in memory. A PostgreSQL database is some hundred files, and SQLite waits for the disk
// at each commit: on a disk, most of the time of the tests of the store goes into files.

import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file system in memory that Linux has for shared memory. */
const MEMORY = '/dev/shm';
/** A run uses less than half of this. Containers often have 64 MiB. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;

/**
 * Makes a folder in memory the temporary folder of this process and of those that it starts, and removes it at
 * the end. Does nothing if the user chose a folder with `TMPDIR`, or without such a file system.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !isUsable()) return;
  const folder = mkdtempSync(join(MEMORY, 'public-reviews-'));
  // PostgreSQL runs as another user if the tests run as root.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Names the folder of what tests of a run share, such as the published example. */
export const SHARED_FOLDER = 'PUBLIC_REVIEWS_SHARED_FOLDER';

/** Makes the folder of what all workers of a run share, and removes it at the end. */
export function shareFolder(): void {
  if (process.env[SHARED_FOLDER] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'public-reviews-shared-'));
  process.env[SHARED_FOLDER] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Whether there is room, and programs may be run from there. */
function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, path]) => path === MEMORY);
    const [, , type, options = ''] = mount ?? [];
    return type === 'tmpfs' && !/\b(noexec|ro)\b/.test(options) && bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
