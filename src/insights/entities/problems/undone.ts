// Decides which complaints do not count: denied ("no hidden fees"), about another company, done by the author
// ("I moved the appointment"), made good in a good review, merely possible ("we would have cancelled"), or masked (own.json).

import { isAboutOthers } from '../../aspects/unmeant.ts';
import { isNegated } from '../../sentiment/negation.ts';
import type { AnnotatedText } from '../../text/annotate.ts';
import type { Clause } from '../../text/clauses.ts';
import { UNREAL } from '../../text/grammar.ts';
import { PatternSet } from '../../text/patterns.ts';
import type { NamedProblems } from './named.ts';

/** What a company does. The same words about the author are no complaint. */
const DONE_TO_CUSTOMERS: ReadonlySet<string> = new Set([
  'late-arrival',
  'missed-appointment',
  'rescheduled-appointment',
  'rude-staff',
  'unprofessional-conduct',
  'damage',
  'dishonesty',
  'cancellations',
]);
/** A problem that other companies tell of: their opinion overturned this one's. */
const OVERTURNED = 'wrong-diagnosis';
/** A problem that may be told as what could have happened. */
const POSSIBLE = 'safety-hazard';
const AUTHOR = /^(?:i|we)$/;
/** Words between a subject and its verb. */
const BETWEEN =
  /^(?:am|was|were|have|had|just|then|also|even|already|actually|would|could|will|did|do)$/;
/** How many keys before a complaint its subject, or "would have", is looked for. */
const WITHIN = 3;

/** A good review that tells how the trouble was made good, or concedes that the price is not low, praises that. */
const MADE_GOOD_FROM = 4;
const MADE_GOOD = new PatternSet<true>([
  ['(came|come|were) (right|straight|) back (out|) (_|_ _|) (free|no charge|at no)', true],
  ['(stood|stand|stands) behind (their|his|her|the)', true],
  ['(made|make|put) (it|things|everything|that) right', true],
  ['(no|without) (extra|) charge', true],
  ['free of charge', true],
  ['(waived|refunded|reimbursed|compensated|credited)', true],
  ['not (_|) (cheap|cheapest)', true],
]);

/**
 * Whether a complaint that begins at a key of a clause does not count.
 *
 * @param isJudged whether the words were found to be negative, so that a negation is a part of it
 */
export type IsUndone = (problem: string, clause: Clause, at: number, isJudged?: true) => boolean;

export function undoneIn(
  annotated: AnnotatedText,
  { own }: NamedProblems,
  rating: number,
): IsUndone {
  const { keys, tokens } = annotated;
  const madeGood = rating >= MADE_GOOD_FROM ? madeGoodIn(annotated) : new Set<number>();
  const masked = new Uint8Array(keys.words.length);
  for (let at = 0; at < keys.words.length; at += 1)
    for (const { to } of own.masks.matchesAt(keys, at, keys.words.length)) masked.fill(1, at, to);
  return (problem, clause, at, isJudged) => {
    if (masked[at] === 1 || madeGood.has(clause.sentence)) return true;
    const from = keys.firstOf[clause.from] as number;
    if (DONE_TO_CUSTOMERS.has(problem) && isByAuthor(keys.words, from, at)) return true;
    if (problem !== POSSIBLE && isPossible(keys.words, from, at)) return true;
    if (problem === OVERTURNED || isJudged) return false;
    return isNegated(tokens, keys, at, from, -1) || isAboutOthers(annotated, clause, at);
  };
}

/** The sentences that tell how trouble was made good: "they came right back out at no charge". */
function madeGoodIn({ keys, sentences }: AnnotatedText): Set<number> {
  const found = new Set<number>();
  sentences.forEach((sentence, index) => {
    const end = keys.firstOf[sentence.to] as number;
    for (let at = keys.firstOf[sentence.from] as number; at < end; at += 1)
      if (MADE_GOOD.matchesAt(keys, at, end).length > 0) found.add(index);
  });
  return found;
}

/** "We had already cancelled" */
function isByAuthor(words: readonly string[], from: number, at: number): boolean {
  for (let back = at - 1; back >= Math.max(from, at - WITHIN); back -= 1) {
    if (AUTHOR.test(words[back] as string)) return true;
    if (!BETWEEN.test(words[back] as string)) return false;
  }
  return false;
}

/** "It would have leaked" */
function isPossible(words: readonly string[], from: number, at: number): boolean {
  for (let back = at - 1; back >= Math.max(from, at - WITHIN); back -= 1)
    if (words[back] === 'have' && UNREAL.has(words[back - 1] ?? '')) return true;
  return false;
}
