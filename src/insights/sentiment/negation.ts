// The scope of a negation. It reaches a few words ahead, within its clause and up to a comma.

import { DIMINISHERS, INTENSIFIERS, UNREAL } from '../text/grammar.ts';
import type { Keys } from '../text/keys.ts';
import { NEGATORS } from '../text/pattern-language.ts';
import { GAP, type Token } from '../text/text.ts';
import { LEXICON } from './lexicon.ts';

/** How many words a negation reaches ahead. */
const REACH = 4;

/** How much of the reach a word uses up: words that only carry the negation on ("no attempt was made to keep us
 * informed") nothing, conjunctions twice as much as others. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ...'a an the was were been ever even once anyone anybody attempt effort'
    .split(' ')
    .map((word) => [word, 0] as const),
  ['and', 2],
  ['or', 2],
]);

/**
 * Whether a negation, or "used to" before praise, applies to the words at the key `at`, in the clause that
 * begins at the key `from`. `sign` is the sentiment of those words: "not even on time" is negated, "not
 * even late" is not.
 */
export function isNegated(
  tokens: readonly Token[],
  { words, tokenOf }: Keys,
  at: number,
  from: number,
  sign: number,
): boolean {
  let crossed = 0;
  for (let back = at - 1; back >= from && crossed < REACH; back -= 1) {
    if (isCommaBetween(tokens, tokenOf[back] as number, tokenOf[back + 1] as number)) return false;
    const word = words[back] as string;
    const next = words[back + 1] as string;
    if (isOpposed(word, sign)) return false;
    if (NEGATORS.has(word)) {
      if (next === 'only' || next === 'just' || (next === 'even' && sign < 0)) return false;
      return !isSuperlative(words, back, at);
    }
    if (word === 'used' && next === 'to' && sign > 0) return true;
    crossed += STEPS.get(word) ?? 1;
  }
  return false;
}

/** Whether a word before the words judged takes the negation for itself: "not worth the extra cost", "no problems,
 * friendly crew" with the comma left out. */
function isOpposed(word: string, sign: number): boolean {
  const opinion = LEXICON.words.get(word);
  if (!opinion || INTENSIFIERS.has(word) || DIMINISHERS.has(word)) return false;
  return sign < 0 ? opinion.value > 0 : opinion.value < 0 && opinion.part === 'noun';
}

/** "could not have been more helpful" */
function isSuperlative(words: readonly string[], negator: number, at: number): boolean {
  const verb = words[negator - 1] ?? '';
  return (verb === 'can' || UNREAL.has(verb)) && words.slice(negator + 1, at).includes('more');
}

/** Whether a comma stands between two tokens, which are neighbours or the same. */
function isCommaBetween(tokens: readonly Token[], before: number, after: number): boolean {
  return before !== after && ((tokens[after] as Token).gap & GAP.comma) !== 0;
}
