// The aggregate rating of a set of reviews.

import { z } from 'zod';
import type { Review } from './review.ts';

const countSchema = z.int().min(0);
const meanSchema = z.number().min(1).max(5).nullable();

export const aggregateRatingSchema = z.strictObject({
  rating_value: meanSchema.meta({ description: 'mean with two decimals, null without reviews' }),
  review_count: z.int().min(0),
  best_rating: z.literal(5),
  worst_rating: z.literal(1),
  distribution: z.strictObject({
    '1': countSchema,
    '2': countSchema,
    '3': countSchema,
    '4': countSchema,
    '5': countSchema,
  }),
  by_source: z.record(
    z.string(),
    z.strictObject({ rating_value: meanSchema, review_count: z.int().min(0) }),
  ),
});

export type AggregateRatingJson = z.infer<typeof aggregateRatingSchema>;

/** Computes the aggregate rating; `by_source` is in alphabetical order. */
export function aggregateRating(
  reviews: readonly Pick<Review, 'rating' | 'source'>[],
): AggregateRatingJson {
  const counts: [number, number, number, number, number] = [0, 0, 0, 0, 0];
  const bySource = new Map<string, { sum: number; count: number }>();
  let sum = 0;
  for (const { rating, source } of reviews) {
    sum += rating;
    counts[rating - 1]! += 1;
    let tally = bySource.get(source);
    if (!tally) bySource.set(source, (tally = { sum: 0, count: 0 }));
    tally.sum += rating;
    tally.count += 1;
  }
  const [one, two, three, four, five] = counts;
  return {
    rating_value: mean(sum, reviews.length),
    review_count: reviews.length,
    best_rating: 5,
    worst_rating: 1,
    distribution: { '1': one, '2': two, '3': three, '4': four, '5': five },
    by_source: Object.fromEntries(
      [...bySource]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([source, tally]) => [
          source,
          { rating_value: mean(tally.sum, tally.count), review_count: tally.count },
        ]),
    ),
  };
}

/** The mean with one decimal, from the counts: that of the mean with two would be rounded twice. Null without reviews. */
export function shownMean({
  review_count: count,
  distribution,
}: Pick<AggregateRatingJson, 'review_count' | 'distribution'>): number | null {
  const sum = Object.entries(distribution).reduce((all, [star, n]) => all + Number(star) * n, 0);
  return count === 0 ? null : roundTo(sum / count, 1);
}

/** The mean with two decimals; null if `count` is 0. */
export function mean(sum: number, count: number): number | null {
  return count === 0 ? null : roundTo(sum / count, 2);
}

/** Rounds half away from zero; never returns -0. */
export function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  const rounded = (Math.sign(value) * Math.round(Math.abs(value) * factor + 1e-9)) / factor;
  return rounded === 0 ? 0 : rounded;
}
