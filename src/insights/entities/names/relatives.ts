// Tells names of relatives and pets, and of whom they are, from those of people at work.

import { FUNCTION_WORDS } from '../../text/grammar.ts';
import { GAP, type Token } from '../../text/text.ts';
import { CUES, RELATIONS } from './word-lists.ts';

/** The most words from the possessive of a name to what is owned: "Dale's sweet old hound". */
const OWNED_WITHIN = 3;

/** Whether the tokens [from, to) name a relative or pet of the author ("my wife Hannah"), or whose one is ("Dale's dog"). */
export function isOfRelatives(
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const before = (words: number) => tokens[from - words]?.bare ?? '';
  const isKin = (word: string) => CUES.kin.has(word) || RELATIONS.kin.has(word);
  const isOwn = RELATIONS.own.has(before(2)) || RELATIONS.own.has(before(3));
  if (isOwn && isKin(before(1)) && (tokens[from]!.gap & ~GAP.comma) === 0) return true;
  if (RELATIONS.of.has(before(1)) && isKin(before(2))) return true;
  const { bare, folded } = tokens[to - 1]!;
  const after = tokens.slice(to, to + OWNED_WITHIN);
  const end = after.findIndex(
    (token) => (token.gap & ~GAP.quote) !== 0 || FUNCTION_WORDS.has(token.bare),
  );
  const owned = after.slice(0, end < 0 ? OWNED_WITHIN : end);
  if (bare !== folded && owned.some((token) => isKin(token.bare))) return true;
  return RELATIONS.kin.has(owned[0]?.bare ?? '');
}
