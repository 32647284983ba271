// `remove` and `forget`: delete reviews for good, publish, and erase what the store's files still have of them.

import { existsSync, globSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { InputError, show, UnavailableError, withoutControls } from '../../errors.ts';
import type { RemovalReason } from '../../model/removal.ts';
import { UnknownTable } from '../../intake/formats/recognise.ts';
import { START_BYTES } from '../../intake/formats/sample.ts';
import { importFiles, PLAIN_IMPORT, prepareImport, SILENT } from '../../intake/import.ts';
import { commandName } from '../../model/command-name.ts';
import { fold, foldAuthor } from '../../model/fold.ts';
import { isUlid } from '../../model/ulid.ts';
import { eraseRemoved } from '../../publishing/erase.ts';
import { publishPending } from '../../publishing/run/2-claim.ts';
import { isBackup } from '../../store/backup/backup-check.ts';
import type { Database } from '../../store/database.ts';
import { type ImportOrigin, listImports } from '../../store/merge/imports.ts';
import { endForgetting, isForgotten, markErasing } from '../../store/reviews/erasures.ts';
import {
  findByAuthor,
  findStored,
  type FoundReview,
  removeReviews,
} from '../../store/reviews/removals.ts';
import { isSuppressed } from '../../store/reviews/suppressions.ts';
import { loadState } from '../../store/state.ts';
import { exportHint, publishImport } from '../publish.ts';
import { originOf } from '../operator.ts';
import { withDatabase } from '../store/store.ts';
import { type Ask, askInTerminal } from '../terminal/questions.ts';
import { renderTable } from '../terminal/table.ts';

const LOG_KEPT =
  'the write-ahead log of the database still has removed texts, because a reader needs it; ' +
  'a running server or the next command erases them\n';
/** Then texts must go from the files of the business too. */
const MUST_GO: readonly RemovalReason[] = ['customer_request', 'court_or_law'];
/** Characters of a text in a list. */
const SHOWN_TEXT = 60;

/**
 * Removes reviews, after asking if there is a terminal. Those that were removed before are published and erased again,
 * in case that failed.
 *
 * @throws {InputError} if an id is none of a stored or removed review; then nothing is removed.
 */
export async function runRemove(
  config: Config,
  given: readonly string[],
  { reason, yes = false }: { readonly reason: RemovalReason; readonly yes?: boolean },
  publish = publishPending,
  ask = askInTerminal(),
): Promise<void> {
  const origin = originOf('remove');
  const ids = given.map(parseId);
  await withDatabase(config, async (database) => {
    const stored = await findStored(database.read, ids);
    for (const id of ids) {
      if (!stored.has(id) && !(await isSuppressed(database.read, id))) throw unknownReview(id);
    }
    const isAsked = ask !== null && !yes && stored.size > 0;
    if (isAsked && !(await isAgreed([...stored.values()], 'remove', yes, ask))) return;
    await remove(config, database, ids, { origin, reason }, publish);
  });
}

const ASKED = {
  remove: ['Remove', ' for good', 'removed', ' --reason customer_request'],
  hide: ['Hide', '', 'hidden', ' --reason failed_verification'],
  show: ['Show', '', 'shown', ''],
} as const;

/** Shows reviews, and asks whether to remove, hide or show them. @throws {InputError} if nobody can be asked. */
export async function isAgreed(
  found: readonly FoundReview[],
  command: keyof typeof ASKED,
  yes: boolean,
  ask: Ask | null,
): Promise<boolean> {
  const [verb, how, done, reason] = ASKED[command];
  process.stdout.write(renderFound(found));
  if (yes) return true;
  if (!ask)
    throw new InputError(`expected --yes, or a terminal to ask whether to ${command} these`);
  if (await ask(`${verb} ${count(found.length)}${how}? [y/N] `)) return true;
  const one = `; for only one: ${commandName()} ${command} ID${reason}`;
  process.stdout.write(`nothing was ${done}${found.length > 1 ? one : ''}\n`);
  return false;
}

/**
 * Removes all reviews by an author, after asking in the terminal.
 *
 * @throws {InputError} if nothing is by this author, or nobody can be asked.
 */
export async function runForget(
  config: Config,
  { author, yes = false }: { readonly author: string; readonly yes?: boolean },
  publish = publishPending,
  ask = askInTerminal(),
): Promise<void> {
  const origin = originOf('forget');
  await withDatabase(config, async (database) => {
    const { found, similar } = await findByAuthor(database.read, author);
    if (found.length === 0 && (await isForgotten(database.read, author))) {
      process.stdout.write('an earlier "forget" of this author had removed the reviews\n');
      await erase(config, database, null, publish);
      return;
    }
    if (found.length === 0) throw noReviewBy(author, similar);
    if (!(await isAgreed(found, 'remove', yes, ask))) return;
    const ids = found.map(({ id }) => id);
    const reason = 'customer_request';
    await remove(config, database, ids, { origin, reason, author }, publish);
  });
}

async function remove(
  config: Config,
  database: Database,
  ids: readonly string[],
  // `author` is the one whom all reviews are by, if they are removed for that.
  { origin, reason, author }: { origin: ImportOrigin; reason: RemovalReason; author?: string },
  publish: typeof publishPending,
): Promise<void> {
  const stored = await findStored(database.read, ids);
  const authors = [...stored.values()].map((one) => one.author);
  const removed = await removeReviews(database, ids, reason, origin, author);
  const earlier = new Set(ids).size - removed.ids.length;
  process.stdout.write(
    `removed ${count(removed.ids.length)}; no later import brings them back\n` +
      (earlier > 0 ? `removed before: ${earlier}\n` : '') +
      (MUST_GO.includes(reason) ? await renderCopies(database, authors) : ''),
  );
  if (removed.number === null) await database.write((transaction) => markErasing(transaction));
  await erase(config, database, removed.number, publish);
}

/** Says which files still have what was removed: of those that were imported, and backups in this folder and those in it. */
async function renderCopies(database: Database, authors: readonly string[]): Promise<string> {
  const imported = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { command, report } of await listImports(database.read)) {
    for (const { name } of /^(?:import$|sync )/.test(command) ? report.files : [])
      imported.set(resolve(name.replace(/(\.zip)\/.*$/is, '$1')), report.options);
  }
  const found: string[] = [];
  const unknown: string[] = [];
  for (const [path, options] of imported) {
    const has = existsSync(path) && (await hasThem(database, path, options, authors));
    if (has !== false) (has ? found : unknown).push(path);
  }
  const { backedUpTo } = await loadState(database.read);
  const kept = backedUpTo === null ? [] : [join(dirname(resolve(backedUpTo)), '*.db')];
  const backups = globSync(['*.db', '*/*.db', ...kept]).map((path) => resolve(path));
  found.push(...[...new Set(backups)].filter(isBackup).toSorted());
  const files = found.map((path) => `${withoutControls(path)}, `).join('');
  const rest = unknown.map((path) => withoutControls(path)).join(', ');
  return (
    `what was removed, now or before, is still in: ${files}other backups; delete the files, or from a table of your own the rows, then back up again\n` +
    (rest === '' ? '' : `could not be searched, so look into: ${rest}\n`)
  );
}

