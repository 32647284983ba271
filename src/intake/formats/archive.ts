// ZIP files, as strangers may have made them: their names, sizes and links are bounded before anything is read.

import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yauzl, { type ZipFile } from 'yauzl';
import { InputError } from '../../errors.ts';

const MOST_ENTRIES = 10_000;
const MOST_BYTES = 1024 ** 3;
/** Text is packed to a tenth, repeated rows to a fiftieth; a bomb to a thousandth. */
const MOST_PACKED = 200;
/** Below this, it does not matter how much an entry was packed. */
const SMALL = 16 * 1024 ** 2;
const LINK = 0o120000;
const FILE_TYPE = 0o170000;

export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: number;
  read(): Promise<Readable>;
}

export interface Archive {
  readonly entries: readonly ArchiveEntry[];
  readonly links: readonly string[];
  close(): void;
}

/** @throws {InputError} if it is damaged, encrypted or too large, or if a name leads out of it. */
export async function openArchive(path: string, name: string): Promise<Archive> {
  const refuse = (error: unknown) =>
    new InputError(
      `${name}: expected a ZIP file that can be unpacked, got one that cannot: ${(error as Error).message}. ` +
        'Download it again; or unpack it yourself, and import the file with the reviews',
      { cause: error },
    );
  let zip: ZipFile | null = null;
  try {
    const opened = await yauzl.openPromise(path, { autoClose: false, strictFileNames: true });
    zip = opened;
    const entries: ArchiveEntry[] = [];
    const links: string[] = [];
    let bytes = 0;
    if (zip.entryCount > MOST_ENTRIES) throw new Error(`it has more than ${MOST_ENTRIES} files`);
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      const isLink = ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK;
      // The library checks that an entry is not longer than it says.
      const read = async () => {
        const stream = await opened.openReadStreamPromise(entry).catch((error: unknown) => {
          throw refuse(error);
        });
        return stream.on('error', () => undefined);
      };
      if (isLink) links.push(entry.fileName);
      else entries.push({ name: entry.fileName, bytes: entry.uncompressedSize, read });
      bytes += entry.uncompressedSize;
      const isBomb =
        entry.uncompressedSize > SMALL &&
        entry.uncompressedSize > entry.compressedSize * MOST_PACKED;
      if (bytes > MOST_BYTES || isBomb) throw new Error('unpacked it would be too large');
    }
    return { entries, links, close: () => zip?.close() };
  } catch (error) {
    zip?.close();
    throw refuse(error);
  }
}

export async function unpack(entry: ArchiveEntry, path: string, name: string): Promise<void> {
  try {
    await pipeline(await entry.read(), createWriteStream(path, { flags: 'wx' }));
  } catch (error) {
    if (error instanceof InputError || (error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw error;
    const what = `${name}: expected a file that can be unpacked: ${(error as Error).message}; export it again`;
    throw new InputError(what, { cause: error });
  }
}
