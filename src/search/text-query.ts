// Looks up a string that may be anywhere in a text: by its words, by pairs of them, and by its grams.

import { isUnspaced, splitWords } from '../model/words.ts';
import { isGram, rarestGrams } from './grams.ts';
import type { Posting } from './positions.ts';
import type { Postings } from './postings.ts';
import type { WordIndex } from './word-index.ts';

/** Matches are in all postings and hints and contain the needle. */
export interface TextConditions {
  readonly postings: readonly Posting[];
  readonly hints: readonly Posting[];
  /** The string to scan for; null if the postings are exact. */
  readonly needle: Uint8Array | null;
}

/** Shorter parts of words are in too many words; of longer strings the longest words are looked up. */
const MIN_PART = 3;
const MAX_PARTS = 4;
/** Pairs that are looked up, and words that may begin or end one of them. */
const MAX_PAIRS = 8;
const MAX_WORDS_OF_PAIR = 4_000;
const MAX_COMBINATIONS = 1_000;
/** Letters and digits only: no marks, which may join with a character outside the string. */
const PLAIN_WORD = /^[\p{L}\p{N}]+$/u;

/** Where a text may continue a word of the string. */
type Where = 'start' | 'end' | 'whole';

interface Part {
  readonly word: string;
  readonly where: Where;
  /** What is between this word and the previous one: one space, or anything else without words. */
  readonly gap: 'space' | 'other' | null;
}

/** The conditions for texts to contain a folded string; null if none does. */
export function lookUp(
  folded: string,
  words: WordIndex,
  postings: Postings,
): TextConditions | null {
  const needle = Buffer.from(folded);
  const exact = (all: readonly Posting[]) => ({ postings: all, hints: [], needle: null });
  if (isGram(needle)) {
    const grams = rarestGrams(needle, postings);
    return grams && exact(grams);
  }
  const parts = partsOf(folded);
  const [first] = parts;
  if (first !== undefined && first.word === folded) {
    return exact([words.havingPart(folded, 'anywhere')]);
  }
  const isUnknown = ({ word, where }: Part) =>
    where === 'whole' && words.dictionary.find(word) === null;
  if (parts.some(isUnknown)) return null;
  const pairs = pairsOf(parts, words);
  const isCovered = pairs.length > 0 && pairs.length + 1 === parts.length;
  const inPairs = pairs.map(({ sure, others }) => words.uniteAll([sure, others]));
  if (isCovered && inPairs.some(({ count }) => count === 0)) return null;
  if (isCovered && parts.map(({ word }) => word).join(' ') === folded) {
    const [pair, ...others] = pairs;
    if (pair && others.length === 0 && pair.others.count === 0) return exact([pair.sure]);
  }
  const long = isCovered ? [] : longestOf(parts);
  const having = long.map(({ word, where }) => words.havingPart(word, where));
  const hints = [...inPairs, ...having];
  if (hints.some(({ count }) => count === 0)) return null;
  if (isCovered) return { postings: [], hints, needle };
  const grams = rarestGrams(needle, postings, long.length > 0 ? 'between words' : 'all');
  return grams && { postings: [], hints: [...hints, ...grams], needle };
}

/** The words of a string; the first and the last may be parts of longer ones. */
function partsOf(folded: string): Part[] {
  const all = splitWords(folded);
  return all.flatMap(({ word, start, end }, index) => {
    if (!isPart(word)) return [];
    const where = start === 0 ? 'end' : end === folded.length ? 'start' : 'whole';
    const previous = all[index - 1];
    const between = folded.slice(previous?.end ?? 0, start);
    const gap = !previous || !isPart(previous.word) ? null : between === ' ' ? 'space' : 'other';
    return [{ word, where, gap }];
  });
}

function isPart(word: string): boolean {
  return PLAIN_WORD.test(word) && !isUnspaced(word);
}

function longestOf(parts: readonly Part[]): Part[] {
  return parts
    .filter(({ word }) => word.length >= MIN_PART)
    .toSorted((a, b) => b.word.length - a.word.length)
    .slice(0, MAX_PARTS);
}

/** Reviews with two words in a row: those that have them, and those that may have them. */
interface Pair {
  readonly sure: Posting;
  readonly others: Posting;
}

/** The pairs of neighbouring words for which the index has postings. */
function pairsOf(parts: readonly Part[], words: WordIndex): Pair[] {
  const pairs: Pair[] = [];
  for (let index = 1; index < parts.length && pairs.length < MAX_PAIRS; index++) {
    const [first, second] = [parts[index - 1] as Part, parts[index] as Part];
    const pair = second.gap === null ? null : pairOf(first, second, words);
    if (pair) pairs.push(pair);
  }
  return pairs;
}

function pairOf(first: Part, second: Part, words: WordIndex): Pair | null {
  const [firsts, seconds] = [first, second].map(({ word, where }) => words.numbersOf(word, where));
  if (!firsts || !seconds || firsts.length + seconds.length > MAX_WORDS_OF_PAIR) return null;
  const { pairs } = words.phrases;
  const split = (numbers: readonly number[]) => ({
    common: numbers.filter((number) => pairs.isCommon(number)),
    rare: numbers.filter((number) => !pairs.isCommon(number)),
  });
  const [a, b] = [split(firsts), split(seconds)];
  const isUseful = a.common.length > 0 && b.common.length > 0;
  if (!isUseful || a.common.length * b.common.length > MAX_COMBINATIONS) return null;
  const sure = pairs.between(a.common, b.common, second.gap === 'space');
  const others = words.uniteAll([
    words.havingBoth(a.rare, seconds),
    words.havingBoth(a.common, b.rare),
  ]);
  return { sure, others };
}
