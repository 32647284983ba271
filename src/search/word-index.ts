// Finds reviews by the words of their texts: inflected, as prefixes, in a row, and by the names that the
// business and the insights have for the same thing.

import type { WordClause, WordQuery } from '../model/word-query.ts';
import { Dictionary } from './dictionary.ts';
import { HAS_TEXT, REPEATED_WORDS, WORDS } from './index-terms.ts';
import type { Sought } from './highlights.ts';
import { intersect } from './intersect.ts';
import type { MentionIndex } from './mentions.ts';
import { type Meaning, Names, type Widened, WIDENING } from './names.ts';
import type { Posting } from './positions.ts';
import { keepPhrase, type Phrase, Phrases, type PossiblePhrase } from './phrases.ts';
import { asPosting, postingOf, uniteAll } from './position-sets.ts';
import type { Postings } from './postings.ts';
import type { SetMemory } from './set-memory.ts';
import { StemIndex, type StemSections } from './stems.ts';
import type { TextScan } from './text-scan.ts';
import type { WordSections } from './word-writer.ts';

/** What the relevance of a condition depends on. */
export interface Term {
  /** How rare it is: see `inverseFrequency`. */
  readonly weight: number;
  /** Words that count, and the reviews that repeat them. */
  readonly words: readonly Posting[];
  readonly repeated: readonly Posting[];
  /** Words that it is a prefix of, and mentions: they count half. */
  readonly halves: readonly Posting[];
  /** Whether every match has it exactly once, as phrases. */
  readonly isConstant: boolean;
}

export interface ResolvedWords {
  /** Matches are in all of these. */
  readonly postings: readonly Posting[];
  readonly phrases: readonly Phrase[];
  /** Matches are not in this, and do not have these words in a row. */
  readonly excluded: Posting;
  readonly excludedPhrases: readonly PossiblePhrase[];
  readonly terms: readonly Term[];
  readonly widened: readonly Widened[];
}

/** One condition with what it selects. */
interface Resolved {
  readonly posting: Posting;
  readonly phrase: Phrase | null;
  readonly term: Term;
}

const NO_PHRASE = { pairs: [], scanned: null };

export class WordIndex {
  readonly dictionary: Dictionary;
  readonly phrases: Phrases;
  readonly #suffixes: Uint32Array;
  readonly #stems: StemIndex;
  readonly #postings: Postings;
  readonly #mentions: MentionIndex;
  readonly #scan: TextScan;
  readonly #sets: SetMemory;
  readonly #texts: number;
  readonly #names: Names;

  constructor(
    sections: WordSections & StemSections,
    postings: Postings,
    mentions: MentionIndex,
    scan: TextScan,
    sets: SetMemory,
  ) {
    const { wordBytes: bytes, wordStarts: starts, wordCodes, wordSuffixes } = sections;
    this.dictionary = new Dictionary({ bytes, starts });
    this.phrases = new Phrases(sections, wordCodes, postings, sets);
    this.#suffixes = wordSuffixes;
    this.#stems = new StemIndex(sections);
    this.#postings = postings;
    this.#mentions = mentions;
    this.#scan = scan;
    this.#sets = sets;
    this.#texts = postings.countOf(HAS_TEXT);
    this.#names = new Names(mentions, this.#stems);
  }

