// The list of removed reviews that no import brings back. It has keyed digests of what identifies a review,
// never its text: without the key, which is a secret of the store, nobody can test whether a text is on it.

import { createHmac, randomBytes } from 'node:crypto';
import { foldAuthor } from '../../model/fold.ts';
import { plainText } from '../../model/text.ts';
import { withoutTitle } from '../../model/title.ts';
import { type Executor, exists } from '../engine.ts';
import { partsOf, ROWS } from '../parts.ts';
import type { ReviewRow } from './review-rows.ts';
import { createSecret, loadSecret } from '../secrets.ts';

const KEY = 'suppression_key';
const KEY_BYTES = 32;

type ReviewIdentity = Pick<
  ReviewRow,
  'id' | 'identity' | 'source' | 'author' | 'date' | 'title' | 'text'
>;

/** Where the identity of a review comes from (see intake/record.ts): ids of different kinds are incomparable. */
const KINDS = ['id', 'source', 'content'] as const;

function kindOf({ identity }: ReviewIdentity): (typeof KINDS)[number] {
  if (identity.startsWith('id:')) return 'id';
  return identity.startsWith('content:') ? 'content' : 'source';
}

/** The names of what a review says: with its title, and without. */
function contentNames(review: ReviewIdentity, kind: string): string[] {
  const bare = withoutTitle(review);
  const names = [contentName(review, kind)];
  return bare === null || bare === review.text
    ? names
    : [...names, contentName({ ...review, text: bare }, kind)];
}

/** The words of a review, or for a rating without words its author and date, of one kind of identity. */
function contentName(review: ReviewIdentity, kind: string): string {
  const { source, author, date, text } = review;
  const words = text === null ? null : plainText(text) || null;
  const named = JSON.stringify([plainText(source), plainText(author), date, words]);
  return words === null ? `rating ${kind} ${named}` : `content ${named}`;
}

/** With the author as `forget` finds authors. */
function folded(review: ReviewIdentity): ReviewIdentity {
  return { ...review, author: foldAuthor(review.author) };
}

function removedNames(review: ReviewIdentity): string[] {
  return [review.identity, `id:${review.id}`, ...contentNames(folded(review), kindOf(review))];
}

/**
 * What suppresses a row of an import. Ratings without words by one author on one day are different
 * reviews if their ids are of the same kind of a source and differ. Equal words are the same review.
 */
function importedNames(review: ReviewIdentity): string[] {
  const kinds = KINDS.filter((kind) => kind === 'content' || kind !== kindOf(review));
  // Earlier versions listed authors as they are written.
  const contents = [folded(review), review].flatMap((each) =>
    kinds.flatMap((kind) => contentNames(each, kind)),
  );
  return [review.identity, `id:${review.id}`, ...new Set(contents)];
}

/** Adds removed reviews to the list. Call it in the transaction that deletes them. */
export async function suppress(
  transaction: Executor,
  reviews: readonly ReviewIdentity[],
): Promise<void> {
  await suppressNames(transaction, reviews.flatMap(removedNames));
}

/** Adds what is kept beside reviews with these ids: their other identities, and their earlier versions. */
export async function suppressBeside(transaction: Executor, ids: readonly string[]): Promise<void> {
  const identities = await transaction
    .selectFrom('review_identities')
    .select('identity')
    .where('review_id', 'in', ids)
    .execute();
  const versions = await transaction
    .selectFrom('review_history as h')
    .innerJoin('reviews as r', 'r.id', 'h.review_id')
    .select(['r.id', 'r.identity', 'h.source', 'h.author', 'h.date', 'h.title', 'h.text'])
    .where('h.review_id', 'in', ids)
    .execute();
  await suppressNames(transaction, [
    ...identities.map(({ identity }) => identity),
    ...versions.flatMap(removedNames),
  ]);
}

async function suppressNames(transaction: Executor, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const key = await createSecret(transaction, KEY, randomBytes(KEY_BYTES).toString('base64url'));
  const digests = [...new Set(names.map((name) => digestOf(key, name)))];
  for (const some of partsOf(digests)) {
    await transaction
      .insertInto('suppressions')
      .values(some.map((digest) => ({ digest })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function isSuppressed(executor: Executor, id: string): Promise<boolean> {
  return exists(
    executor
      .selectFrom('suppressions')
      .select('digest')
      .where('digest', '=', await keyedDigest(executor, `id:${id}`)),
  );
}

/** The digest of a name under the key of the list; null before the first removal. */
export async function keyedDigest(executor: Executor, name: string): Promise<string | null> {
  const key = await loadSecret(executor, KEY);
  return key === null ? null : digestOf(key, name);
}

/**
 * Deletes the staged rows of removed reviews; returns their number. A row of a review that is stored stays:
 * it is another one, whose words are the same.
 */
export async function dropSuppressed(executor: Executor): Promise<number> {
  const key = await loadSecret(executor, KEY);
  if (key === null) return 0;
  const listed = await executor.selectFrom('suppressions').select('digest').execute();
  const digests = new Set(listed.map(({ digest }) => digest));
  const sequences: number[] = [];
  const rows = executor
    .selectFrom('staged_reviews')
    .select(['sequence', 'id', 'identity', 'source', 'author', 'date', 'title', 'text'])
    .stream(ROWS);
  for await (const { sequence, ...review } of rows) {
    if (importedNames(review).some((name) => digests.has(digestOf(key, name)))) {
      sequences.push(sequence);
    }
  }
  let dropped = 0;
  for (const some of partsOf(sequences)) {
    const { numDeletedRows } = await executor
      .deleteFrom('staged_reviews')
      .where('sequence', 'in', some)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('reviews')
              .select('reviews.id')
              .where((stored) =>
                stored.or([
                  stored('reviews.id', '=', stored.ref('staged_reviews.id')),
                  stored('reviews.identity', '=', stored.ref('staged_reviews.identity')),
                ]),
              ),
          ),
        ),
      )
      .executeTakeFirstOrThrow();
    dropped += Number(numDeletedRows);
  }
  return dropped;
}

function digestOf(key: string, name: string): string {
  return createHmac('sha256', key).update(name).digest('base64url');
}
