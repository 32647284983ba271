// Episodes: runs of months in which the ratings differed from all others by more than chance explains, found
// by circular binary segmentation, with what customers complained about or praised then.

import { dateBefore } from '../../model/date.ts';
import type { Episode, Month, Sentiment } from '../../model/insights.ts';
import { roundTo } from '../../model/rating.ts';
import type { Review } from '../../model/review.ts';
import type { MentionIndex } from './mentions.ts';

/** An episode has at least this many reviews, and differs by at least this many stars. */
const MIN_REVIEWS = 8;
const MIN_DIFFERENCE = 0.6;
/** The least difference in standard errors. It is high because every run of months is tried. */
const MIN_STANDARD_ERRORS = 4;
/** An episode is shorter than this share of the months that it is compared with. */
const MAX_SHARE = 0.5;
const MAX_EPISODES = 3;
const MAX_CAUSES = 3;
/** The least number of mentions of a cause within the episode. */
const MIN_MENTIONS = 3;
/** A cause is mentioned at least this many times as often as in the other reviews. */
const MIN_LIFT = 1.5;
const EXAMPLES = 5;

/** An aspect or a problem. */
interface Named {
  readonly id: string;
}

/** Months [from, to) of the series. */
interface Run {
  readonly from: number;
  readonly to: number;
}

interface Sums {
  readonly count: number;
  readonly stars: number;
  readonly squares: number;
}

/**
 * The episodes, oldest first; `causes` is empty.
 *
 * @param reviews newest first
 * @param months those of `temporal.monthly`, oldest first
 */
export function findEpisodes(
  reviews: readonly Review[],
  months: readonly Month[],
  mentions: MentionIndex,
  causes: { readonly aspects: readonly Named[]; readonly problems: readonly Named[] },
): Episode[] {
  const series = new Series(reviews, months);
  return segment(series, { from: 0, to: months.length })
    .filter((run) => series.distance(run) > 0)
    .toSorted((a, b) => series.distance(b) - series.distance(a) || a.from - b.from)
    .slice(0, MAX_EPISODES)
    .toSorted((a, b) => a.from - b.from)
    .map((run) => {
      const inside = series.sumsOf(run);
      const yearBefore = dateBefore(`${months[run.from]!.month}-01`, '12m')?.slice(0, 7) ?? '';
      const start = months.findIndex(({ month }) => month >= yearBefore);
      const before = series.sumsOf({ from: start, to: run.from });
      const after = series.sumsOf({ from: run.to, to: months.length });
      const kind = series.difference(run) < 0 ? 'dip' : 'rise';
      const [from, to] = [months[run.from]!.month, months[run.to - 1]!.month];
      const isWithin = ({ date }: Review) => date.slice(0, 7) >= from && date.slice(0, 7) <= to;
      const sentiment: Sentiment = kind === 'dip' ? 'negative' : 'positive';
      const causesAmong = (list: 'aspects' | 'problems') =>
        causesOf(causes[list], inside.count / reviews.length, ({ id }) =>
          mentions
            .of(list, id)
            .flatMap(({ mention, review }) =>
              mention.sentiment === sentiment ? isWithin(review) : [],
            ),
        );
      return {
        kind,
        from,
        to,
        review_count: inside.count,
        average_rating: meanOf(inside),
        average_before: before.count >= MIN_REVIEWS ? meanOf(before) : null,
        average_after: after.count >= MIN_REVIEWS ? meanOf(after) : null,
        is_over:
          after.count >= MIN_REVIEWS &&
          (after.count >= ENOUGH_AFTER || months.length - run.to >= MONTHS_AFTER),
        aspects: causesAmong('aspects'),
        problems: kind === 'dip' ? causesAmong('problems') : [],
        causes: [],
        example_review_ids: examplesOf(reviews.filter(isWithin), kind),
      };
    });
}

/** Reviews, or months, after which it is known whether an episode is over. */
const ENOUGH_AFTER = 20;
const MONTHS_AFTER = 3;

