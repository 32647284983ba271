// How the reviews changed over time: figures for each month, and whether the change of the mean rating is
// statistically significant.

import { dateBefore } from '../../model/date.ts';
import type { Comparison, Month, ReviewInsights, SubjectChange } from '../../model/insights.ts';
import { shareInterval } from '../../model/leaning.ts';
import { mean, roundTo } from '../../model/rating.ts';
import type { Review } from '../../model/review.ts';
import { type Moments, momentsOf, welchMargin } from './intervals.ts';
import type { MentionIndex } from './mentions.ts';

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
  const months = [...Map.groupBy(reviews, ({ date }) => date.slice(0, 7))].toReversed();
  return months.map(([month, own]) => {
    const entries = own.flatMap(({ id }) => perReview.get(id) ?? []);
    const positive = entries.filter(({ sentiment }) => sentiment === 'positive').length;
    const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
    return {
      month,
      review_count: own.length,
      average_rating: mean(sum(own.map(({ rating }) => rating)), own.length),
      score: mean(sum(entries.map(({ score }) => score)), own.length),
      positive_pct: roundTo((100 * positive) / own.length, 1),
    };
  });
}

/**
 * Compares the ratings of the twelve months up to the newest review with those of the twelve months before, or of six or
 * three months if the reviews do not go back far enough; the trend is stable unless the difference is significant. Null if
 * no period has enough ratings on both sides.
 *
 * @param reviews newest first
 */
export function compareWithPast(reviews: readonly Review[]): Comparison | null {
  const newest = reviews[0]?.date ?? '';
  for (const months of PERIODS) {
    const [since, before] = [months, 2 * months].map(
      (count) => dateBefore(newest, `${count}m`) ?? '',
    ) as [string, string];
    const within = (from: string, to: string) =>
      momentsOf(reviews.flatMap(({ date, rating }) => (date > from && date <= to ? rating : [])));
    const [recent, earlier] = [within(since, newest), within(before, since)];
    if (recent.count < MIN_RATINGS || earlier.count < MIN_RATINGS) continue;
    const difference = recent.mean - earlier.mean;
    const isStable = Math.abs(difference) <= welchMargin(recent, earlier);
    const trend = isStable ? 'stable' : difference > 0 ? 'improving' : 'declining';
    const told = ({ count, mean: average }: Moments) => ({
      review_count: count,
      average_rating: roundTo(average, 2),
    });
    return { months, since, before, trend, recent: told(recent), earlier: told(earlier) };
  }
  return null;
}

/** A change is told of so many complaints, and of so many times as large a share, whose 95% intervals do not overlap. */
const MIN_COMPLAINTS = 5;
const LIFT = 2;

/** The subjects of which a clearly larger or smaller share of the reviews of the last twelve months complains than before. */
export function changesIn(
  reviews: readonly Review[],
  mentions: MentionIndex,
  subjects: Readonly<Record<SubjectChange['list'], readonly { readonly id: string }[]>>,
): SubjectChange[] {
  const since = dateBefore(reviews[0]?.date ?? '', '12m') ?? '';
  const recent = reviews.filter(({ date }) => date > since).length;
  return (['aspects', 'problems'] as const).flatMap((list) =>
    subjects[list].flatMap(({ id }) => {
      const all = mentions.of(list, id).filter((one) => one.mention.sentiment === 'negative');
      const late = all.filter(({ review }) => review.date > since).length;
      const [part, of] = [all.length - late, reviews.length - recent];
      const [now, then] = [shareInterval(late, recent), shareInterval(part, of)];
      const isMore = late * of >= LIFT * part * recent && now.low > then.high;
      const isFewer = part * recent >= LIFT * late * of && now.high < then.low;
      if (all.length < MIN_COMPLAINTS || !(isMore || isFewer)) return [];
      const told = { before: { complaint_count: part, review_count: of } };
      const lately = { complaint_count: late, review_count: recent };
      return [{ list, id, trend: isMore ? 'more' : 'fewer', ...told, recent: lately }];
    }),
  );
}
