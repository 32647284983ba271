// What the words say about a thing: the opinions near it, weighted by distance. An adjective with a noun of
// its own ("great food, terrible service") is about that noun.

import type { Sentiment } from '../../model/insights.ts';
import { lowerBound } from '../../model/lower-bound.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import { COPULAS, FUNCTION_WORDS } from '../text/grammar.ts';
import { GAP, type Token } from '../text/text.ts';
import type { Opinion } from './opinions.ts';

/** What the words say about a thing, or in a part of the text. */
export interface Verdict {
  /** Null if praise and complaint balance. */
  readonly sentiment: Sentiment | null;
  /** -1 to 1. */
  readonly score: number;
  /** Weight of the stronger side: 0 without an opinion, about 1 for a clear one. */
  readonly weight: number;
}

/** Opinions more tokens away are ignored. */
const MAX_TOKENS = 40;
/** The distance at which the weight of an opinion falls to a third. */
const DECAY_DISTANCE = 8;
/** Added distance of an adjective that has another noun. */
const OTHER_NOUN = 4;
/** A lower weight is no opinion. */
const MIN_WEIGHT = 0.02;
/** If the weaker side has at least this share of the stronger, the sentiment is undecided. */
const BALANCED_SHARE = 0.75;
/** Opinions weaker than this on average are neutral: "it was ok". */
const LUKEWARM = 0.18;

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
  let positive = 0;
  let negative = 0;
  let all = 0;
  const { opinions } = annotated;
  for (let index = firstOpinion(opinions, from - MAX_TOKENS); index < opinions.length; index += 1) {
    const opinion = opinions[index] as Opinion;
    if (opinion.from > to + MAX_TOKENS) break;
    if (!counts(opinion)) continue;
    const weight = Math.exp(-distanceTo(annotated, opinion, from, to) / DECAY_DISTANCE);
    all += weight;
    if (opinion.value > 0) positive += weight * opinion.value;
    else negative -= weight * opinion.value;
  }
  return verdictOf(positive, negative, all);
}

/** The verdict of the opinions in the tokens [from, to), all weighted alike. */
export function sentimentOfTokens(annotated: AnnotatedText, from: number, to: number): Verdict {
  let positive = 0;
  let negative = 0;
  let all = 0;
  const { opinions } = annotated;
  for (let index = firstOpinion(opinions, from); index < opinions.length; index += 1) {
    const { from: start, value } = opinions[index] as Opinion;
    if (start >= to) break;
    all += 1;
    if (value > 0) positive += value;
    else negative -= value;
  }
  return verdictOf(positive, negative, all);
}

/** Whether an opinion begins in the tokens [from, to). Stops at the first: a sentence may be the whole text. */
export function hasOpinionIn({ opinions }: AnnotatedText, from: number, to: number): boolean {
  for (let index = firstOpinion(opinions, from); index < opinions.length; index += 1) {
    const { from: start, value } = opinions[index] as Opinion;
    if (start >= to) return false;
    if (value !== 0) return true;
  }
  return false;
}

function verdictOf(positive: number, negative: number, weight: number): Verdict {
  const [more, less] = positive >= negative ? [positive, negative] : [negative, positive];
  const score = more + less === 0 ? 0 : (positive - negative) / (more + less);
  if (more < MIN_WEIGHT || (more + less) / weight < LUKEWARM)
    return { sentiment: 'neutral', score, weight: more };
  if (less >= BALANCED_SHARE * more) return { sentiment: null, score, weight: more };
  return { sentiment: positive > negative ? 'positive' : 'negative', score, weight: more };
}

/** The distance between an opinion and a thing. */
function distanceTo(annotated: AnnotatedText, opinion: Opinion, from: number, to: number): number {
  const { tokens, distances, clauses } = annotated;
  if (opinion.from < to && opinion.to > from) return 0;
  const isSameClause = clauses[opinion.clause]!.from <= from && from < clauses[opinion.clause]!.to;
  if (opinion.from >= to) {
    const distance = (distances[opinion.from] as number) - (distances[to - 1] as number);
    if (isSameClause && COPULAS.has(tokens[to]?.bare ?? '')) return distance * 0.4;
    // "Food, terrible service": the adjective belongs to the noun after it.
    const hasOwn = opinion.part === 'adjective' && nounAfter(annotated, opinion.to) > opinion.to;
    return (isSameClause ? distance * 0.8 : distance) + (hasOwn ? OTHER_NOUN : 0);
  }
  const distance = (distances[from] as number) - (distances[opinion.to - 1] as number);
  if (opinion.part !== 'adjective' || !isSameClause) return distance;
  const nounEnd = nounAfter(annotated, opinion.to);
  if (nounEnd > from) return distance * 0.4;
  return nounEnd > opinion.to ? distance + OTHER_NOUN : distance * 0.8;
}

/** Index of the token behind the noun that begins at a token; that token if there is none. */
function nounAfter({ tokens }: AnnotatedText, at: number): number {
  let end = at;
  while (end < at + 3 && end < tokens.length) {
    const { bare, gap } = tokens[end] as Token;
    if ((gap & ~(GAP.hyphen | GAP.quote)) !== 0 || FUNCTION_WORDS.has(bare)) break;
    end += 1;
  }
  return end;
}

/** Index of the first opinion that begins at a token or after it. */
export function firstOpinion(opinions: readonly Opinion[], token: number): number {
  return lowerBound(opinions.length, (index) => (opinions[index] as Opinion).from >= token);
}
