// How the reviews changed over time: a figure for each month, and whether the change is more than
// noise.

import type { Insights, Month, ReviewInsights } from '../../model/insights.ts';
import { mean, roundTo } from '../../model/rating.ts';
import type { Review } from '../../model/review.ts';
import { type Moments, momentsOf, welchMargin } from './intervals.ts';

type Trend = Insights['temporal']['trend'];

/** Lengths of the periods that are compared, in months: the first that both sides fill. */
const PERIODS = [12, 6, 3];
/** With fewer ratings on either side no trend is claimed. */
const ENOUGH = 10;

/** The months that have reviews, oldest first. Reviews must come newest first. */
export function monthlyFigures(
  reviews: readonly Review[],
  perReview: ReadonlyMap<string, ReviewInsights>,
): Month[] {
  const months = new Map<
    string,
    { count: number; stars: number; score: number; positive: number }
  >();
  for (const review of reviews) {
    const month = review.date.slice(0, 7);
    const sums = months.get(month) ?? { count: 0, stars: 0, score: 0, positive: 0 };
    const insights = perReview.get(review.id);
    sums.count += 1;
    sums.stars += review.rating;
    sums.score += insights?.score ?? 0;
    sums.positive += insights?.sentiment === 'positive' ? 1 : 0;
    months.set(month, sums);
  }
  return [...months]
    .map(([month, sums]) => ({
      month,
      review_count: sums.count,
      average_rating: mean(sums.stars, sums.count),
      score: mean(sums.score, sums.count),
      positive_pct: roundTo((100 * sums.positive) / sums.count, 1),
    }))
    .toReversed();
}

/** The ratings of the newest months against those of as many months before. */
export interface Change {
  /** Length of either period. */
  readonly months: number;
  readonly recent: Moments;
  readonly earlier: Moments;
  /** The newer period begins behind this day, the older behind that. */
  readonly since: string;
  readonly before: string;
  /** What the newer mean is above the older, and how much of that chance may explain (95%). */
  readonly difference: number;
  readonly margin: number;
  readonly trend: Trend;
}

/**
 * Compares the ratings of the twelve months up to the newest review with those of the twelve months
 * before; with six or three months where the reviews do not reach back so far. Null where no period
 * has ratings enough on either side. Reviews must come newest first.
 */
export function changeOf(reviews: readonly Review[]): Change | null {
  const newest = reviews[0];
  if (!newest) return null;
  for (const months of PERIODS) {
    const start = monthsBefore(newest.date, months);
    const end = monthsBefore(newest.date, 2 * months);
    const [recent, earlier] = [
      momentsOf(ratingsWithin(reviews, start, newest.date)),
      momentsOf(ratingsWithin(reviews, end, start)),
    ];
    if (recent.count < ENOUGH || earlier.count < ENOUGH) continue;
    const difference = recent.mean - earlier.mean;
    const margin = welchMargin(recent, earlier);
    const trend =
      Math.abs(difference) <= margin ? 'stable' : difference > 0 ? 'improving' : 'declining';
    return { months, recent, earlier, since: start, before: end, difference, margin, trend };
  }
  return null;
}

/** The ratings behind one day and up to another; reviews come newest first. */
function ratingsWithin(reviews: readonly Review[], from: string, to: string): number[] {
  const ratings: number[] = [];
  for (const { date, rating } of reviews) {
    if (date <= from) break;
    if (date <= to) ratings.push(rating);
  }
  return ratings;
}

/** "stable" unless the mean rating changed by more than chance explains. */
export function trendOf(reviews: readonly Review[]): Trend {
  return changeOf(reviews)?.trend ?? 'stable';
}

/** The same day so many months earlier, as text that dates compare with: the 31st of a shorter month
 * comes behind all of its days. */
export function monthsBefore(date: string, months: number): string {
  const count = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 - months;
  const year = String(Math.floor(count / 12)).padStart(4, '0');
  const month = String((((count % 12) + 12) % 12) + 1).padStart(2, '0');
  return `${year}-${month}${date.slice(7)}`;
}
