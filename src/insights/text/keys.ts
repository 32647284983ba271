// Keys: the words of a text in the spelling of the word lists. They are folded, without possessives, and
// contractions are expanded, so that "didn't", "didnt" and "did not" are the same two keys. An amount of
// money begins with a dollar sign, whatever its currency.

import { GAP, type Token } from './text.ts';
import { type NumberedWords, numberWords } from './word-numbers.ts';

export interface Keys extends NumberedWords {
  readonly words: readonly string[];
  /** Index of the token of each key. */
  readonly tokenOf: readonly number[];
  /** Index of the first key of each token; one more element at the end is the number of keys. */
  readonly firstOf: readonly number[];
}

const IRREGULAR: ReadonlyMap<string, readonly string[]> = new Map([
  ['cannot', ['can', 'not']],
  ['cant', ['can', 'not']],
  ["can't", ['can', 'not']],
  ['wont', ['will', 'not']],
  ["won't", ['will', 'not']],
  ["shan't", ['shall', 'not']],
  ["ain't", ['is', 'not']],
  ['aint', ['is', 'not']],
  ["let's", ['let', 'us']],
  ['im', ['i', 'am']],
  ['ive', ['i', 'have']],
  ['theyre', ['they', 'are']],
  ['youll', ['you', 'will']],
  ['couldve', ['could', 'have']],
  ['shouldve', ['should', 'have']],
  ['wouldve', ['would', 'have']],
  ['gonna', ['going', 'to']],
  ['wanna', ['want', 'to']],
  ['n', ['and']],
  ['recomend', ['recommend']],
  ['reccomend', ['recommend']],
  ['reccommend', ['recommend']],
  ['recommand', ['recommend']],
  ['definately', ['definitely']],
  ['definitly', ['definitely']],
  ['pls', ['please']],
  ['plz', ['please']],
]);
const NEGATED = [
  'do',
  'does',
  'did',
  'is',
  'was',
  'are',
  'were',
  'have',
  'has',
  'had',
  'would',
  'could',
  'should',
  'might',
  'must',
  'need',
];
const NEGATIONS: ReadonlyMap<string, readonly string[]> = new Map(
  NEGATED.flatMap((verb) => [
    [`${verb}n't`, [verb, 'not']] as const,
    [`${verb}nt`, [verb, 'not']] as const,
    [`${verb}n'`, [verb, 'not']] as const,
  ]),
);
const PRONOUNS = new Set([
  'i',
  'you',
  'he',
  'she',
  'it',
  'we',
  'they',
  'who',
  'that',
  'there',
  'this',
  'what',
  'where',
  'here',
  'how',
]);
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["'ll", 'will'],
  ["'re", 'are'],
  ["'ve", 'have'],
  ["'d", 'would'],
  ["'m", 'am'],
]);

/** The keys of a token: one, or two for a contraction. */
function keysOfToken({ folded, bare, kind, gap }: Token): readonly string[] {
  if (kind === 'number' && (gap & GAP.currency) !== 0) return [`$${folded}`];
  const irregular = IRREGULAR.get(folded) ?? NEGATIONS.get(folded);
  if (irregular) return irregular;
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
