// What the words say about a thing that they name: opinions weighed by how close they stand to it.
// Distance counts words and what lies between them: a comma, a conjunction, the end of a clause. An
// adjective with a noun of its own is about that noun.

import { CONJUNCTIONS, COPULAS, FUNCTION_WORDS } from '../text/grammar.ts';
import type { Clause, Opinion, Reading, Verdict } from '../text/reading.ts';
import { GAP, type Token } from '../text/text.ts';

/** Opinions further away, in tokens, say nothing about a thing. */
const FARTHEST = 40;
/** The distance at which the weight of an opinion has fallen to a third. */
const FALL = 8;
const COMMA = 1.5;
const CONJUNCTION = 0.7;
const CLAUSE = 3;
const CONTRAST = 4;
const SENTENCE = 6;
const OTHER_NOUN = 4;
/** Weights below this leave a mention without an opinion. */
const SILENT = 0.02;
/** The weaker side at this share of the stronger leaves it open. */
const OPEN = 0.75;
/** Opinions that are on average weaker than this are neither good nor bad. */
const LUKEWARM = 0.18;

/** What it costs to walk from the first token to each: distances are differences. */
export function distancesOf(tokens: readonly Token[], clauses: readonly Clause[]): Float64Array {
  const distances = new Float64Array(tokens.length + 1);
  let sum = 0;
  clauses.forEach((clause, index) => {
    for (let at = clause.from; at < clause.to; at += 1) {
      const { gap, bare } = tokens[at] as Token;
      sum += 1;
      if ((gap & GAP.comma) !== 0) sum += COMMA;
      if (CONJUNCTIONS.has(bare)) sum += CONJUNCTION;
      if (at === clause.from && index > 0) {
        sum += CLAUSE;
        if (clause.link === 'contrast') sum += CONTRAST;
        if (clause.sentence !== clauses[index - 1]?.sentence) sum += SENTENCE;
      }
      distances[at] = sum;
    }
  });
  distances[tokens.length] = sum + 1;
  return distances;
}

/** What the words say about the thing that the tokens [from, to) name. */
export function sentimentAbout(reading: Reading, from: number, to: number): Verdict {
  let positive = 0;
  let negative = 0;
  let all = 0;
  const { opinions } = reading;
  for (let index = firstFrom(opinions, from - FARTHEST); index < opinions.length; index += 1) {
    const opinion = opinions[index] as Opinion;
    if (opinion.from > to + FARTHEST) break;
    const weight = Math.exp(-costOf(reading, opinion, from, to) / FALL);
    all += weight;
    if (opinion.value > 0) positive += weight * opinion.value;
    else negative -= weight * opinion.value;
  }
  return verdictOf(positive, negative, all);
}

/** What the words of a part of the text say, all of them alike. */
export function sentimentOfTokens(reading: Reading, from: number, to: number): Verdict {
  let positive = 0;
  let negative = 0;
  let all = 0;
  const { opinions } = reading;
  for (let index = firstFrom(opinions, from); index < opinions.length; index += 1) {
    const { from: start, value } = opinions[index] as Opinion;
    if (start >= to) break;
    all += 1;
    if (value > 0) positive += value;
    else negative -= value;
  }
  return verdictOf(positive, negative, all);
}

function verdictOf(positive: number, negative: number, weight: number): Verdict {
  const [more, less] = positive >= negative ? [positive, negative] : [negative, positive];
  const score = more + less === 0 ? 0 : (positive - negative) / (more + less);
  // "It was ok" is an opinion that is neither good nor bad.
  if (more < SILENT || (more + less) / weight < LUKEWARM)
    return { sentiment: 'neutral', score, weight: more };
  if (less >= OPEN * more) return { sentiment: null, score, weight: more };
  return { sentiment: positive > negative ? 'positive' : 'negative', score, weight: more };
}

/** The distance between an opinion and a thing. */
function costOf(reading: Reading, opinion: Opinion, from: number, to: number): number {
  const { tokens, distances, clauses } = reading;
  if (opinion.from < to && opinion.to > from) return 0;
  const isSameClause = clauses[opinion.clause]!.from <= from && from < clauses[opinion.clause]!.to;
  if (opinion.from >= to) {
    const cost = (distances[opinion.from] as number) - (distances[to - 1] as number);
    if (isSameClause && COPULAS.has(tokens[to]?.bare ?? '')) return cost * 0.4;
    // "Food, terrible service": the adjective has a noun of its own behind it.
    const hasOwn = opinion.part === 'adjective' && nounBehind(reading, opinion.to) > opinion.to;
    return (isSameClause ? cost * 0.8 : cost) + (hasOwn ? OTHER_NOUN : 0);
  }
  const cost = (distances[from] as number) - (distances[opinion.to - 1] as number);
  if (opinion.part !== 'adjective' || !isSameClause) return cost;
  const nounEnd = nounBehind(reading, opinion.to);
  if (nounEnd > from) return cost * 0.4;
  return nounEnd > opinion.to ? cost + OTHER_NOUN : cost * 0.8;
}

/** Where the noun that follows directly ends; the same place, if none does. */
function nounBehind({ tokens }: Reading, at: number): number {
  let end = at;
  while (end < at + 3 && end < tokens.length) {
    const { bare, gap } = tokens[end] as Token;
    if ((gap & ~(GAP.hyphen | GAP.quote)) !== 0 || FUNCTION_WORDS.has(bare)) break;
    end += 1;
  }
  return end;
}

/** Index of the first opinion that begins at a token or behind it. */
export function firstFrom(opinions: readonly Opinion[], token: number): number {
  let [low, high] = [0, opinions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((opinions[middle] as Opinion).from < token) low = middle + 1;
    else high = middle;
  }
  return low;
}
