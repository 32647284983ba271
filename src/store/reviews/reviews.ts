// Loads the stored reviews and the business.

import { type AuthorDisplay, withAuthorShown } from '../../model/author-names.ts';
import { type Business, UNNAMED_BUSINESS } from '../../model/business.ts';
import { NOT_STATED, type Review, type Verification } from '../../model/review.ts';
import { plainText, requiredPlainText } from '../../model/text.ts';
import { methodOf } from '../../model/verification.ts';
import type { Executor } from '../engine.ts';
import type { ReviewRow } from './review-rows.ts';

/** Rows per fetch. */
const ROWS = 1000;

/** Returns the stored business, or `UNNAMED_BUSINESS` before the first import that has one. */
export async function loadBusiness(executor: Executor): Promise<Business> {
  const row = await executor.selectFrom('business').select('record').executeTakeFirst();
  if (!row) return UNNAMED_BUSINESS;
  // Earlier versions stored characters that must not be published.
  return JSON.parse(row.record, (_key, value: unknown) =>
    typeof value === 'string' ? requiredPlainText(value) : value,
  ) as Business;
}

/** Whether there is any review or business, the example included. */
export async function hasContent(executor: Executor): Promise<boolean> {
  const review = await executor.selectFrom('reviews').select('id').limit(1).executeTakeFirst();
  const business = await executor.selectFrom('business').select('id').executeTakeFirst();
  return review !== undefined || business !== undefined;
}

/** The sources of the stored reviews, as they were first published, so that more reviews of one move no other. */
export async function listSources(executor: Executor): Promise<string[]> {
  const logged = executor.selectFrom('reviews').leftJoin('log_reviews', 'review_id', 'id');
  const query = logged.select(['source', ({ fn }) => fn.min('first').as('first')]);
  const rows = await query.groupBy('source').orderBy('source').execute();
  return rows
    .toSorted((a, b) => (a.first ?? Infinity) - (b.first ?? Infinity) || 0)
    .map(({ source }) => source);
}

/** Every verified review that is not hidden, in no particular order, with its author as it is shown. */
export async function loadVerifiedReviews(
  executor: Executor,
  authors: AuthorDisplay,
): Promise<Review[]> {
  const reviews: Review[] = [];
  const rows = executor
    .selectFrom('reviews')
    .selectAll()
    .where('verified', '=', 1)
    .where('id', 'not in', (query) => query.selectFrom('hidden_reviews').select('review_id'))
    .stream(ROWS);
  const verifications = new Verifications();
  for await (const row of rows) {
    reviews.push(withAuthorShown(reviewOfRow(row, verifications), authors));
  }
  return reviews;
}

/** Earlier versions of logged reviews that had other stars than now, oldest first, by the ids of the reviews. */
export async function loadOtherStars(
  executor: Executor,
  authors: AuthorDisplay,
): Promise<ReadonlyMap<string, readonly Review[]>> {
  const rows = await executor
    .selectFrom('review_history as h')
    .innerJoin('log_reviews as l', 'l.review_id', 'h.review_id')
    .innerJoin('reviews as r', 'r.id', 'h.review_id')
    .selectAll('h')
    .whereRef('h.rating', '!=', 'r.rating')
    .orderBy('h.number')
    .execute();
  const verifications = new Verifications();
  const versions = new Map<string, Review[]>();
  for (const { review_id: id, ...row } of rows) {
    const version = withAuthorShown(reviewOfRow({ ...row, id }, verifications), authors);
    versions.set(id, [...(versions.get(id) ?? []), version]);
  }
  return versions;
}

function reviewOfRow(row: Omit<ReviewRow, 'identity'>, verifications: Verifications): Review {
  const text = row.text === null ? null : plainText(row.text) || null;
  return {
    id: row.id,
    // Earlier versions stored characters that must not be published.
    author: requiredPlainText(row.author),
    authorAvatarUrl: row.author_avatar_url,
    rating: row.rating,
    date: row.date,
    text,
    title: row.title !== null && text?.startsWith(row.title) === true ? row.title : null,
    source: requiredPlainText(row.source),
    sourceUrl: row.source_url,
    ownerReply:
      row.owner_reply_text === null
        ? null
        : { text: requiredPlainText(row.owner_reply_text), date: row.owner_reply_date },
    verification: verifications.of(row),
    location: row.location,
    attributes: partsOf<string>(row.attributes),
    ratings: partsOf<number>(row.ratings),
  };
}

function partsOf<T>(json: string | null): Readonly<Record<string, T>> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, T>);
}

/** Equal verifications share one object: a million reviews have few different ones. */
class Verifications {
  readonly #known = new Map<string, Verification>();

  of({
    verified_by,
    verified_level,
    verified_at,
  }: Pick<ReviewRow, 'verified_by' | 'verified_level' | 'verified_at'>): Verification {
    if (verified_by === null && verified_level === null && verified_at === null) return NOT_STATED;
    const key = JSON.stringify([verified_by, verified_level, verified_at]);
    const known = this.#known.get(key) ?? {
      method: verified_by === null ? null : methodOf(plainText(verified_by)) || null,
      sourceLevel: verified_level === null ? null : methodOf(plainText(verified_level)) || null,
      verifiedAt: verified_at,
    };
    this.#known.set(key, known);
    return known;
  }
}
