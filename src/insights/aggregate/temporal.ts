// How the reviews changed over time: figures for each month, and whether the change of the mean rating is
// statistically significant.

import type { Insights, Month, ReviewInsights } from '../../model/insights.ts';
import { mean, roundTo } from '../../model/rating.ts';
import type { Review } from '../../model/review.ts';
import { type Moments, momentsOf, welchMargin } from './intervals.ts';

type Trend = Insights['temporal']['trend'];

/** Lengths of the compared periods in months; the first one with enough ratings on both sides counts. */
const PERIODS = [12, 6, 3];
/** The least number of ratings in each period. */
const MIN_RATINGS = 10;

/**
 * The months that have reviews, oldest first.
 *
 * @param reviews newest first
 */
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

/** The ratings of a recent period compared with those of the period before. */
export interface Change {
  /** The length of each period. */
  readonly months: number;
  readonly recent: Moments;
  readonly earlier: Moments;
  /** The recent period begins after `since`, the earlier one after `before`. */
  readonly since: string;
  readonly before: string;
  /** Recent mean minus earlier mean, and the margin of error of that (95%). */
  readonly difference: number;
  readonly margin: number;
  readonly trend: Trend;
}

/**
 * Compares the ratings of the twelve months up to the newest review with those of the twelve months
 * before, or of six or three months if the reviews do not go back far enough. Null if no period has
 * enough ratings on both sides.
 *
 * @param reviews newest first
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
    if (recent.count < MIN_RATINGS || earlier.count < MIN_RATINGS) continue;
    const difference = recent.mean - earlier.mean;
    const margin = welchMargin(recent, earlier);
    const trend =
      Math.abs(difference) <= margin ? 'stable' : difference > 0 ? 'improving' : 'declining';
    return { months, recent, earlier, since: start, before: end, difference, margin, trend };
  }
  return null;
}

/** The ratings after the day `from` up to the day `to`. */
function ratingsWithin(reviews: readonly Review[], from: string, to: string): number[] {
  const ratings: number[] = [];
  for (const { date, rating } of reviews) {
    if (date <= from) break;
    if (date <= to) ratings.push(rating);
  }
  return ratings;
}

/** "stable" unless the mean rating changed significantly. */
export function trendOf(reviews: readonly Review[]): Trend {
  return changeOf(reviews)?.trend ?? 'stable';
}

/** The same day some months earlier, as text for comparison with dates: it may be the 31st of a shorter
 * month, which sorts after all days of that month. */
function monthsBefore(date: string, months: number): string {
  const count = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 - months;
  const year = String(Math.floor(count / 12)).padStart(4, '0');
  const month = String((((count % 12) + 12) % 12) + 1).padStart(2, '0');
  return `${year}-${month}${date.slice(7)}`;
}
