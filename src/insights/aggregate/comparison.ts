// The last months of a business compared with its own months before: rating and number of reviews.

import type { Comparison } from '../../model/insights.ts';
import { roundTo } from '../../model/rating.ts';
import type { Review } from '../../model/review.ts';
import { changeOf } from './temporal.ts';

/**
 * Null if no period has enough ratings.
 *
 * @param reviews newest first
 */
export function compareWithPast(reviews: readonly Review[]): Comparison | null {
  const change = changeOf(reviews);
  if (change === null) return null;
  const { months, recent, earlier, since, before, trend } = change;
  return {
    months,
    since,
    before,
    trend,
    recent: { review_count: recent.count, average_rating: roundTo(recent.mean, 2) },
    earlier: { review_count: earlier.count, average_rating: roundTo(earlier.mean, 2) },
  };
}
