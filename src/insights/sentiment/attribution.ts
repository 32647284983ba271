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
/** Added distance of another clause, and of an adjective that has another noun. */
const CLAUSE = 5;
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

/** Whether an opinion, by default any, begins in the tokens [from, to). Stops at the first: a sentence may be the whole text. */
export function hasOpinionIn(
  { opinions }: AnnotatedText,
  { from, to }: { readonly from: number; readonly to: number },
  isMeant: (value: number) => boolean = (value) => value !== 0,
): boolean {
  for (let index = firstOpinion(opinions, from); index < opinions.length; index += 1) {
    const { from: start, value } = opinions[index] as Opinion;
    if (start >= to) return false;
    if (isMeant(value)) return true;
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

/** The distance between an opinion and a thing: words, and more for each clause between them. */
function distanceTo(annotated: AnnotatedText, opinion: Opinion, from: number, to: number): number {
  if (opinion.from < to && opinion.to > from) return 0;
  const { tokens, clauseOf } = annotated;
  const isAfter = opinion.from >= to;
  const words = isAfter ? opinion.from - to + 1 : from - opinion.to + 1;
  const clauses = Math.abs(opinion.clause - (clauseOf[from] as number));
  const distance = words + CLAUSE * clauses;
  if (isAfter && clauses === 0 && COPULAS.has(tokens[to]?.bare ?? '')) return distance * 0.4;
  if (opinion.part !== 'adjective') return distance;
  const nounEnd = nounAfter(annotated, opinion.to);
  // "Food, terrible service": the adjective belongs to the noun after it.
  if (isAfter || nounEnd <= from) return nounEnd > opinion.to ? distance + OTHER_NOUN : distance;
  return clauses === 0 ? distance * 0.4 : distance;
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
