// Recognises amounts that another company named.

import type { AnnotatedText } from '../../text/annotate.ts';
import type { Clause } from '../../text/clauses.ts';
import { PatternSet } from '../../text/patterns.ts';
import patterns from '../patterns.json' with { type: 'json' };

/** How many keys after the beginning of a clause another company is looked for. */
const OTHERS_WITHIN = 4;
/** Names of other companies and of the people who work for them. */
const OTHER_COMPANIES = new PatternSet<true>(patterns.others.map((pattern) => [pattern, true]));

/** Whether a clause names another company before the key `at`: "the last company never called back". */
export function isAboutOthers({ keys }: AnnotatedText, clause: Clause, at: number): boolean {
  const from = keys.firstOf[clause.from] as number;
  const to = keys.firstOf[clause.to] as number;
  for (let start = from; start < Math.min(at, from + OTHERS_WITHIN); start += 1) {
    // A comparison says something about the reviewed business.
    if (keys.words[start] === 'than' || keys.words[start] === 'like') return false;
    if (OTHER_COMPANIES.matchesAt(keys, start, to).length > 0) return true;
  }
  return false;
}
