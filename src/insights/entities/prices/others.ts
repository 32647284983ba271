// Recognises what is said of another company: "the last company never called back".

import type { AnnotatedText } from '../../text/annotate.ts';
import type { Clause } from '../../text/clauses.ts';
import { PatternSet } from '../../text/patterns.ts';

/** How many keys after the beginning of a clause another company is looked for. */
const OTHERS_WITHIN = 4;

/** @param patterns names of other companies and of the people who work for them */
export function othersIn(patterns: readonly string[]) {
  const others = new PatternSet<true>(patterns.map((pattern) => [pattern, true]));
  /** Whether a clause names another company before the key `at`. */
  return ({ keys }: AnnotatedText, clause: Clause, at: number): boolean => {
    const from = keys.firstOf[clause.from] as number;
    const to = keys.firstOf[clause.to] as number;
    for (let start = from; start < Math.min(at, from + OTHERS_WITHIN); start += 1) {
      // A comparison says something about the reviewed business.
      if (keys.words[start] === 'than' || keys.words[start] === 'like') return false;
      if (others.matchesAt(keys, start, to).length > 0) return true;
    }
    return false;
  };
}
