// Pairs of neighbouring words that are both common. Their postings answer phrases of common words, which would
// otherwise be searched in many texts.

import { type Posting, uniteAll } from './positions.ts';
import type { Postings, PostingsWriter } from './postings.ts';
import type { SetMemory } from './set-memory.ts';

/** Words that occur at least once in this many texts are common. */
const TEXTS_PER_COMMON_WORD = 64;
/** At most this many words are common: the most frequent ones. */
const CODE_BITS = 9;
const MAX_COMMON = 1 << CODE_BITS;

/** Terms of pairs, by the codes of their words: with one space between the words, and with anything else. */
const SPACED_PAIRS = 0x4000_0000;
const OTHER_PAIRS = SPACED_PAIRS + (1 << (2 * CODE_BITS));

export type PairSections = {
  /** The number of common words: their codes are less than it. */
  readonly commonWords: Uint32Array;
};

/** The number of common words of texts; `frequencies` are in the order of their codes. */
export function countCommonWords(frequencies: Uint32Array, texts: number): number {
  const rare = frequencies.findIndex((count) => count * TEXTS_PER_COMMON_WORD < texts);
  return Math.min(rare < 0 ? frequencies.length : rare, MAX_COMMON);
}

function termOf(first: number, second: number, isSpaced: boolean): number {
  return (isSpaced ? SPACED_PAIRS : OTHER_PAIRS) + (first << CODE_BITS) + second;
}

/** Adds the pairs of texts to postings; words are given by their codes, in the order of a text. */
export class PairWriter {
  readonly #postings: PostingsWriter;
  readonly #common: number;
  /** Slot plus one of each pair: spaced ones, then the others. */
  readonly #slots: Uint32Array;
  #previous = 0;

  constructor(common: number, postings: PostingsWriter) {
    this.#postings = postings;
    this.#common = common;
    this.#slots = new Uint32Array(2 * common * common);
  }

  startText(): void {
    this.#previous = this.#common;
  }

  /** `isSpaced`: whether exactly one space is between this word and the previous one. */
  add(code: number, isSpaced: boolean, position: number): void {
    const common = this.#common;
    const previous = this.#previous;
    this.#previous = code;
    if (code >= common || previous >= common) return;
    const index = (isSpaced ? 0 : common * common) + previous * common + code;
    let slot = this.#slots[index] as number;
    if (slot === 0) {
      slot = this.#postings.addTerm(termOf(previous, code, isSpaced)) + 1;
      this.#slots[index] = slot;
    }
    this.#postings.add(slot - 1, position);
  }
}

export class WordPairs {
  readonly #common: number;
  readonly #codes: Uint32Array;
  readonly #postings: Postings;
  readonly #sets: SetMemory;

  /** `codes` are by the number of the word. */
  constructor(
    { commonWords }: PairSections,
    codes: Uint32Array,
    postings: Postings,
    sets: SetMemory,
  ) {
    this.#common = commonWords[0] ?? 0;
    this.#codes = codes;
    this.#postings = postings;
    this.#sets = sets;
  }

  isCommon(word: number): boolean {
    return (this.#codes[word] as number) < this.#common;
  }

  /** The reviews with a common word of the first list and then one of the second: with one space between them, or with anything else. */
  between(firsts: readonly number[], seconds: readonly number[], isSpaced: boolean): Posting {
    const postings = firsts.flatMap((first) =>
      seconds.flatMap((second) => this.#of(first, second, isSpaced) ?? []),
    );
    return uniteAll(postings, this.#sets);
  }

  /** The reviews with two common words in a row. */
  inRow(first: number, second: number): Posting {
    const postings = [true, false].flatMap((isSpaced) => this.#of(first, second, isSpaced) ?? []);
    return uniteAll(postings, this.#sets);
  }

  #of(first: number, second: number, isSpaced: boolean): Posting | null {
    const [a, b] = [this.#codes[first] as number, this.#codes[second] as number];
    return this.#postings.of(termOf(a, b, isSpaced));
  }
}
