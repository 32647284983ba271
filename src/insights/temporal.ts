// How the reviews changed over time: a figure for each month, and whether the change is more than
// noise.

import type { Insights, Month, ReviewInsights } from '../model/insights.ts';
import { mean, roundTo } from '../model/rating.ts';
import type { Review } from '../model/review.ts';

type Trend = Insights['temporal']['trend'];

/** A change counts where it is this many standard errors away from none (95%). */
const SIGNIFICANT = 1.96;
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

/**
 * Compares the ratings of the twelve months up to the newest review with those of the twelve months
 * before: "stable" unless the means differ by more than chance explains (Welch's test at 95%).
 */
export function trendOf(reviews: readonly Review[]): Trend {
  const newest = reviews[0];
  if (!newest) return 'stable';
  const yearAgo = yearsBefore(newest.date, 1);
  const twoYearsAgo = yearsBefore(newest.date, 2);
  const now = reviews.filter(({ date }) => date > yearAgo);
  const then = reviews.filter(({ date }) => date <= yearAgo && date > twoYearsAgo);
  if (now.length < ENOUGH || then.length < ENOUGH) return 'stable';
  const a = moments(now);
  const b = moments(then);
  const change = a.mean - b.mean;
  const error = Math.sqrt(a.variance / now.length + b.variance / then.length);
  if (change === 0 || Math.abs(change) <= SIGNIFICANT * error) return 'stable';
  return change > 0 ? 'improving' : 'declining';
}

function moments(reviews: readonly Review[]): { mean: number; variance: number } {
  const average = reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length;
  const squares = reviews.reduce((sum, { rating }) => sum + (rating - average) ** 2, 0);
  return { mean: average, variance: squares / (reviews.length - 1) };
}

/** The same day so many years earlier, as text that dates compare with. */
function yearsBefore(date: string, years: number): string {
  return String(Number(date.slice(0, 4)) - years).padStart(4, '0') + date.slice(4);
}