/** Whether an import of the file would leave out removed reviews, or it is a table that names the authors; null if unknown. */
async function hasThem(
  database: Database,
  path: string,
  { format, source }: Readonly<Record<string, unknown>>,
  authors: readonly string[],
): Promise<boolean | null> {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  const given = { format: textOf(format), source: textOf(source), dryRun: true };
  try {
    const prepared = await prepareImport({ ...PLAIN_IMPORT, ...given });
    // It has rows also of those who do not agree.
    if (prepared.choice.kind === 'mapping') prepared.choice.mapping.agreed = {};
    return (await importFiles(database, [path], prepared, SILENT)).suppressed > 0;
  } catch (error) {
    if (!(error instanceof UnknownTable)) return null;
    // How it was read is not recorded; first and last name may have columns of their own.
    const text = fold(error.sample.text);
    const names = authors.map((author) => foldAuthor(author).split(' '));
    if (names.some((words) => words.every((word) => text.includes(word)))) return true;
    const isWhole = error.file === path && Buffer.byteLength(error.sample.text) < START_BYTES;
    return isWhole && authors.length > 0 && !text.includes('\ufffd') ? false : null;
  }
}

/** Publishes without what was removed, and erases it; `number` is the record of the removal. */
async function erase(
  config: Config,
  database: Database,
  number: number | null,
  publish: typeof publishPending,
): Promise<void> {
  await publishImport(config, database, number, publish, notPublished);
  process.stdout.write(await exportHint(config, database));
  if (await eraseRemoved(database)) await endForgetting(database);
  else process.stderr.write(LOG_KEPT);
}

/** Says what is stored after a removal whose publish failed, and what to do. */
export function notPublished(reason: string, cause: unknown): UnavailableError {
  return new UnavailableError(
    `Stored, not published: ${reason}\n` +
      'Readers get what was published before. A server or the next command publishes again.',
    { cause },
  );
}

/** @throws {InputError} */
export function parseId(given: string): string {
  // As an id or as the address of its page.
  const id = (/\/reviews\/(\w+)(?:\.\w+)?$/.exec(given)?.[1] ?? given).toUpperCase();
  if (!isUlid(id)) throw unknownReview(given);
  return id;
}

export function noReviewBy(author: string, similar: ReadonlySet<string>): InputError {
  const names = [...similar].slice(0, 20).map(show).join(', ');
  return new InputError(
    `no stored review is by ${show(author)}` +
      (similar.size === 0 ? '' : `; it may stand for ${similar.size}: ${names}`) +
      '; nothing was changed',
  );
}

export function unknownReview(given: string): InputError {
  return new InputError(
    `expected the id of a stored review, or the address of its page, got ${show(given)}; nothing was changed`,
  );
}

export function renderFound(found: readonly FoundReview[]): string {
  const rows = found.map(({ id, date, rating, source, author, text }) => ({
    ID: id,
    DATE: date,
    RATING: `${rating}`,
    SOURCE: source,
    AUTHOR: author,
    TEXT: (text ?? '').slice(0, SHOWN_TEXT).replaceAll(/\s+/g, ' '),
  }));
  return renderTable(rows);
}

export function count(reviews: number): string {
  return `${reviews} review${reviews === 1 ? '' : 's'}`;
}
