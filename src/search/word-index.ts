// The words of the reviews: which reviews have a word in any inflection, a part of a word, or words in a row.

import { Dictionary } from './dictionary.ts';
import { HAS_TEXT, REPEATED_WORDS, WORDS } from './index-terms.ts';
import { intersect } from './intersect.ts';
import { type Posting, postingOf, uniteAll } from './positions.ts';
import { Phrases } from './phrases.ts';
import type { Postings } from './postings.ts';
import type { Term } from './ranking.ts';
import type { SetMemory } from './set-memory.ts';
import { StemIndex, type StemSections } from './stems.ts';
import type { TextScan } from './text-scan.ts';
import type { WordSections } from './word-writer.ts';

/** What a condition selects: the reviews of the posting that have the phrase. */
export interface Selected {
  readonly posting: Posting;
  /** The codes of its words. */
  readonly phrase: Uint8Array | null;
  readonly term: Term;
}

const NO_PHRASE = { pairs: [], scanned: null };

export class WordIndex {
  readonly dictionary: Dictionary;
  readonly phrases: Phrases;
  readonly stems: StemIndex;
  readonly #suffixes: Uint32Array;
  readonly #postings: Postings;
  readonly #scan: TextScan;
  readonly #sets: SetMemory;
  readonly texts: number;

  constructor(
    sections: WordSections & StemSections,
    postings: Postings,
    scan: TextScan,
    sets: SetMemory,
  ) {
    const { wordBytes: bytes, wordStarts: starts, wordCodes, wordSuffixes } = sections;
    this.dictionary = new Dictionary({ bytes, starts });
    this.phrases = new Phrases(sections, wordCodes, postings, sets);
    this.stems = new StemIndex(sections);
    this.#suffixes = wordSuffixes;
    this.#postings = postings;
    this.#scan = scan;
    this.#sets = sets;
    this.texts = postings.countOf(HAS_TEXT);
  }

  /** The reviews that have a word which contains a part, starts with it or ends with it. */
  havingPart(part: string, where: 'anywhere' | 'start' | 'end' | 'whole'): Posting {
    return this.having(this.numbersOf(part, where));
  }

  /** The words that contain a part, start with it, end with it, or are it. */
  numbersOf(part: string, where: 'anywhere' | 'start' | 'end' | 'whole'): number[] {
    switch (where) {
      case 'anywhere':
        return this.dictionary.containing(part, this.#suffixes);
      case 'end':
        return this.dictionary.containing(`${part}\0`, this.#suffixes);
      case 'start':
        return numbersIn(this.dictionary.withPrefix(part));
      case 'whole':
        return numbersIn(this.dictionary.withPrefix(`${part}\0`));
    }
  }

  /** The words of the reviews that a word stands for, without those that it is a prefix of. */
  formsOf(word: string): number[] {
    const number = this.dictionary.find(word);
    return [...new Set([...(number === null ? [] : [number]), ...this.stems.formsOf(word)])];
  }

  /** The words that a prefix may become, without the forms of the word that it is. */
  longerThan(prefix: string): number[] {
    const forms = new Set(this.formsOf(prefix));
    return this.numbersOf(prefix, 'start').filter((number) => !forms.has(number));
  }

  countOf(number: number): number {
    return this.#postings.countOf(WORDS + number);
  }

  having(numbers: readonly number[]): Posting {
    return uniteAll(this.#listsOf(WORDS, numbers), this.#sets);
  }

  /** The reviews that have a word of each list. */
  havingBoth(firsts: readonly number[], seconds: readonly number[]): Posting {
    if (firsts.length === 0 || seconds.length === 0) return this.nothing();
    return this.sharedBy([this.having(firsts), this.having(seconds)]);
  }

  uniteAll(postings: readonly Posting[]): Posting {
    return uniteAll(
      postings.filter(({ count }) => count > 0),
      this.#sets,
    );
  }

  sharedBy(postings: readonly Posting[]): Posting {
    const [first, ...others] = postings;
    if (first !== undefined && others.length === 0) return first;
    const range = { first: 0, end: this.#sets.reviews, isWhole: true };
    return intersect(postings, [], range, this.#sets);
  }

  /** The reviews with any of some words; `longer` ones count half. */
  selectAny(forms: readonly number[], longer: readonly number[] = []): Selected {
    const posting = this.having([...forms, ...longer]);
    const term = this.termOf(forms, this.#listsOf(WORDS, longer), posting.count);
    return { posting, phrase: null, term };
  }

  /** The reviews with words as they are, in a row. */
  selectExact(words: readonly string[]): Selected {
    const numbers = words.flatMap((word) => this.dictionary.find(word) ?? []);
    const isKnown = numbers.length === words.length;
    if (words.length === 1) return this.selectAny(numbers);
    const postings = isKnown ? this.#listsOf(WORDS, numbers) : [];
    const weight = postings.reduce((sum, { count }) => sum + this.#weightOf(count), 0);
    const phrase = isKnown ? this.phrases.resolve(numbers) : NO_PHRASE;
    return {
      posting: isKnown ? this.sharedBy([...postings, ...phrase.pairs]) : this.nothing(),
      phrase: phrase.scanned,
      term: { weight, words: [], repeated: [], halves: [], isConstant: true },
    };
  }

  /** The reviews that have words in a row, after a scan of texts where the postings do not tell. */
  inRow(words: readonly string[]): Posting {
    const { posting, phrase } = this.selectExact(words);
    if (!phrase || posting.count === 0) return posting;
    return postingOf(this.#scan.keepWithWords(posting.list(), phrase), this.#sets);
  }

  /** What relevance depends on; `halves` count half. `count` is of the reviews that have any of it. */
  termOf(numbers: readonly number[], halves: readonly Posting[], count: number): Term {
    return {
      weight: this.#weightOf(count),
      words: this.#listsOf(WORDS, numbers),
      repeated: this.#listsOf(REPEATED_WORDS, numbers),
      halves,
      isConstant: false,
    };
  }

  withText(): Posting {
    return this.#postings.of(HAS_TEXT) ?? this.nothing();
  }

  nothing(): Posting {
    return postingOf(new Uint32Array(0), this.#sets);
  }

  #listsOf(terms: number, numbers: readonly number[]): Posting[] {
    return numbers.flatMap((number) => this.#postings.of(terms + number) ?? []);
  }

  #weightOf(count: number): number {
    return inverseFrequency(count, this.texts);
  }
}

/** The weight of a condition that `count` of `all` texts fulfil (BM25). */
export function inverseFrequency(count: number, all: number): number {
  return Math.log(1 + (Math.max(0, all - count) + 0.5) / (count + 0.5));
}

function numbersIn([first, end]: readonly [number, number]): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}
