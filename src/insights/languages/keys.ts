// The keys of a text in another language than English (text/keys.ts has those of English): words in the
// spelling of the language, elisions expanded, compounds and strengthened words reduced to what they are.

import {
  compile,
  type Element,
  LONGEST_PREFIX,
  SHORTEST_PREFIX,
} from '../text/pattern-language.ts';
import type { Keys } from '../text/keys.ts';
import { GAP, type SegmentedText, type Token } from '../text/text.ts';
import { numberWords } from '../text/word-numbers.ts';
import type { LanguageFile } from './language-file.ts';

/** The most UTF-16 units of a word that are compared. */
const LONGEST = 60;
/** The least length of the first part of a compound. */
const SHORTEST_PART = 3;

/** @param patterns all patterns that are matched on the keys: a word in one of them stays as it is */
export function buildKeys(language: LanguageFile, patterns: Iterable<string>) {
  const { spell, expansions } = language;
  const isKnown = vocabularyOf(patterns);
  const reduce = reducerOf(language, isKnown);
  const keysOfToken = (text: string, token: Token): readonly string[] => {
    if (token.kind === 'emoji') return [token.folded];
    const word = spell(text.slice(token.start, Math.min(token.end, token.start + LONGEST)));
    if (token.kind === 'number') return [(token.gap & GAP.currency) === 0 ? word : `$${word}`];
    const whole = expansions.get(word);
    if (whole) return whole;
    const apostrophe = word.indexOf("'") + 1;
    if (apostrophe === 0) return [reduce(word)];
    const rest = word.slice(apostrophe).replaceAll("'", '');
    const head = expansions.get(word.slice(0, apostrophe));
    return head && rest !== '' ? [...head, reduce(rest)] : [word.replaceAll("'", '')];
  };
  const keysOf = ({ text, tokens }: SegmentedText): Keys => {
    const words: string[] = [];
    const tokenOf: number[] = [];
    const firstOf: number[] = [];
    tokens.forEach((token, index) => {
      // A comma is a key of the word before it, so that "gut, Preise" is no good prices.
      if (index > 0 && (token.gap & GAP.comma) !== 0) {
        words.push(',');
        tokenOf.push(index - 1);
      }
      firstOf.push(words.length);
      for (const key of keysOfToken(text, token)) {
        words.push(key);
        tokenOf.push(index);
      }
    });
    firstOf.push(words.length);
    return { words, tokenOf, firstOf, ...numberWords(words) };
  };
  const knows = (word: string) => {
    const spelled = spell(word);
    return isKnown(spelled) || expansions.has(spelled.slice(0, spelled.indexOf("'") + 1));
  };
  return { keysOf, knows };
}

/** Whether patterns have a word, alone or as a beginning. */
function vocabularyOf(patterns: Iterable<string>): (word: string) => boolean {
  const known = new Set<string>();
  for (const pattern of patterns) collectWords(compile(pattern), known);
  return (word) => {
    if (known.has(word)) return true;
    const longest = Math.min(word.length, LONGEST_PREFIX);
    for (let length = SHORTEST_PREFIX; length <= longest; length += 1) {
      if (known.has(`${word.slice(0, length)}*`)) return true;
    }
    return false;
  };
}

/** Gives a word that no pattern has without what strengthens it, or the last part of a compound. */
function reducerOf(
  { lists }: LanguageFile,
  isKnown: (word: string) => boolean,
): (word: string) => string {
  return (word) => {
    if (isKnown(word)) return word;
    for (const prefix of lists.prefixes) {
      const rest = word.startsWith(prefix) ? word.slice(prefix.length) : '';
      if (rest.length >= SHORTEST_PART && isKnown(rest)) return rest;
    }
    for (let from = SHORTEST_PART; from < word.length; from += 1) {
      const head = word.slice(from);
      if (lists.compoundHeads.has(head)) return head;
    }
    return word;
  };
}

function collectWords(elements: readonly Element[], words: Set<string>): void {
  for (const { words: own, rows } of elements) {
    for (const word of own) words.add(word);
    for (const row of rows) collectWords(row, words);
  }
}
