// Tells work on a thing from a mere mention of it: "they replaced the boiler" names a service, "the boiler has run fine
// ever since" does not.

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { FINITE } from '../text/grammar.ts';
import { PatternSet } from '../text/patterns.ts';
import type { TermMatch } from '../text/terms.ts';

/** Words of work, and of what calls for it. */
const WORK = new PatternSet<true>(
  [
    '(repair*|replac*|install*|fix|fixed|fixes|fixing|service|serviced|servicing|clean|cleaned|cleaning|cleanout|cleared|clearing|clear|tune*|thaw*|unclog*|unblock*|snake|snaked|snaking|auger*|jetted|flush*|drained|swap*|hooked|hook*|mount*|bled|bleed|bleeding|patch*|solder*|weld*|seal|sealed|sealing|inspect*|check|checked|checking|diagnos*|adjust*|rebuil*|remodel*|renovat*|rough*|reset|rewire*|rewir*|wired|reconnect*|relin*|dug|moved|moving|rerout*|convert*|upgrad*|refill*|recharg*|tested|testing|test|tests|certif*|work|worked|job|jobs|install|project|visit|appointment|quote*|estimate*|bid|maintenance|done|handled|redid|redone|fitted|fitting|rebuilt|restored|saved|got it going|relit|relight)',
    '(put|putting|puts) (_|_ _|_ _ _|_ _ _ _|) in',
    '(put|putting|puts) in',
    '(came|come|out|called|call|calling|rang|here|sent|went) (_|_ _|) (for|about|to)',
    '(found|find|located|traced|spotted|stopped|cut out|took out|pulled)',
    '(did|do|does|doing|sorted|sort|measured|measure|added|topped|looked at|look at|ran|run|caught) (_|_ _|) (my|our|the|a|her|his|their|this|that|one|new|smaller|wrong)',
    '(call|failure|emergency|checkup|overflow*|locked out|error code|noise|works|working|picking|went with|smaller|blowing|wrong|still cold|stone cold|again)',
    '(got to (me|us)|is back|are back|$ for|saved)',
    '(new|second|2nd|third|bought|sold|ordered)',
    '(broke*|broken|died|dead|quit|failed|burst|clogged|clog|backed up|leak|leaks|leaked|leaking|dripping|frozen|froze|backup|went out|conked|stopped|would not|not (work*|light*|heat*|fire|start|drain*|cool*))',
  ].map((pattern) => [pattern, true] as const),
);
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
