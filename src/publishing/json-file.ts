// Small files beside the store that must survive a power cut.

import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UnavailableError } from '../errors.ts';

/** The text of a file; null if there is none. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes a file as a whole, readable by its owner only: after a power cut it has the old or the new content. With
 * `isFirst` an existing file stays as it is. `what` names the file in errors.
 *
 * @throws {UnavailableError} if it cannot be written.
 */
export async function writeJsonSafely(
  file: string,
  value: object,
  { what, isFirst = false }: { readonly what: string; readonly isFirst?: boolean },
): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await (isFirst ? link : rename)(temporary, file);
  } catch (error) {
    if (isFirst && (error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new UnavailableError(`${what}: cannot write ${file}: ${String(error)}`, { cause: error });
  } finally {
    await rm(temporary, { force: true });
  }
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
