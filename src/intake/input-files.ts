// The files of an import: what a path names, with the files of folders and ZIP files, and how each is read.

import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, parse } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../errors.ts';
import { withFolder } from '../store/temporary-files.ts';
import kinds from './formats/names.json' with { type: 'json' };
import { openArchive, unpack } from './formats/archive.ts';
import {
  type ChosenFormat,
  chooseFormat,
  type FormatChoice,
  Undecided,
  UnknownTable,
} from './formats/recognise.ts';
import { isWorkbook, WORKBOOK } from './formats/workbook.ts';
import { isPageTable, PAGE_TABLE } from './formats/page-table.ts';
import { isXml, XML } from './formats/xml.ts';
import { commandName } from '../model/command-name.ts';
import { type FileSource, openSource, unreadable } from './text/text.ts';

/** Files that may have reviews. Programs write others first and rename them. */
export const READ_NAMES = /^[^.~].*\.(?:json|ndjson|jsonl|csv|tsv|txt|html?|xlsx|xml|zip)$/i;
const MOST_FILES = 10_000;
const MOST_DEPTH = 10;
const NAMED = 5;
const NO_REVIEWS = 'a profile without reviews: is this the account that manages the business?';

/** A file of an import whose format is known. */
export interface InputFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly chosen: ChosenFormat;
  open(onRead: (bytes: number) => void): FileSource;
}

export interface Inputs {
  readonly files: readonly InputFile[];
  readonly leftOut: readonly string[];
  /** The names of files that could not be read beside others. */
  readonly failed: readonly string[];
}

interface Found {
  readonly path: string;
  readonly name: string;
  readonly sheet: typeof WORKBOOK | typeof XML | typeof PAGE_TABLE | undefined;
  readonly isMember: boolean;
}

export interface InputOptions {
  readonly choiceFor: (name: string) => FormatChoice;
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** Whether the files are those of one folder: then one that cannot be read fails alone. */
  readonly areMembers?: boolean | undefined;
  /** Whether a file that fails, fails all: what it does not have would be removed. */
  readonly prune: boolean;
  /** Whether only formats are wanted, so that files are not read to their ends. */
  readonly isLook?: boolean;
}

/**
 * Finds the files and their formats for as long as `work` takes.
 *
 * @throws {InputError} if a file, or each file of a folder, cannot be read.
 */
export function withInputs<T>(
  paths: readonly string[],
  options: InputOptions,
  work: (inputs: Inputs) => Promise<T>,
): Promise<T> {
  // An import of the record of the business alone.
  if (paths.length === 0) return work({ files: [], leftOut: [], failed: [] });
  return withFolder(tmpdir(), 'import', async (folder) => {
    const aside: Aside = { skipped: [], unread: [] };
    const found: Found[] = [];
    for (const path of paths) {
      const name = options.names?.get(path) ?? path;
      const given = { path, name, isMember: options.areMembers === true };
      found.push(...(await findOne(given, folder, aside)));
    }
    return work(await chooseFormats(found, options, aside));
  });
}

async function chooseFormats(
  found: readonly Found[],
  options: InputOptions,
  { skipped, unread }: Aside,
): Promise<Inputs> {
  const files: InputFile[] = [];
  const errors = unread.map(({ error }) => error);
  const failed = unread.map(({ name }) => name);
  const isAlone = found.length + unread.length === 1;
  for (const one of found) {
    try {
      const file = await inputFile(one, options);
      if (one.isMember && !isAlone && options.isLook !== true) await readThrough(file);
      files.push(file);
    } catch (error) {
      if (!(error instanceof InputError) || !one.isMember || isAlone) throw error;
      errors.push(error);
      failed.push(one.name);
    }
  }
  const asking = [Undecided, UnknownTable].flatMap(
    (kind) => errors.find((error) => error instanceof kind) ?? [],
  );
  const isAsked = asking[0] instanceof Undecided && options.isLook === true;
  if (asking[0] && (files.length === 0 || isAsked)) throw asking[0];
  const others = [...skipped, ...failed.filter(isOther)];
  const leftOut = [
    ...errors.flatMap(({ message }, at) =>
      isOther(failed[at] as string) ? [] : [`left out: ${message}`],
    ),
    ...(others.length === 0 ? [] : [`no files of reviews, so not read: ${someOf(others)}`]),
    ...(await placesIn(files, found)),
  ];
  if (files.length === 0) {
    const where = found.length === 0 ? 'none' : 'none that can be read';
    throw new InputError(
      [
        `expected files with reviews (CSV, JSON, NDJSON, Excel, XML, ZIP), got ${where}`,
        ...leftOut.slice(0, NAMED),
        ...(failed.some((name) => /[/\\]account-\d+[/\\]/.test(name)) ? [NO_REVIEWS] : []),
      ].join('\n'),
    );
  }
  if (options.prune && !failed.every(isOther)) {
    throw new InputError(
      `nothing was imported: with "prune", reviews of files that cannot be read would be removed\n${leftOut.join('\n')}`,
    );
  }
  return { files, leftOut, failed };
}

