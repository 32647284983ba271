// Looks up a string that may be anywhere in a text: in the words that it has, and by its grams.

import { splitWords, isUnspaced } from '../model/words.ts';
import { isGram, rarestGrams } from './grams.ts';
import type { Posting } from './positions.ts';
import type { Postings } from './postings.ts';
import type { WordIndex } from './word-index.ts';

/** Matches are in all postings and hints, and contain the needle. */
export interface TextConditions {
  readonly postings: readonly Posting[];
  readonly hints: readonly Posting[];
  /** The string to scan for; null if the postings are exact. */
  readonly needle: Uint8Array | null;
}

/** Shorter parts of words are in too many words; of longer strings the longest words are looked up. */
const MIN_PART = 3;
const MAX_PARTS = 4;
/** Letters and digits only: no marks, which may join with a character outside the string. */
const PLAIN_WORD = /^[\p{L}\p{N}]+$/u;

/** The conditions for texts to contain a folded string; null if none does. */
export function lookUp(
  folded: string,
  words: WordIndex,
  postings: Postings,
): TextConditions | null {
  const needle = Buffer.from(folded);
  if (isGram(needle)) {
    const exact = rarestGrams(needle, postings);
    return exact && { postings: exact, hints: [], needle: null };
  }
  const parts = partsOf(folded);
  const [part] = parts;
  if (part !== undefined && part.word === folded) {
    return { postings: [words.havingPart(folded, 'anywhere')], hints: [], needle: null };
  }
  const grams = rarestGrams(needle, postings, parts.length > 0 ? 'between words' : 'all');
  if (!grams) return null;
  const hints = parts.map(({ word, where }) => words.havingPart(word, where));
  if (hints.some(({ count }) => count === 0)) return null;
  return { postings: [], hints: [...hints, ...grams], needle };
}

/** The longest words of a string; the first and the last may be parts of longer ones. */
function partsOf(folded: string) {
  return splitWords(folded)
    .filter(({ word }) => word.length >= MIN_PART && PLAIN_WORD.test(word) && !isUnspaced(word))
    .map(({ word, start, end }) => {
      const [isFirst, isLast] = [start === 0, end === folded.length];
      const where = isFirst ? 'end' : isLast ? 'start' : 'whole';
      return { word, where } as const;
    })
    .toSorted((a, b) => b.word.length - a.word.length)
    .slice(0, MAX_PARTS);
}
