// What is new at a source, as files of our own: a copy cannot change while it is read.

import { createHash } from 'node:crypto';
import { copyFile, readdir, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, sep } from 'node:path';
import { InputError } from '../../errors.ts';
import { type GoogleAccess, type ImportSource, placeOf } from '../../model/import-source.ts';
import { digestOf, download } from './fetch-source.ts';
import { collectGoogle } from './google.ts';
import { READ_NAMES } from '../input-files.ts';
import { reasonOf, unreadable } from '../text/text.ts';

/** A file that changed more recently may still be written. */
const SETTLED_MS = 2_000;
/** Files of a directory that an operator may have meant to be read; not those that are being written. */
const OTHER_NAMES = /^[^.~].*\.(?!tmp$|part$|partial$|crdownload$)\w+$/i;

/** What was last seen of a source. */
export interface Seen {
  /** Identifies the settings of the source; with others everything is read again. */
  readonly settings: string;
  readonly files: Readonly<Record<string, string>>;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly digest: string | null;
}

/** A copy of a file of the source. */
export interface Copy {
  readonly path: string;
  readonly name: string;
}

export interface Collected {
  readonly copies: readonly Copy[];
  readonly seen: Seen;
  /** Whether a file is being written, so that it has to be read later. */
  readonly isBusy: boolean;
  readonly leftOut: readonly string[];
}

/** Copies what changed at a source into a folder. @throws {InputError} if the source cannot be read. */
export async function collect(
  source: ImportSource,
  before: Seen | null,
  folder: string,
  { nowMs, google }: { readonly nowMs: number; readonly google: GoogleAccess },
): Promise<Collected> {
  const settings = createHash('sha256').update(JSON.stringify(source)).digest('base64url');
  const known = before?.settings === settings ? before : null;
  const seen: Seen = known ?? { settings, files: {}, etag: null, lastModified: null, digest: null };
  if (source.url !== null) return collectUrl(source.url, seen, folder);
  if (source.google !== null) {
    const { copies, known: now } = await collectGoogle(source, seen, folder, { nowMs, google });
    return { copies, seen: { ...seen, ...now }, isBusy: false, leftOut: [] };
  }
  return collectFiles(source, seen, folder, nowMs);
}

async function collectUrl(url: string, seen: Seen, folder: string): Promise<Collected> {
  const unchanged = { copies: [], isBusy: false, leftOut: [] };
  const downloaded = join(folder, 'download');
  const validators = seen.digest === null ? null : seen;
  const answer = await download(url, downloaded, validators);
  if (answer === null) return { ...unchanged, seen };
  const { etag, lastModified, contentType } = answer;
  const digest = await digestOf(downloaded);
  const next = { ...seen, etag, lastModified, digest };
  if (digest === seen.digest) return { ...unchanged, seen: next };
  const path = join(folder, nameFor(url, contentType));
  await rename(downloaded, path);
  return { copies: [{ path, name: url }], seen: next, isBusy: false, leftOut: [] };
}

/** The name says the format where the content does not. */
function nameFor(url: string, contentType: string): string {
  const name = basename(new URL(url).pathname).replaceAll(/[^\w.-]/g, '_') || 'reviews';
  if (extname(name) !== '') return `1-${name}`;
  if (/csv/i.test(contentType)) return `1-${name}.csv`;
  return /ndjson|jsonl/i.test(contentType) ? `1-${name}.ndjson` : `1-${name}.json`;
}

async function collectFiles(
  source: ImportSource,
  seen: Seen,
  folder: string,
  nowMs: number,
): Promise<Collected> {
  const { found, leftOut } = await listFiles(source);
  const isChanged = ({ path, signature }: FoundFile) => seen.files[path] !== signature;
  const changed = found.filter(isChanged);
  const isGone = Object.keys(seen.files).some((path) => found.every((one) => one.path !== path));
  // Pruning compares with everything that the source has.
  const wanted = source.prune && (changed.length > 0 || isGone) ? found : changed;
  const copies: Copy[] = [];
  const files: Record<string, string> = {};
  for (const one of found) if (!isChanged(one)) files[one.path] = one.signature;
  let isBusy = false;
  for (const file of wanted) {
    const isSettled = file.changedMs > nowMs || nowMs - file.changedMs >= SETTLED_MS;
    const path = join(folder, `${copies.length + 1}-${basename(file.path)}`);
    if (isSettled && (await copyWhole(file, path))) {
      copies.push({ path, name: file.path });
      files[file.path] = file.signature;
    } else isBusy = true;
  }
  const isComplete = !(source.prune && isBusy);
  return isComplete
    ? { copies, seen: { ...seen, files }, isBusy, leftOut }
    : { copies: [], seen, isBusy, leftOut };
}

interface FoundFile {
  readonly path: string;
  readonly signature: string;
  /** ms since 1970. */
  readonly changedMs: number;
}

async function listFiles(source: ImportSource) {
  const { file, directory } = source;
  try {
    if (file !== null) return { found: [await describe(file)], leftOut: [] };
    return await listDirectory(directory as string, source.prune);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const what = file === null ? 'a directory' : 'a file';
    throw new InputError(
      `${placeOf(source)}: expected ${what} that can be read, got one that ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

/**
 * One bad name does not keep the other files from being read, unless what is missing would be removed.
 *
 * @throws {InputError} with `prune`, for a name that cannot be read.
 */
async function listDirectory(directory: string, prune: boolean) {
  const names = (await readdir(directory)).toSorted();
  const home = await realpath(directory);
  const others = names
    .filter((name) => OTHER_NAMES.test(name) && !READ_NAMES.test(name))
    .map((name) => `${join(directory, name)}: left out: it is no CSV, JSON, Excel or ZIP file`);
  const found: FoundFile[] = [];
  const bad: string[] = [];
  for (const name of names.filter((each) => READ_NAMES.test(each))) {
    const path = join(directory, name);
    try {
      // Who may write into the directory must not make this program read other files.
      const isInside = `${dirname(await realpath(path))}${sep}`.startsWith(
        home.endsWith(sep) ? home : home + sep,
      );
      if (isInside) found.push(await describe(path));
      else bad.push(`${path}: left out: it leads out of the directory`);
    } catch (error) {
      const reason = error instanceof InputError ? 'it is no file' : `it ${reasonOf(error)}`;
      bad.push(`${path}: left out: ${reason}`);
    }
  }
  if (prune && bad.length > 0) {
    throw new InputError(
      `nothing was imported: with "prune", reviews of files that cannot be read would be removed\n${bad.join('\n')}`,
    );
  }
  return {
    found: found.toSorted((a, b) => a.changedMs - b.changedMs),
    leftOut: [...others, ...bad],
  };
}

async function describe(path: string): Promise<FoundFile> {
  const found = await stat(path);
  if (!found.isFile()) throw new InputError(`${path}: expected a file, got something else`);
  const { size, mtimeMs, ino } = found;
  return { path, signature: `${size} ${mtimeMs} ${ino}`, changedMs: mtimeMs };
}

/** Copies a file; false if it changed meanwhile. */
async function copyWhole(file: FoundFile, path: string): Promise<boolean> {
  try {
    await copyFile(file.path, path);
  } catch (error) {
    throw unreadable(file.path, error);
  }
  return (await describe(file.path)).signature === file.signature;
}
