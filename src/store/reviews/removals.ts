// Takes reviews from readers: removes them for good, or hides them until they are shown again.

import type { HidingReason, RemovalReason } from '../../model/removal.ts';
import { toInitials } from '../../model/author-names.ts';
import { foldAuthor } from '../../model/fold.ts';
import type { Database } from '../database.ts';
import { CONTENT_LOCK, type Executor } from '../engine.ts';
import { forParts, ROWS } from '../parts.ts';
import { markErasing } from './erasures.ts';
import { type ImportOrigin, NO_ROWS, recordMerge, scrubImports } from '../merge/imports.ts';
import { closeReviews } from '../log/log.ts';
import type { ReviewRow } from './review-rows.ts';
import { loadState, requestPublishIn } from '../state.ts';
import { suppress, suppressBeside } from './suppressions.ts';

/** What a change did, and the number of its record; null if nothing was recorded, because nothing changed. */
export interface Change {
  readonly ids: readonly string[];
  readonly number: number | null;
}

/**
 * Deletes the reviews with these ids, and adds them to the list of reviews that no import brings back.
 * Ids that are not stored are ignored. The record names no review: an id can be derived from its author. An erasure
 * becomes pending; `author` is the one whom all of them are by, if they are removed as theirs.
 */
export function removeReviews(
  database: Database,
  given: readonly string[],
  reason: RemovalReason,
  origin: ImportOrigin,
  author: string | null = null,
): Promise<Change> {
  return change(database, origin, async (transaction) => {
    const ids = await forParts(given, async (part) => {
      const reviews = await transaction
        .selectFrom('reviews')
        .selectAll()
        .where('id', 'in', part)
        .execute();
      await suppress(transaction, reviews);
      await suppressBeside(transaction, part);
      await closeReviews(transaction, part, reason);
      await transaction.deleteFrom('reviews').where('id', 'in', part).execute();
      await transaction.deleteFrom('review_history').where('review_id', 'in', part).execute();
      await transaction.deleteFrom('review_identities').where('review_id', 'in', part).execute();
      await transaction.deleteFrom('hidden_reviews').where('review_id', 'in', part).execute();
      return reviews.map(({ id }) => id);
    });
    await scrubImports(transaction, ids);
    const afterChange = () => markErasing(transaction, author);
    return { ids, options: { reason }, removed: ids.length, afterChange };
  });
}

/** Keeps the reviews with these ids from being published; returns those that were not hidden yet. */
export function hideReviews(
  database: Database,
  given: readonly string[],
  reason: HidingReason,
  origin: ImportOrigin,
): Promise<Change> {
  return change(database, origin, async (transaction) => {
    const ids = await hideIn(transaction, given, reason);
    return { ids, options: { reason, reviews: ids.join(' ') }, removed: 0 };
  });
}

/** As `hideReviews`, in a transaction that records and publishes it. */
export async function hideIn(
  transaction: Executor,
  given: readonly string[],
  reason: HidingReason,
): Promise<string[]> {
  const hidden = transaction.selectFrom('hidden_reviews').select('review_id');
  const shown = transaction.selectFrom('reviews').select('id').where('id', 'not in', hidden);
  const ids = await forParts(given, async (part) => {
    const some = (await shown.where('id', 'in', part).execute()).map(({ id }) => id);
    const rows = some.map((id) => ({ review_id: id, reason }));
    if (rows.length > 0) await transaction.insertInto('hidden_reviews').values(rows).execute();
    return some;
  });
  await closeReviews(transaction, ids, reason);
  return ids;
}

/** Publishes hidden reviews again; returns those that were hidden. */
export function showReviews(
  database: Database,
  given: readonly string[],
  origin: ImportOrigin,
): Promise<Change> {
  return change(database, origin, async (transaction) => {
    const rows = await forParts(given, (part) =>
      transaction
        .deleteFrom('hidden_reviews')
        .where('review_id', 'in', part)
        .returning('review_id')
        .execute(),
    );
    const ids = rows.map(({ review_id }) => review_id);
    return { ids, options: { reviews: ids.join(' ') }, removed: 0 };
  });
}

interface ChangeParts {
  readonly ids: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  readonly removed: number;
  /** Runs when the content has its new version. */
  readonly afterChange?: () => Promise<void>;
}

/** Changes reviews, and records the change, in one transaction; a publish becomes pending. */
function change(
  database: Database,
  origin: ImportOrigin,
  work: (transaction: Executor) => Promise<ChangeParts>,
): Promise<Change> {
  return database.write(
    async (transaction) => {
      const { ids, options, removed, afterChange } = await work(transaction);
      if (ids.length === 0) return { ids, number: null };
      await requestPublishIn(transaction);
      await afterChange?.();
      const { contentVersion } = await loadState(transaction);
      const counts = { added: 0, unchanged: 0, duplicate: 0, unverified: 0 };
      const report = {
        ...NO_ROWS,
        options,
        counts: { ...counts, updated: ids.length - removed, removed },
        businessChanged: false,
      };
      return { ids, number: await recordMerge(transaction, origin, report, contentVersion) };
    },
    { lock: CONTENT_LOCK, notifies: 'state' },
  );
}

export type FoundReview = Pick<ReviewRow, 'id' | 'author' | 'rating' | 'date' | 'source' | 'text'>;

function foundReviews(executor: Executor) {
  const reviews = executor.selectFrom('reviews');
  return reviews.select(['id', 'author', 'rating', 'date', 'source', 'text']);
}

/**
 * All reviews by authors of this name, oldest first, and other names that are shown by these initials, or else that have
 * words which begin like it; case, accents and white space do not matter.
 */
export async function findByAuthor(
  executor: Executor,
  author: string,
): Promise<{ readonly found: FoundReview[]; readonly similar: ReadonlySet<string> }> {
  const wanted = foldAuthor(author);
  const part = wordsOf(wanted);
  const isShort = / \S\p{M}*(?: |$)/u.test(part);
  const found: FoundReview[] = [];
  const [shown, similar] = [new Set<string>(), new Set<string>()];
  for await (const row of foundReviews(executor).orderBy('id').stream(ROWS)) {
    const name = foldAuthor(row.author);
    if (name === wanted) found.push(row);
    else if (isShort && wordsOf(foldAuthor(toInitials(row.author))) === part) shown.add(row.author);
    else if (part !== ' ' && wordsOf(name).includes(part)) similar.add(row.author);
  }
  return { found, similar: shown.size > 0 ? shown : similar };
}

const wordsOf = (name: string) => ` ${name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()}`;

export function listHidden(executor: Executor): Promise<FoundReview[]> {
  const hidden = executor.selectFrom('hidden_reviews').select('review_id');
  return foundReviews(executor).where('id', 'in', hidden).orderBy('id').execute();
}

export async function findStored(
  executor: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundReview>> {
  const found = foundReviews(executor);
  const rows = await forParts(ids, (part) => found.where('id', 'in', part).execute());
  return new Map(rows.map((row) => [row.id, row]));
}
