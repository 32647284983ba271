// The directory that an export writes. A marker file lists the files that the export created, so that the
// next export removes obsolete ones and no others. Files are replaced atomically, and files that did not
// change are not written.

import { createHash } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError, UnavailableError } from '../errors.ts';

/** Lists the files of the export, one on each line after the first. */
export const MARKER = '.public-reviews-export';
const MARKER_HEAD = '# Made by "public-reviews export", which replaces and removes these files:';
/** Prefix of the name of a file while it is written. */
const UNFINISHED = '.public-reviews-unfinished';

/** System errors of a directory that cannot be used. */
const UNUSABLE = /^E(?:ACCES|PERM|ROFS|NOTDIR|EXIST|ISDIR|NOENT|NAMETOOLONG)$/;
const FULL = /^E(?:NOSPC|DQUOT|FBIG)$/;

/** Numbers of files. */
export interface FolderCounts {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** Writes a file; replaced in tests. */
type WriteBytes = (path: string, bytes: Uint8Array) => Promise<void>;

export class ExportFolder {
  readonly #path: string;
  readonly #former: ReadonlySet<string>;
  readonly #marker: FileHandle;
  readonly #writeBytes: WriteBytes;
  readonly #present = new Set<string>();
  readonly #folders = new Set<string>();
  #written = 0;
  #unfinished = 0;

  private constructor(
    path: string,
    former: ReadonlySet<string>,
    marker: FileHandle,
    writeBytes: WriteBytes,
  ) {
    this.#path = path;
    this.#former = former;
    this.#marker = marker;
    this.#writeBytes = writeBytes;
  }

  /**
   * Opens a directory that is empty, does not exist, or was made by an export.
   *
   * @throws {InputError} if the directory is another one, or cannot be written.
   */
  static async open(
    path: string,
    writeBytes: WriteBytes = (file, bytes) => writeFile(file, bytes),
  ): Promise<ExportFolder> {
    return withReadableErrors(path, async () => {
      await makeFolder(path);
      const names = await readdir(path);
      if (names.length > 0 && !names.includes(MARKER)) {
        throw new InputError(
          `${path}: expected a directory that is empty or was made by "export", ` +
            `got one that has "${names[0]}"`,
        );
      }
      const former = names.includes(MARKER) ? await readMarker(path) : [];
      await writeFile(join(path, MARKER), renderMarker(former));
      return new ExportFolder(
        path,
        new Set(former),
        await open(join(path, MARKER), 'a'),
        writeBytes,
      );
    });
  }

  /** Writes a file, unless it already has these bytes. `name` is a relative path with slashes. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    await withReadableErrors(this.#path, async () => {
      if (!isInside(name)) throw new Error(`"${name}" cannot be the name of an exported file`);
      this.#present.add(name);
      const file = join(this.#path, name);
      if (await hasBytes(file, bytes)) return;
      // Listed before it exists, so that the next export knows a file that a crash has left.
      if (!this.#former.has(name)) await this.#marker.write(`${name}\n`);
      const folder = dirname(file);
      if (!this.#folders.has(folder)) await mkdir(folder, { recursive: true });
      this.#folders.add(folder);
      const unfinished = join(this.#path, `${UNFINISHED}-${this.#unfinished++}`);
      try {
        await this.#writeBytes(unfinished, bytes);
        await rename(unfinished, file);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      this.#written += 1;
    });
  }

  /** Removes the files of earlier exports that this one did not write. */
  async finish(): Promise<FolderCounts> {
    return withReadableErrors(this.#path, async () => {
      const gone = [...this.#former].filter((name) => !this.#present.has(name));
      for (const name of gone) {
        await rm(join(this.#path, name), { force: true });
        await this.#removeEmpty(dirname(name));
      }
      const marker = join(this.#path, MARKER);
      await writeFile(`${marker}-next`, renderMarker([...this.#present].toSorted()));
      await rename(`${marker}-next`, marker);
      return {
        written: this.#written,
        unchanged: this.#present.size - this.#written,
        removed: gone.length,
      };
    });
  }

  async close(): Promise<void> {
    await this.#marker.close();
  }

  async #removeEmpty(folder: string): Promise<void> {
    for (let each = folder; each !== '.'; each = dirname(each)) {
      try {
        await rmdir(join(this.#path, each));
      } catch {
        // It has other files, or was removed before.
        return;
      }
    }
  }
}

/** In two steps, because Node's recursive `mkdir` never ends where folders cannot be created, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function hasBytes(file: string, bytes: Uint8Array): Promise<boolean> {
  try {
    return digest(await readFile(file)) === digest(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}

async function readMarker(path: string): Promise<string[]> {
  const [, ...names] = (await readFile(join(path, MARKER), 'utf8')).split('\n');
  // An edited marker must not make an export remove files elsewhere.
  return names.filter((name) => name !== '' && isInside(name));
}

function renderMarker(names: readonly string[]): string {
  return `${[MARKER_HEAD, ...names].join('\n')}\n`;
}

/** Whether a name is a relative path without `.`, `..` or empty parts. */
function isInside(name: string): boolean {
  return name
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0\n:]/.test(part));
}

/** Replaces system errors by errors for the user. */
async function withReadableErrors<Result>(
  path: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (UNUSABLE.test(code)) {
      throw new InputError(
        `${path}: expected a directory that can be written, got one that fails with ${code}`,
        { cause: error },
      );
    }
    if (FULL.test(code)) {
      throw new UnavailableError(
        `${path}: the disk is full. No file is damaged; export again when there is space`,
        { cause: error },
      );
    }
    throw error;
  }
}
