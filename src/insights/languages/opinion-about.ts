// What the opinions near a word say about it, in another language than English.

import { firstOpinion } from '../sentiment/attribution.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Opinion } from '../sentiment/opinions.ts';

/** Opinions more tokens away are ignored. */
const MAX_TOKENS = 20;
/** The distance at which the weight of an opinion falls to a third. */
const DECAY_DISTANCE = 4;
/** A lower weight is no opinion. */
const MIN_WEIGHT = 0.2;
/** If the weaker side has at least this share of the stronger, there is no verdict. */
const BALANCED_SHARE = 0.75;
const MAX_SCORE = 0.8;

/** The score of the thing named by the tokens [from, to), -1 to 1; null if nothing clear is said about it. */
export function opinionAbout(annotated: AnnotatedText, from: number, to: number): number | null {
  const { opinions, distances, clauses, clauseOf } = annotated;
  const sentence = clauses[clauseOf[from] as number]?.sentence;
  let positive = 0;
  let negative = 0;
  for (let index = firstOpinion(opinions, from - MAX_TOKENS); index < opinions.length; index += 1) {
    const opinion = opinions[index] as Opinion;
    if (opinion.from > to + MAX_TOKENS) break;
    if (clauses[opinion.clause]?.sentence !== sentence) continue;
    const isAfter = opinion.from >= to;
    const distance = isAfter
      ? (distances[opinion.from] as number) - (distances[to - 1] as number)
      : (distances[from] as number) - (distances[opinion.to - 1] as number);
    const weight = Math.exp(-Math.max(0, distance - 1) / DECAY_DISTANCE) * opinion.value;
    if (weight > 0) positive += weight;
    else negative -= weight;
  }
  const [more, less] = positive >= negative ? [positive, negative] : [negative, positive];
  if (more < MIN_WEIGHT || less >= BALANCED_SHARE * more) return null;
  return Math.min(MAX_SCORE, more) * (positive > negative ? 1 : -1);
}
