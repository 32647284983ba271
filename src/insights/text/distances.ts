// Distances between words: each word counts one step, and punctuation, conjunctions and clause
// boundaries count extra.

import type { Clause } from './clauses.ts';
import { CONJUNCTIONS } from './grammar.ts';
import { GAP, type Token } from './text.ts';

const COMMA = 1.5;
const CONJUNCTION = 0.7;
const CLAUSE = 3;
const CONTRAST = 4;
const SENTENCE = 6;

/** The distance of each token from the first; the distance of two tokens is the difference. */
export function distancesOf(
  tokens: readonly Token[],
  clauses: readonly Clause[],
  conjunctions: ReadonlySet<string> = CONJUNCTIONS,
): Float64Array {
  const distances = new Float64Array(tokens.length + 1);
  let sum = 0;
  clauses.forEach((clause, index) => {
    for (let at = clause.from; at < clause.to; at += 1) {
      const { gap, bare } = tokens[at] as Token;
      sum += 1;
      if ((gap & GAP.comma) !== 0) sum += COMMA;
      if (conjunctions.has(bare)) sum += CONJUNCTION;
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
