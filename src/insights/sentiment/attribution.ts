// What the words say about a thing: the opinions near it, weighted by distance.

import type { Sentiment } from '../../model/insights.ts';
import { lowerBound } from '../../model/lower-bound.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Opinion } from './opinions.ts';

/** What the words say about a thing, or in a part of the text. */
export interface Verdict {
  /** Null if praise and complaint balance. */
  readonly sentiment: Sentiment | null;
  /** Weight of the stronger side: 0 without an opinion, about 1 for a clear one. */
  readonly weight: number;
}

/** Opinions more tokens away are ignored. */
const MAX_TOKENS = 40;
/** The distance at which the weight of an opinion falls to a third. */
const DECAY_DISTANCE = 8;
/** Added distance of another clause. */
const CLAUSE = 5;
/** A lower weight is no opinion. */
const MIN_WEIGHT = 0.02;
/** If the weaker side has at least this share of the stronger, the sentiment is undecided. */
const BALANCED_SHARE = 0.75;

/**
 * The verdict on the thing named by the tokens [from, to).
 *
 * @param counts whether an opinion counts; all do where it is left out
 */
export function sentimentAbout(
  annotated: AnnotatedText,
  from: number,
  to: number,
  counts: (opinion: Opinion) => boolean = () => true,
): Verdict {
  let [positive, negative] = [0, 0];
  const { opinions } = annotated;
  for (let index = firstOpinion(opinions, from - MAX_TOKENS); index < opinions.length; index += 1) {
    const opinion = opinions[index] as Opinion;
    if (opinion.from > to + MAX_TOKENS) break;
    if (!counts(opinion)) continue;
    const weight = Math.exp(-distanceTo(annotated, opinion, from, to) / DECAY_DISTANCE);
    if (opinion.value > 0) positive += weight * opinion.value;
    else negative -= weight * opinion.value;
  }
  const [more, less] = positive >= negative ? [positive, negative] : [negative, positive];
  if (more < MIN_WEIGHT) return { sentiment: 'neutral', weight: more };
  if (less >= BALANCED_SHARE * more) return { sentiment: null, weight: more };
  return { sentiment: positive > negative ? 'positive' : 'negative', weight: more };
}

/** The distance between an opinion and a thing: words, and more for each clause between them. */
function distanceTo(annotated: AnnotatedText, opinion: Opinion, from: number, to: number): number {
  if (opinion.from < to && opinion.to > from) return 0;
  const words = opinion.from >= to ? opinion.from - to + 1 : from - opinion.to + 1;
  return words + CLAUSE * Math.abs(opinion.clause - (annotated.clauseOf[from] as number));
}

/** Index of the first opinion that begins at a token or after it. */
export function firstOpinion(opinions: readonly Opinion[], token: number): number {
  return lowerBound(opinions.length, (index) => (opinions[index] as Opinion).from >= token);
}