  /** The reviews that have a word which contains a part, starts with it or ends with it. */
  havingPart(part: string, where: 'anywhere' | 'start' | 'end' | 'whole'): Posting {
    return this.#having(this.numbersOf(part, where));
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

  /** The reviews that have a word of each list. */
  havingBoth(firsts: readonly number[], seconds: readonly number[]): Posting {
    if (firsts.length === 0 || seconds.length === 0) return this.#nothing();
    return this.#sharedBy([this.#having(firsts), this.#having(seconds)]);
  }

  uniteAll(postings: readonly Posting[]): Posting {
    return uniteAll(
      postings.filter(({ count }) => count > 0),
      this.#sets,
    );
  }

  /** The words of the reviews that a word stands for, without those that it is a prefix of. */
  formsOf(word: string): number[] {
    const number = this.dictionary.find(word);
    return [...new Set([...(number === null ? [] : [number]), ...this.#stems.formsOf(word)])];
  }

  /** The number of reviews that have a word. */
  countOf(number: number): number {
    return this.#postings.countOf(WORDS + number);
  }

  resolve({ required, excluded }: WordQuery): ResolvedWords {
    const resolved: Resolved[] = [];
    const widened: Widened[] = [];
    for (let at = 0; at < required.length;) {
      const named = this.#names.longestAt(required, at);
      const clauses = required.slice(at, at + Math.max(1, named.length));
      at += clauses.length;
      const parts = clauses.map((clause) => this.#resolveClause(clause));
      if (named.meanings.length === 0) {
        resolved.push(...parts);
      } else {
        const name = clauses.flatMap((clause) => clause.words).join(' ');
        widened.push(...named.meanings.map((meaning) => ({ words: name, ...meaning })));
        resolved.push(this.#widen(parts, named.meanings));
      }
    }
    const out = excluded.map((clause) => this.#resolveClause(clause));
    const words = out.filter(({ phrase }) => phrase === null).map(({ posting }) => posting);
    return {
      // Words that are only excluded select among the reviews with a text.
      postings: resolved.length > 0 ? resolved.map(({ posting }) => posting) : this.#withText(),
      phrases: resolved.flatMap(({ phrase }) => phrase ?? []),
      excluded: uniteAll(words, this.#sets),
      excludedPhrases: out.flatMap(({ posting, phrase }) =>
        phrase ? [{ ...phrase, posting }] : [],
      ),
      terms: resolved.map(({ term }) => term),
      widened,
    };
  }

  /** What a highlight of these words looks for. */
  sought({ required }: WordQuery): Omit<Sought, 'needle'> {
    const loose = required.filter(({ isExact }) => !isExact);
    const forms = loose.flatMap(({ words }) => words.flatMap((word) => this.formsOf(word)));
    const exact = required.filter(({ isExact }) => isExact).map(({ words }) => words);
    return {
      words: new Set(forms.map((number) => this.dictionary.at(number))),
      prefixes: loose.filter(({ isPrefix }) => isPrefix).flatMap(({ words }) => words),
      phrases: exact,
    };
  }

  #resolveClause({ words, isExact, isPrefix }: WordClause): Resolved {
    if (isExact) return this.#resolveExact(words);
    const [word = ''] = words;
    const forms = this.formsOf(word);
    const known = new Set(forms);
    const longer = isPrefix
      ? this.numbersOf(word, 'start').filter((number) => !known.has(number))
      : [];
    const posting = this.#having([...forms, ...longer]);
    const term: Term = {
      weight: this.#weightOf(posting.count),
      words: this.#listsOf(WORDS, forms),
      repeated: this.#listsOf(REPEATED_WORDS, forms),
      halves: this.#listsOf(WORDS, longer),
      isConstant: false,
    };
    return { posting, phrase: null, term };
  }

  /** The words as they are; several in a row. */
  #resolveExact(words: readonly string[]): Resolved {
    const numbers = words.flatMap((word) => this.dictionary.find(word) ?? []);
    const isKnown = numbers.length === words.length;
    const postings = isKnown ? this.#listsOf(WORDS, numbers) : [];
    const weight = postings.reduce((sum, { count }) => sum + this.#weightOf(count), 0);
    const isPhrase = words.length > 1;
    const phrase = isPhrase && isKnown ? this.phrases.resolve(numbers) : NO_PHRASE;
    return {
      posting: isKnown ? this.#sharedBy([...postings, ...phrase.pairs]) : this.#nothing(),
      phrase: phrase.scanned,
      term: {
        weight,
        words: isPhrase ? [] : postings,
        repeated: isPhrase ? [] : this.#listsOf(REPEATED_WORDS, numbers),
        halves: [],
        isConstant: isPhrase,
      },
    };
  }

  /** Also the reviews that mention what the words mean. */
  #widen(parts: readonly Resolved[], meanings: readonly Meaning[]): Resolved {
    const mentions = meanings.map(({ kind, id, sentiment }) =>
      postingOf(this.#mentions.positionsOfId(WIDENING[kind], id, sentiment), this.#sets),
    );
    const posting = uniteAll([this.#allOf(parts), ...mentions], this.#sets);
    return {
      posting,
      phrase: null,
      term: {
        weight: this.#weightOf(posting.count),
        words: parts.flatMap(({ term }) => term.words),
        repeated: parts.flatMap(({ term }) => term.repeated),
        halves: [...parts.flatMap(({ term }) => term.halves), ...mentions],
        isConstant: false,
      },
    };
  }

  /** The reviews that all parts select. */
  #allOf(parts: readonly Resolved[]): Posting {
    const shared = this.#sharedBy(parts.map(({ posting }) => posting));
    const phrases = parts.flatMap(({ phrase }) => phrase ?? []);
    if (phrases.length === 0 || shared.count === 0) return shared;
    return postingOf(
      phrases.reduce(
        (list, phrase) => keepPhrase(list, phrase, this.#scan, this.#sets),
        shared.list(),
      ),
      this.#sets,
    );
  }

  #sharedBy(postings: readonly Posting[]): Posting {
    const [first, ...others] = postings;
    if (first !== undefined && others.length === 0) return first;
    const range = { first: 0, end: this.#sets.reviews, isWhole: true };
    return asPosting(intersect(postings, [], range, this.#sets), this.#sets);
  }

  #withText(): Posting[] {
    return [this.#postings.of(HAS_TEXT) ?? this.#nothing()];
  }

  #nothing(): Posting {
    return postingOf(new Uint32Array(0), this.#sets);
  }

  #having(numbers: readonly number[]): Posting {
    return uniteAll(this.#listsOf(WORDS, numbers), this.#sets);
  }

  #listsOf(terms: number, numbers: readonly number[]): Posting[] {
    return numbers.flatMap((number) => this.#postings.of(terms + number) ?? []);
  }

  #weightOf(count: number): number {
    return inverseFrequency(count, this.#texts);
  }
}

/** The weight of a condition that `count` of `all` texts fulfil (BM25). */
export function inverseFrequency(count: number, all: number): number {
  return Math.log(1 + (Math.max(0, all - count) + 0.5) / (count + 0.5));
}

function numbersIn([first, end]: readonly [number, number]): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}
