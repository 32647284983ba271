// Tells work on a thing from a mere mention of it: "they replaced the boiler" names a service, "the boiler has run fine
// ever since" does not.

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { FINITE } from '../text/grammar.ts';
import { PatternSet } from '../text/patterns.ts';
import type { TermMatch } from '../text/terms.ts';
import patterns from './patterns.json' with { type: 'json' };

/** Words of work, and of what calls for it. */
const WORK = new PatternSet<true>(patterns.work.map((pattern) => [pattern, true]));
/** How many keys before and after a term work is looked for. */
const WITHIN = 25;

/**
 * Whether the sentence of a term tells work on it, or what calls for work. The words of the term count. A sentence
 * without a verb names the job: "Gas line for the generator in Larkin."
 */
export function tellsWork(
  { keys, tokens, clauses, clauseOf, sentences }: AnnotatedText,
  { from, to }: TermMatch,
): boolean {
  const sentence = sentences[(clauses[clauseOf[from] as number] as Clause).sentence];
  const first = keys.firstOf[sentence?.from ?? from] as number;
  const last = keys.firstOf[sentence?.to ?? to] as number;
  const end = Math.min(last, (keys.firstOf[to] as number) + WITHIN);
  for (let at = Math.max(first, (keys.firstOf[from] as number) - WITHIN); at < end; at += 1)
    if (WORK.matchesAt(keys, at, end).length > 0) return true;
  if (tokens[from]?.bare === 'no') return false;
  const words = tokens.slice(
    Math.max(sentence?.from ?? from, from - WITHIN),
    Math.min(sentence?.to ?? to, to + WITHIN),
  );
  return !words.some(({ bare, folded }) => FINITE.has(bare) || /(?:ed|n't)$/.test(folded));
}
