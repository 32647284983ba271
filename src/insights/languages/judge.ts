// Combines the hits of each aspect in a review in another language than English into one verdict. Where praise and complaint balance, the
// stars decide.

import type { Sentiment } from '../../model/insights.ts';
import { sentimentAbout } from '../sentiment/attribution.ts';
import type { AnnotatedText } from '../text/annotate.ts';

/** If the weaker side has at least this share of the stronger, the stars decide. */
const BALANCED_SHARE = 0.8;

/** A lower weight of opinions tells nothing, and a higher one no more than this. */
const MIN_WEIGHT = 0.2;
const MOST_WEIGHT = 0.8;

/** A place in the text that speaks of an aspect: tokens [from, to). */
export interface AspectHit {
  readonly aspect: string;
  readonly from: number;
  readonly to: number;
  /** The sentiment, -1 to 1. */
  readonly score: number;
  /** Whether its sentence or the next one contrasts ("nett, aber"). */
  readonly turns: boolean;
}

export interface AspectVerdict {
  readonly aspect: string;
  readonly sentiment: Sentiment;
  /** The first hit that has the sentiment. */
  readonly hit: AspectHit;
}

/** What its sentence says about the thing named by the tokens [from, to), -1 to 1; null if nothing clear. */
export function opinionAbout(annotated: AnnotatedText, from: number, to: number): number | null {
  const { clauses, clauseOf } = annotated;
  const sentence = clauses[clauseOf[from] as number]?.sentence;
  const { sentiment, weight } = sentimentAbout(
    annotated,
    from,
    to,
    ({ clause }) => clauses[clause]?.sentence === sentence,
  );
  if (sentiment === null || sentiment === 'neutral' || weight < MIN_WEIGHT) return null;
  return Math.min(MOST_WEIGHT, weight) * (sentiment === 'positive' ? 1 : -1);
}

/**
 * One verdict for each aspect; aspects whose sentiment stays undecided are left out, and those that contradict
 * their stars without a turn: a joke, another company, a figure of speech.
 */
export function judgeAspects(hits: readonly AspectHit[], rating: number | null): AspectVerdict[] {
  const far: Record<Sentiment, number[]> = { positive: [1, 2], neutral: [], negative: [5] };
  return [...Map.groupBy(hits, ({ aspect }) => aspect)].flatMap(([aspect, own]) => {
    const sentiment = sentimentOfHits(own, rating);
    if (sentiment === null) return [];
    if (far[sentiment].includes(rating ?? 0) && !own.some(({ turns }) => turns)) return [];
    const hit = own.find(({ score }) => signOf(score) === sentiment) ?? own[0]!;
    return [{ aspect, sentiment, hit }];
  });
}

function signOf(score: number): Sentiment {
  if (score === 0) return 'neutral';
  return score > 0 ? 'positive' : 'negative';
}

function sentimentOfHits(hits: readonly AspectHit[], rating: number | null): Sentiment | null {
  let positive = 0;
  let negative = 0;
  for (const { score } of hits) {
    if (score > 0) positive += score;
    else negative -= score;
  }
  // A mention without a verdict, such as an amount, is left out where the review complains.
  if (positive === 0 && negative === 0) return rating !== null && rating < 3 ? null : 'neutral';
  const [more, less] = positive >= negative ? [positive, negative] : [negative, positive];
  if (less >= BALANCED_SHARE * more) {
    if (rating === null || rating === 3) return null;
    return rating > 3 ? 'positive' : 'negative';
  }
  return positive > negative ? 'positive' : 'negative';
}