/** A Takeout has files of other kinds beside those of reviews. */
function isOther(name: string): boolean {
  return /(?:^|\/)Takeout\/(?!.*review)/i.test(name);
}

/** Names the places whose reviews a Takeout has, if they are several: it has all that the account manages. */
async function placesIn(files: readonly InputFile[], found: readonly Found[]): Promise<string[]> {
  const folderOf = (name: string) => /^.*[/\\]location-\d+(?=[/\\])/.exec(name)?.[0];
  const folders = new Set(files.flatMap(({ name }) => folderOf(name) ?? []));
  if (folders.size < 2) return [];
  const places: string[] = [];
  for (const folder of folders) {
    const about = found.find(({ name }) => folderOf(name) === folder && name.endsWith('data.json'));
    const start = about ? await text(createReadStream(about.path, { end: START })) : '';
    const [, title = 'a place'] = /"(?:title|locationName)"\s*:\s*("[^"]*")/.exec(start) ?? [];
    places.push(`${title} in ${basename(folder)}`);
  }
  const [one = ''] = [...folders].map((folder) => folder.replace(/^.*\.zip\//i, ''));
  const next = `for one only, start over: unpack the ZIP file, and import the folder of that place: ${commandName()} import "${one}"`;
  return [`reviews of ${places.length} places: ${someOf(places)}; ${next}`];
}

function someOf(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  // A Takeout has long folders.
  const named = names.slice(0, NAMED).map((name) => name.replace(/(\.zip\/).*\//i, '$1…/'));
  return named.join(', ') + more;
}

async function inputFile(
  { path, name, sheet }: Found,
  { choiceFor }: InputOptions,
): Promise<InputFile> {
  const choice = choiceFor(name);
  const encoding = (choice.kind === 'mapping' && choice.mapping.encoding) || null;
  const openFile = (onRead: (bytes: number) => void) =>
    openSource(path, onRead, { encoding, name, sheet });
  const { chosen, close } = await chooseFormat(
    openFile(() => undefined),
    choice,
  );
  await close();
  if (choice.kind === 'auto' && chosen.asks) throw new Undecided(name, chosen);
  return { path, name, chosen, bytes: (await stat(path)).size, open: openFile };
}

/** @throws {InputError} if the file is damaged anywhere. */
async function readThrough(file: InputFile): Promise<void> {
  for await (const _ of file.chosen.read(
    file.open(() => undefined),
    () => undefined,
  )) {
    // Its rows are checked when they are imported.
  }
}

/** `isPacked`: whether it is in a ZIP file, so that it may be none. */
type Named = Pick<Found, 'path' | 'name' | 'isMember'> & { readonly isPacked?: boolean };

/** What is not read: by its kind, and because it cannot be read. */
interface Aside {
  readonly skipped: string[];
  readonly unread: { readonly name: string; readonly error: InputError }[];
}

/** A member that cannot be read is set aside. @throws {InputError} if it is no member. */
async function findOne(given: Named, folder: string, aside: Aside): Promise<Found[]> {
  try {
    return await find(given, folder, aside);
  } catch (error) {
    if (!(error instanceof InputError) || !given.isMember) throw error;
    aside.unread.push({ name: given.name, error });
    return [];
  }
}

async function find(given: Named, folder: string, aside: Aside): Promise<Found[]> {
  const found = await stat(given.path).catch(async (error: unknown) => {
    throw unreadable(given.name, error, await namesBeside(given.path));
  });
  if (found.isDirectory()) return findInFolder(given, folder, aside);
  // What a pipe gives can be read only once.
  if (!found.isFile()) {
    const path = join(folder, `${randomUUID()}${extname(given.path)}`);
    await pipeline(createReadStream(given.path), createWriteStream(path, { flags: 'wx' }));
    return find({ ...given, path }, folder, aside);
  }
  const kind = await kindOf(given.path, given.name);
  const sheet = { xml: XML, page: PAGE_TABLE, text: undefined };
  if (kind !== 'zip') return [{ ...given, sheet: sheet[kind] }];
  const archive = await openArchive(given.path, given.name);
  try {
    if (isWorkbook(archive)) return [{ ...given, sheet: WORKBOOK }];
    if (given.isPacked)
      throw new InputError(
        `${given.name}: expected no ZIP file inside of another; unpack it, and import what is in it`,
      );
    const members: Found[] = [];
    aside.skipped.push(...archive.links.map((link) => `${given.name}/${link}`));
    for (const entry of archive.entries) {
      const name = `${given.name}/${entry.name}`;
      const base = entry.name.replace(/^.*\//, '');
      if (!READ_NAMES.test(base) || /\.zip$/i.test(base) || /(?:^|\/)__MACOSX\//.test(entry.name)) {
        aside.skipped.push(name);
        continue;
      }
      // Names of strangers are for messages only.
      const path = join(folder, `${randomUUID()}${extname(base).toLowerCase()}`);
      await unpack(entry, path, name);
      members.push(
        ...(await findOne({ path, name, isMember: true, isPacked: true }, folder, aside)),
      );
    }
    return members;
  } finally {
    archive.close();
  }
}

/** What may be meant by a name that is not there: Windows hides how names end. */
async function namesBeside(path: string): Promise<string> {
  const names = await readdir(dirname(path)).catch(() => []);
  const start = parse(path).name.toLowerCase();
  const like = names.filter((name) => name.toLowerCase().startsWith(start));
  const meant = like.length > 0 ? like : names.filter((name) => /\.(?:csv|xlsx|zip)$/i.test(name));
  return meant.length === 0 ? '' : `; here are: ${someOf(meant)}`;
}

async function findInFolder({ path, name }: Named, folder: string, aside: Aside): Promise<Found[]> {
  const found: Found[] = [];
  const walk = async (at: string, called: string, depth: number): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true }).catch((error: unknown) => {
      throw unreadable(called, error);
    });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const [inside, inName] = [join(at, entry.name), join(called, entry.name)];
      if (found.length > MOST_FILES)
        throw new InputError(
          `${name}: expected at most ${MOST_FILES} files; import a folder inside of it`,
        );
      if (entry.isDirectory() && depth < MOST_DEPTH && !entry.name.startsWith('.'))
        await walk(inside, inName, depth + 1);
      else if (entry.isFile() && READ_NAMES.test(entry.name)) {
        const member = { path: inside, name: inName, isMember: true };
        found.push(...(await findOne(member, folder, aside)));
      } else aside.skipped.push(inName);
    }
  };
  await walk(path, name, 1);
  return found;
}

/** Bytes in which XML says what it is. */
const START = 4096;

async function kindOf(path: string, name: string): Promise<'zip' | 'xml' | 'page' | 'text'> {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(name, error);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START), 0, START, 0);
    const start = buffer.toString('hex', 0, 8);
    // Every second byte of UTF-16 is zero.
    if (isXml(buffer.toString('utf8', 0, bytesRead).replaceAll('\0', ''), name)) return 'xml';
    if (/^504b0(?:304|506)/.test(start)) return 'zip';
    if (start.startsWith('3c') && (await isPageTable(path))) return 'page';
    const other = kinds.otherKinds.find((kind) => start.startsWith(kind.start));
    if (!other) return 'text';
    throw new InputError(`${name}: expected a file with reviews, got ${other.what}; ${other.next}`);
  } finally {
    await file.close();
  }
}
