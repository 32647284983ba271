// Compares what a server publishes with what its log says: every review, and every total that both determine.

import { aggregateRating } from '../model/rating.ts';
import { ROUTES } from '../model/routes.ts';
import { type JsonValue, saltedDigest } from './canonical.ts';
import { loggedSource, starsIn, sum } from './entries.ts';
import type { Replay } from './replay.ts';
import {
  isObject,
  isSame,
  LogProblem,
  type PublishedReview,
  readJson,
  type ReadPath,
  tell,
} from './served.ts';

/** The longest `/verification.json`, and the longest salt of a review with its id. */
const MAX_COUNTS_BYTES = 1024 * 1024;
const MAX_SALT_BYTES = 256;

export function starsOf(rating: number): string {
  return rating === 1 ? '1 star' : `${rating} stars`;
}

/** Compares `/reviews.json` with a log of `size` entries. Returns the published reviews. @throws {LogProblem} */
export async function comparePublished(
  read: ReadPath,
  size: number,
  replay: Replay,
): Promise<readonly PublishedReview[]> {
  const salts = await readSalts(read, size, replay.reviews.size);
  const dataset = await readJson(read, ROUTES.getReviews.path);
  if (!isDataset(dataset)) {
    throw new LogProblem(`${ROUTES.getReviews.path} is not as this program writes it`);
  }
  const logged = new Map([...replay.reviews.values()].map((each) => [each.last, each.entry]));
  for (const review of dataset.reviews) {
    const [index, salt] = salts.get(review.id) ?? [-1, ''];
    const entry = logged.get(index);
    if (!entry)
      throw new LogProblem(`review ${review.id} is published, and the log does not have it`);
    logged.delete(index);
    const isAsLogged =
      entry.digest === digestOf(salt, review) &&
      entry.rating === review.rating &&
      entry.date === review.date &&
      entry.source === loggedSource(review.source);
    if (!isAsLogged) {
      throw new LogProblem(
        `review ${review.id} is not as entry ${index} says: it was changed without an entry`,
      );
    }
  }
  const [left] = logged;
  if (left) {
    const [index, { rating, date, source }] = left;
    throw new LogProblem(
      `entry ${index} says that a review with ${starsOf(rating)} of ${date} from ${source} is published, ` +
        `and it is not: it was removed without an entry`,
    );
  }
  const expected = aggregateRating(dataset.reviews);
  const told = dataset.aggregate_rating ?? null;
  if (!isSame(told, expected)) {
    throw new LogProblem(
      `the aggregate_rating of ${ROUTES.getReviews.path} is not that of its reviews: expected ` +
        `${expected.rating_value} of ${expected.review_count}, got ${meanOf(told)}`,
    );
  }
  return dataset.reviews;
}

function meanOf(aggregate: JsonValue): string {
  const { rating_value: mean, review_count: count } = isObject(aggregate) ? aggregate : {};
  return `${tell(mean ?? null)} of ${tell(count ?? null)}, or other counts`;
}

/** Null for a record that is too deep to be written. */
function digestOf(salt: string, review: PublishedReview): string | null {
  try {
    return saltedDigest(salt, review);
  } catch {
    return null;
  }
}

/** By the id of the review: the index of its newest entry, and its salt. */
async function readSalts(
  read: ReadPath,
  size: number,
  reviews: number,
): Promise<ReadonlyMap<string, readonly [number, string]>> {
  const { path } = ROUTES.getLogSalts;
  const json = await readJson(read, path, MAX_COUNTS_BYTES + reviews * MAX_SALT_BYTES);
  const salts = isObject(json) ? json : {};
  if (salts['size'] !== size) {
    throw new LogProblem(
      `${path} belongs to a log of ${tell(salts['size'] ?? null)} entries, and the checkpoint to ${size}: ` +
        'something was published meanwhile, or the files do not belong together',
    );
  }
  const byId = Object.entries(isObject(salts['reviews']) ? salts['reviews'] : {});
  return new Map(
    byId.map(([id, opening]) => {
      const [index, salt] = Array.isArray(opening) ? (opening as JsonValue[]) : [];
      if (typeof index !== 'number' || typeof salt !== 'string') {
        throw new LogProblem(`${path} has no entry and salt for the review ${id}`);
      }
      return [id, [index, salt] as const];
    }),
  );
}

interface ServedDataset {
  readonly reviews: readonly PublishedReview[];
  readonly aggregate_rating?: JsonValue;
}

function isDataset(value: JsonValue): value is JsonValue & ServedDataset {
  if (!isObject(value) || !Array.isArray(value['reviews'])) return false;
  return (value['reviews'] as JsonValue[]).every(
    (review) =>
      isObject(review) &&
      typeof review['rating'] === 'number' &&
      ['id', 'date', 'source'].every((key) => typeof review[key] === 'string'),
  );
}

/** @throws {LogProblem} unless `/verification.json` has the totals of the log */
export async function compareCounts(read: ReadPath, replay: Replay): Promise<void> {
  const { path } = ROUTES.getVerification;
  const served = await readJson(read, path, MAX_COUNTS_BYTES);
  const counts = isObject(served) ? served : {};
  const [withheld, removed] = ['withheld', 'removed'].map((key) =>
    isObject(counts[key]) ? counts[key] : {},
  ) as [Record<string, JsonValue>, Record<string, JsonValue>];
  const byStars = starsIn(replay.removedCounts);
  const edits = replay.starChanges;
  const byReason = isObject(withheld['by_reason']) ? withheld['by_reason'] : {};
  const expected: readonly (readonly [what: string, told: JsonValue, counted: JsonValue])[] = [
    ['published', counts['published'] ?? null, replay.reviews.size],
    ['published by method', sumOfCounts(counts['methods']), replay.reviews.size],
    ['withheld', withheld['total'] ?? null, sum(starsIn(replay.publication?.withheld ?? {}))],
    ['withheld by reason', sum(Object.values(byReason).map(Number)), withheld['total'] ?? null],
    ['removed', removed['total'] ?? null, sum(byStars)],
    ['removed by reason', removed['by_reason'] ?? null, Object.fromEntries(replay.reasons)],
    [
      'removed by stars',
      removed['by_rating'] ?? null,
      Object.fromEntries(byStars.map((count, star) => [star + 1, count])),
    ],
    [
      'edited',
      counts['edited'] ?? null,
      { total: sum(edits.map(({ count }) => count)), stars: edits },
    ],
  ];
  for (const [what, told, counted] of expected) {
    if (!isSame(told, counted)) {
      throw new LogProblem(`${path} says ${what}: ${tell(told)}, and the log ${tell(counted)}`);
    }
  }
}

function sumOfCounts(list: JsonValue | undefined): number {
  return sum(
    (Array.isArray(list) ? list : []).map((one) => (isObject(one) ? Number(one['count']) : 0)),
  );
}