/** The stars of each month, summed so that those of any run are known at once. */
class Series {
  readonly #until: Sums[] = [{ count: 0, stars: 0, squares: 0 }];

  constructor(reviews: readonly Review[], months: readonly Month[]) {
    const byMonth = Map.groupBy(reviews, ({ date }) => date.slice(0, 7));
    for (const { month } of months) {
      let { count, stars, squares } = this.#until.at(-1)!;
      for (const { rating } of byMonth.get(month) ?? []) {
        count += 1;
        stars += rating;
        squares += rating * rating;
      }
      this.#until.push({ count, stars, squares });
    }
  }

  sumsOf({ from, to }: Run): Sums {
    return subtract(this.#until[to]!, this.#until[from]!);
  }

  /** The mean of a run minus that of the other months of a longer one, by default of all. */
  difference(run: Run, within: Run = { from: 0, to: this.#until.length - 1 }): number {
    const inside = this.sumsOf(run);
    const outside = subtract(this.sumsOf(within), inside);
    return inside.stars / inside.count - outside.stars / outside.count;
  }

  /** The absolute difference in standard errors; 0 if it is no episode. */
  distance(run: Run, within: Run = { from: 0, to: this.#until.length - 1 }): number {
    const all = this.sumsOf(within);
    const inside = this.sumsOf(run);
    const outside = subtract(all, inside);
    if (inside.count < MIN_REVIEWS || outside.count < MIN_REVIEWS) return 0;
    if (inside.count > MAX_SHARE * all.count) return 0;
    const difference = this.difference(run, within);
    if (Math.abs(difference) < MIN_DIFFERENCE) return 0;
    const squares = deviations(inside) + deviations(outside);
    const variance = squares / (inside.count + outside.count - 2);
    // Equal stars on each side still have the rounding of one star.
    const error = Math.sqrt(Math.max(variance, 1 / 12) * (1 / inside.count + 1 / outside.count));
    return Math.abs(difference) / error;
  }
}

/** The most distant run of months, then those before and after it. */
function segment(series: Series, within: Run): Run[] {
  let best: Run | null = null;
  let most = MIN_STANDARD_ERRORS;
  for (let from = within.from; from < within.to; from += 1) {
    for (let to = from + 1; to <= within.to; to += 1) {
      const distance = series.distance({ from, to }, within);
      if (distance <= most) continue;
      most = distance;
      best = { from, to };
    }
  }
  if (best === null) return [];
  return [
    ...segment(series, { from: within.from, to: best.from }),
    best,
    ...segment(series, { from: best.to, to: within.to }),
  ];
}

function subtract(a: Sums, b: Sums): Sums {
  return { count: a.count - b.count, stars: a.stars - b.stars, squares: a.squares - b.squares };
}

function meanOf({ count, stars }: Sums): number {
  return roundTo(stars / count, 2);
}

function deviations({ count, stars, squares }: Sums): number {
  return squares - stars ** 2 / count;
}

/**
 * The ids of what was mentioned clearly more often within an episode, most additional mentions first.
 *
 * @param share of all reviews that are within it
 * @param mentionsOf whether each mention is within it
 */
function causesOf(
  among: readonly Named[],
  share: number,
  mentionsOf: (one: Named) => readonly boolean[],
): string[] {
  return among
    .flatMap((one) => {
      const mentions = mentionsOf(one);
      const inside = mentions.filter(Boolean).length;
      const expected = ((mentions.length - inside) * share) / (1 - share);
      if (inside < MIN_MENTIONS || inside < MIN_LIFT * expected) return [];
      return [{ id: one.id, excess: inside - expected }];
    })
    .toSorted((a, b) => b.excess - a.excess || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_CAUSES)
    .map(({ id }) => id);
}

/** Reviews of the episode that show it, newest first. */
function examplesOf(reviews: readonly Review[], kind: Episode['kind']): string[] {
  const typical = reviews.filter(
    ({ rating, text }) => text !== null && (kind === 'dip' ? rating <= 2 : rating >= 4),
  );
  return typical.slice(0, EXAMPLES).map(({ id }) => id);
}
