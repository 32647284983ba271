// Whether a negation applies to an opinion or a cue in another language than English: before it ("nicht
// pünktlich", "ne recommande"), or after it ("überzeugt hat es nicht").

import type { Clause } from '../text/clauses.ts';
import type { Keys } from '../text/keys.ts';
import type { LanguageFile } from './language-file.ts';

/** Keys [from, to) in a clause of a text. */
export interface Judged {
  readonly from: number;
  readonly to: number;
  readonly clause: Clause;
  /** 1 for each key in an opinion. A negation does not reach beyond another one. */
  readonly judged: Uint8Array;
}

/** A negation this close before another opinion is about that one. */
const OTHER_WITHIN = 2;
/** How many words after a negation of several words an opinion stands that it negates. */
const NEAR = 2;

export function isNegated(
  { lists, negations, reach }: LanguageFile,
  { words, firstOf }: Keys,
  { from, to, clause, judged }: Judged,
): boolean {
  const isNegator = (at: number) =>
    lists.negators.has(words[at] as string) && !lists.notNegating.has(words[at + 1] ?? '');
  const endsNegation = (at: number) =>
    negations.some((own) => own.every((word, back) => words[at + 1 - own.length + back] === word));
  // Patterns with a negation say themselves what they mean.
  for (let at = from; at < to; at += 1) if (lists.negators.has(words[at] as string)) return false;
  let isSuch = false;
  const start = Math.max(firstOf[clause.from] as number, from - reach.before);
  // "nicht sehr gut betreut" has the opinions "sehr gut" and "gut betreut".
  const before =
    judged[from] === 1 ? start + judged.subarray(start, from).lastIndexOf(0) : from - 1;
  for (let back = before; back >= start; back -= 1) {
    if (judged[back] === 1) break;
    isSuch ||= lists.such.has(words[back] as string);
    if (isSuch && lists.emphatic.has(words[back] as string)) return false;
    if (isNegator(back) || (from - back <= NEAR && endsNegation(back))) return true;
  }
  const end = Math.min(firstOf[clause.to] as number, to + reach.after);
  for (let next = to; next < end; next += 1) {
    const word = words[next] as string;
    if (judged[next] === 1 || lists.conjunctions.has(word)) return false;
    if (lists.forward.has(word)) continue;
    if (isNegator(next)) return !judged.subarray(next + 1, next + 1 + OTHER_WITHIN).includes(1);
  }
  return false;
}
