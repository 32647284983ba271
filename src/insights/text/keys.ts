// Keys: the words of a text in the spelling of the word lists. They are folded, without possessives, and
// contractions are expanded, so that "didn't", "didnt" and "did not" are the same two keys. An amount of
// money begins with a dollar sign, whatever its currency.

import contractions from './contractions.json' with { type: 'json' };
import { GAP, type Token } from './text.ts';
import { type NumberedWords, numberWords } from './word-numbers.ts';

export interface Keys extends NumberedWords {
  readonly words: readonly string[];
  /** Index of the token of each key. */
  readonly tokenOf: readonly number[];
  /** Index of the first key of each token; one more element at the end is the number of keys. */
  readonly firstOf: readonly number[];
}

/** How a word of one token is written in full, as its keys. */
const CONTRACTIONS = new Map<string, readonly string[]>([
  ...contractions.negated
    .split(' ')
    .flatMap((verb) => ["n't", 'nt', "n'"].map((end) => [verb + end, [verb, 'not']] as const)),
  ...Object.entries(contractions.irregular).map(([word, keys]) => [word, keys.split(' ')] as const),
]);
const PRONOUNS = new Set(contractions.pronouns.split(' '));
const ENDINGS: ReadonlyMap<string, string> = new Map(Object.entries(contractions.endings));

function keysOfToken({ folded, bare, kind, gap }: Token): readonly string[] {
  if (kind === 'number' && (gap & GAP.currency) !== 0) return [`$${folded}`];
  const contraction = CONTRACTIONS.get(folded);
  if (contraction) return contraction;
  const apostrophe = folded.indexOf("'");
  if (apostrophe <= 0) return [folded];
  const head = folded.slice(0, apostrophe);
  const tail = folded.slice(apostrophe);
  if (tail === "'s") return PRONOUNS.has(head) ? [head, 'is'] : [bare];
  const ending = ENDINGS.get(tail);
  return ending === undefined ? [bare] : [head, ending];
}

export function keysOf(tokens: readonly Token[]): Keys {
  const words: string[] = [];
  const tokenOf: number[] = [];
  const firstOf: number[] = [];
  tokens.forEach((token, index) => {
    firstOf.push(words.length);
    for (const key of keysOfToken(token)) {
      words.push(key);
      tokenOf.push(index);
    }
  });
  firstOf.push(words.length);
  return { words, tokenOf, firstOf, ...numberWords(words) };
}
