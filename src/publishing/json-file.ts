// Small files beside the store that must survive a power cut.

import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UnavailableError } from '../errors.ts';
import { fullDisk, mendOwner } from '../store/sqlite/sqlite-errors.ts';
import { syncToDisk } from '../store/temporary-files.ts';

/** The text of a file; null if there is none. @throws {UnavailableError} if it cannot be read. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    const message = `cannot read ${file} (${code}): ${mendOwner(file)}`;
    throw new UnavailableError(message, { cause: error });
  }
}

/**
 * Writes a file as a whole, readable by its owner only, who stays: after a power cut it has the old or the new content. With
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
      const { uid, gid } = await stat(file).catch(() => stat(dirname(file)));
      // Root may run a command: the server has to read what it wrote.
      if (process.getuid?.() === 0) await handle.chown(uid, gid);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await (isFirst ? link : rename)(temporary, file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (isFirst && code === 'EEXIST') return;
    if (/^(?:ENOSPC|EDQUOT)$/.test(code)) throw fullDisk(file, error);
    const mend = `name a file in a folder that the server may write; ${mendOwner(file)}`;
    throw new UnavailableError(`${what}: cannot write ${file}: ${String(error)}: ${mend}`, {
      cause: error,
    });
  } finally {
    await rm(temporary, { force: true });
  }
  await syncToDisk(dirname(file));
}
