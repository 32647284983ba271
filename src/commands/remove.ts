// `remove` and `forget`: delete reviews for good, publish, and erase what the store's files still have of them.

import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { Config } from '../config.ts';
import { InputError, show, UnavailableError } from '../errors.ts';
import type { RemovalReason } from '../model/removal.ts';
import { isUlid } from '../model/ulid.ts';
import { publishPending } from '../publishing/publish-pending.ts';
import { type Manifest, partsOf } from '../snapshot/manifest.ts';
import type { Database } from '../store/database.ts';
import { findByAuthor, findStored, type FoundReview, removeReviews } from '../store/removals.ts';
import {
  claimPublishing,
  deleteUnused,
  loadCurrentManifest,
  releasePublishing,
} from '../store/snapshots.ts';
import { isSuppressed } from '../store/suppressions.ts';
import { publishImport } from './import.ts';
import { operatorName } from './operator.ts';
import { withDatabase } from './store.ts';
import { renderTable } from './table.ts';

const CLAIM_MS = 60_000;
const POLL_MS = 200;
/** A thread that loads a snapshot reads for seconds. */
const LOG_PATIENCE_MS = 30_000;
/** Characters of a text in a list. */
const SHOWN_TEXT = 60;

/**
 * Removes reviews. Those that were removed before are published and erased again, in case that failed.
 *
 * @throws {InputError} if an id is none of a stored or removed review; then nothing is removed.
 */
export async function runRemove(
  config: Config,
  given: readonly string[],
  { reason }: { readonly reason: RemovalReason },
  publish = publishPending,
): Promise<void> {
  const startedAtMs = Date.now();
  const ids = given.map(parseId);
  await withDatabase(config.databaseUrl, async (database) => {
    const stored = await findStored(database.read, ids);
    for (const id of ids) {
      if (!stored.has(id) && !(await isSuppressed(database.read, id))) throw unknownReview(id);
    }
    await remove(config, database, ids, { command: 'remove', reason, startedAtMs }, publish);
  });
}

export interface ForgetFlags {
  readonly author: string;
  /** Remove without asking. */
  readonly yes?: boolean;
}

/**
 * Removes all reviews by an author, after asking in the terminal.
 *
 * @throws {InputError} if nothing is by this author, or nobody can be asked.
 */
export async function runForget(
  config: Config,
  { author, yes = false }: ForgetFlags,
  publish = publishPending,
  ask = askInTerminal(),
): Promise<void> {
  const startedAtMs = Date.now();
  await withDatabase(config.databaseUrl, async (database) => {
    const found = await findByAuthor(database.read, author);
    if (found.length === 0) {
      throw new InputError(`expected the name of an author of stored reviews, got ${show(author)}`);
    }
    process.stdout.write(renderFound(found));
    if (!yes) {
      if (!ask)
        throw new InputError('expected --yes, or a terminal to ask whether to remove these');
      if (!(await ask(`Remove ${count(found.length)} for good? [y/N] `))) {
        process.stdout.write('nothing was removed\n');
        return;
      }
    }
    const ids = found.map(({ id }) => id);
    const origin = { command: 'forget', reason: 'customer_request', startedAtMs } as const;
    await remove(config, database, ids, origin, publish);
  });
}

interface Removal {
  readonly command: string;
  readonly reason: RemovalReason;
  readonly startedAtMs: number;
}

async function remove(
  config: Config,
  database: Database,
  ids: readonly string[],
  { command, reason, startedAtMs }: Removal,
  publish: typeof publishPending,
): Promise<void> {
  const origin = { command, operator: operatorName(), startedAtMs };
  const removed = await removeReviews(database, ids, reason, origin);
  const earlier = new Set(ids).size - removed.ids.length;
  process.stdout.write(
    `removed ${count(removed.ids.length)}; no later import brings them back\n` +
      (earlier > 0 ? `removed before: ${earlier}\n` : ''),
  );
  await publishImport(config, database, removed.number, publish, notPublished);
  await deleteUnusedParts(database);
  if (!(await database.eraseDeleted(LOG_PATIENCE_MS))) {
    process.stderr.write(
      'the write-ahead log of the database still has removed texts, because a reader needs it; ' +
        'it is emptied when the server next writes much, or by this command again\n',
    );
  }
}

/** Says what is stored after a removal whose publish failed, and what to do. */
export function notPublished(reason: string, cause: unknown): UnavailableError {
  return new UnavailableError(
    `Stored, not published: ${reason}\n` +
      'Readers get what was published before. A server or the same command publishes again.',
    { cause },
  );
}

/**
 * Deletes the parts of replaced snapshots. Another process that has just published may not have deleted
 * them yet, and a killed one never does.
 */
async function deleteUnusedParts(database: Database): Promise<void> {
  const publisherId = randomUUID();
  for (;;) {
    const nowMs = Date.now();
    if (await claimPublishing(database, publisherId, nowMs, nowMs + CLAIM_MS)) break;
    await sleep(POLL_MS);
  }
  try {
    const manifest = await loadCurrentManifest(database.read);
    const used = manifest === null ? [] : partsOf(JSON.parse(manifest) as Manifest);
    await deleteUnused(database, publisherId, new Set(used));
  } finally {
    await releasePublishing(database, publisherId);
  }
}

/** @throws {InputError} */
export function parseId(given: string): string {
  const id = given.toUpperCase();
  if (!isUlid(id)) throw unknownReview(given);
  return id;
}

export function unknownReview(given: string): InputError {
  return new InputError(
    `expected the id of a stored review, as /reviews.json has it, got ${show(given)}; nothing was changed`,
  );
}

function renderFound(found: readonly FoundReview[]): string {
  const rows = found.map(({ id, date, rating, source, author, text }) => [
    id,
    date,
    `${rating}`,
    source,
    author,
    (text ?? '').slice(0, SHOWN_TEXT).replaceAll(/\s+/g, ' '),
  ]);
  return renderTable(['ID', 'DATE', 'RATING', 'SOURCE', 'AUTHOR', 'TEXT'], rows);
}

/** "1 review", "2 reviews". */
export function count(reviews: number): string {
  return `${reviews} review${reviews === 1 ? '' : 's'}`;
}

type Ask = (question: string) => Promise<boolean>;

/** Null if there is no terminal. */
function askInTerminal(): Ask | null {
  if (!process.stdin.isTTY) return null;
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(?:es)?$/i.test((await terminal.question(question)).trim());
    } finally {
      terminal.close();
    }
  };
}
