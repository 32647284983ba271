// Tells work on a thing from a mere mention of it: "they replaced the boiler" names a service, "the boiler has run fine
// ever since" does not; and a thing that was worked on from one that a sentence only names.

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { FINITE } from '../text/grammar.ts';
import { PatternSet } from '../text/patterns.ts';
import type { TermMatch } from '../text/terms.ts';
import type { Sentence, Token } from '../text/text.ts';
import patterns from './patterns.json' with { type: 'json' };

/** Words of work, and of what calls for it. */
const WORK = new PatternSet<true>(patterns.work.map((pattern) => [pattern, true]));
/** What a term means if it stands in «» in its sentence: another thing than the service, and a place where others are. */
const UNMEANT = new RegExp(patterns.unmeant.join('|'), 'iu');
const ELSEWHERE = new RegExp(patterns.elsewhere.join('|'), 'iu');
/** By the kind of work in the label of a service: words of it, and of other work on the same thing. */
const KINDS = Object.entries(patterns.kinds).map(([kind, { own, other }]) => ({
  label: new RegExp(kind, 'iu'),
  own: new RegExp(own, 'iu'),
  other: new RegExp(other, 'iu'),
}));
/** How many UTF-16 units before and after a term are read. */
const AROUND = 120;
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

/** The sentence of a term, which stands in «». */
function marked(
  { text, tokens, clauses, clauseOf, sentences }: AnnotatedText,
  { from, to }: TermMatch,
) {
  const sentence = sentences[(clauses[clauseOf[from] as number] as Clause).sentence] as Sentence;
  const [start, end] = [(tokens[from] as Token).start, (tokens[to - 1] as Token).end];
  const before = text.slice(Math.max(sentence.start, start - AROUND), start);
  return `${before}«${text.slice(start, end)}»${text.slice(end, Math.min(sentence.end, end + AROUND))}`;
}

/** Whether a sentence that names a service tells what the service does: not that somebody tried to sell it. */
export function isMeant(annotated: AnnotatedText, match: TermMatch, label: string): boolean {
  const words = marked(annotated, match);
  const kind = KINDS.find((one) => one.label.test(label));
  if (UNMEANT.test(words)) return false;
  if (kind === undefined) return !match.isShared;
  return kind.own.test(words) || !(match.isShared || match.isShort || kind.other.test(words));
}

/** Whether a place is where somebody else lives, or where the crew came from. */
export const isElsewhere = (annotated: AnnotatedText, match: TermMatch): boolean =>
  ELSEWHERE.test(marked(annotated, match));
