// The last months of a business compared with its own months before: rating, number of reviews, and the aspects
// and problems that rose or fell by more than chance explains: Holm's method corrects for the many that are compared.

import type { Comparison } from '../../model/insights.ts';
import { roundTo } from '../../model/rating.ts';
import { fisherExact, holdTogether, type Share } from '../../model/significance.ts';
import type { Review } from '../../model/review.ts';
import type { IndexedMention, MentionIndex } from './mentions.ts';
import { changeOf } from './temporal.ts';

/** The least number of opinions on an aspect in each period. */
const MIN_OPINIONS = 10;
/** The least number of reviews that mention a problem, both periods together. */
const MIN_PROBLEM = 5;
const MAX_CHANGES = 6;
const EXAMPLES = 5;

interface Named {
  readonly id: string;
}

interface Candidate {
  readonly change: Comparison['changes'][number];
  /** The chance of such a difference without a change. */
  readonly p: number;
}

/**
 * Null if no period has enough ratings.
 *
 * @param reviews newest first
 */
export function compareWithPast(
  reviews: readonly Review[],
  mentions: MentionIndex,
  {
    aspects,
    problems,
  }: { readonly aspects: readonly Named[]; readonly problems: readonly Named[] },
): Comparison | null {
  const change = changeOf(reviews);
  if (change === null) return null;
  const { months, recent, earlier, since, before, trend } = change;
  const periodOf = ({ date }: Review) => (date > since ? 'now' : date > before ? 'then' : null);
  const sizes = { now: recent.count, past: earlier.count };
  const changes = [
    ...aspects.flatMap(({ id }) => changeOfAspect(id, mentions.of('aspects', id), periodOf)),
    ...problems.flatMap(({ id }) =>
      changeOfProblem(id, mentions.of('problems', id), periodOf, sizes),
    ),
  ];
  return {
    months,
    since,
    before,
    trend,
    recent: { review_count: recent.count, average_rating: roundTo(recent.mean, 2) },
    earlier: { review_count: earlier.count, average_rating: roundTo(earlier.mean, 2) },
    changes: holdTogether(changes)
      .toSorted((a, b) => a.p - b.p || (a.change.id < b.change.id ? -1 : 1))
      .slice(0, MAX_CHANGES)
      .map((one) => one.change),
  };
}

type PeriodOf = (review: Review) => 'now' | 'then' | null;

function changeOfAspect(
  id: string,
  mentions: readonly IndexedMention[],
  periodOf: PeriodOf,
): Candidate[] {
  const opinions = mentions.filter(({ mention }) => mention.sentiment !== 'neutral');
  const isPositive = ({ mention }: IndexedMention) => mention.sentiment === 'positive';
  const [now, then] = (['now', 'then'] as const).map((period) => {
    const own = opinions.filter(({ review }) => periodOf(review) === period);
    return { own, part: own.filter(isPositive).length, total: own.length };
  }) as [Share & { own: IndexedMention[] }, Share];
  if (now.total < MIN_OPINIONS || then.total < MIN_OPINIONS) return [];
  const typical = now.own.filter((one) => isPositive(one) === isRise(now, then));
  return [candidateOf('aspect', id, now, then, typical)];
}

function changeOfProblem(
  id: string,
  mentions: readonly IndexedMention[],
  periodOf: PeriodOf,
  sizes: { readonly now: number; readonly past: number },
): Candidate[] {
  const own = mentions.filter(({ review }) => periodOf(review) === 'now');
  const past = mentions.filter(({ review }) => periodOf(review) === 'then');
  if (own.length + past.length < MIN_PROBLEM) return [];
  const now = { part: own.length, total: sizes.now };
  const then = { part: past.length, total: sizes.past };
  return [candidateOf('problem', id, now, then, own.length > 0 ? own : past)];
}

function isRise(now: Share, then: Share): boolean {
  return now.part * then.total > then.part * now.total;
}

function candidateOf(
  kind: 'aspect' | 'problem',
  id: string,
  now: Share,
  then: Share,
  examples: readonly IndexedMention[],
): Candidate {
  const shares = ({ part, total }: Share) => ({ count: part, of: total });
  return {
    change: {
      kind,
      id,
      direction: isRise(now, then) ? 'rose' : 'fell',
      recent: shares(now),
      earlier: shares(then),
      review_ids: examples.slice(0, EXAMPLES).map(({ review }) => review.id),
    },
    p: fisherExact(now, then),
  };
}
