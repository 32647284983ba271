// The features of a part of a text for the learned model: word stems, word classes (word-classes.json),
// pairs of neighbouring words, negated words, and opinions. A feature is a number computed from its kind
// and the numbers of at most two words.

import { firstOpinion } from '../sentiment/attribution.ts';
import { STOP_WORDS } from '../text/grammar.ts';
import { NEGATORS } from '../text/pattern-language.ts';
import type { Opinion } from '../sentiment/opinions.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import wordClasses from './word-classes.json' with { type: 'json' };

/** The numbers of the words and classes that the model knows. */
export type Words = ReadonlyMap<string, number>;

/** Kinds of features. */
const KIND = {
  word: 0,
  negated: 1,
  next: 2,
  skipping: 3,
  content: 4,
  praise: 5,
  complaint: 6,
  noOpinion: 7,
  praised: 8,
  blamed: 9,
} as const;
/** The most words of a model, so that a feature stays below 2 ** 30, where numbers are fastest. */
export const MOST_WORDS = 2 ** 13;

/** How many content words a negation reaches ahead. */
const REACH = 3;
/** How near an opinion a word counts as praised or blamed, in keys. */
const NEAR = 4;

const CLASS_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(wordClasses)
    .filter(([name]) => name !== 'about')
    // The first class of a word counts, so it is written last.
    .toReversed()
    .flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
);

/** A word without its ending; all numbers are "#", all amounts of money "$". */
export function stemOf(word: string): string {
  if (word.startsWith('$')) return '$';
  if (/^\d/.test(word)) return '#';
  let stem = word;
  if (stem.length > 4) {
    stem = stem.replace(/(?:ing|edly|ed|ly|es|s)$/, '');
    if (/([bdgmnprt])\1$/.test(stem)) stem = stem.slice(0, -1);
  }
  return stem.length > 4 ? stem.replace(/[ey]$/, '') : stem;
}

/** The number of a word that the model does not know. */
const NONE = -1;

/** The cached properties of a word. */
interface Seen {
  /** The numbers of its stem and of its class, or NONE; a word without a class has its stem as class. */
  readonly stem: number;
  readonly kind: number;
  readonly isStopWord: boolean;
  readonly isNegator: boolean;
}

/** The stems and classes of the words of a text. */
export function wordsOf({ keys }: AnnotatedText): string[] {
  return keys.words.flatMap((word) => [stemOf(word), CLASS_OF.get(word) ?? stemOf(word)]);
}

/** The most words in the cache: more than people use, and bounded for any text. */
const MOST_SEEN = 50_000;

/** Extracts features with one vocabulary, and caches the properties of words. */
export class FeatureExtractor {
  readonly #words: Words;
  readonly #seen = new Map<string, Seen>();

  constructor(words: Words) {
    this.#words = words;
  }

  /** Emits the features of the tokens [from, to), some of them several times. */
  extract(
    annotated: AnnotatedText,
    from: number,
    to: number,
    emit: (feature: number) => void,
  ): void {
    const { keys } = annotated;
    const end = keys.firstOf[to] as number;
    let negated = 0;
    // The classes of the two words before, and of the two content words before.
    let last = NONE;
    let beforeLast = NONE;
    let content = NONE;
    let beforeContent = NONE;
    for (let at = keys.firstOf[from] as number; at < end; at += 1) {
      const { stem, kind, isStopWord, isNegator } = this.#see(keys.words[at] as string);
      if (!isStopWord) {
        if (stem !== NONE) emit(featureOf(KIND.word, stem));
        if (kind !== NONE) {
          if (kind !== stem) emit(featureOf(KIND.word, kind));
          if (content !== NONE) emit(featureOf(KIND.content, content, kind));
          if (beforeContent !== NONE) emit(featureOf(KIND.content, beforeContent, kind));
          if (negated > 0 && !isNegator) emit(featureOf(KIND.negated, kind));
        }
        negated = isNegator ? REACH : Math.max(0, negated - 1);
        beforeContent = content;
        content = kind;
      }
      if (kind !== NONE) {
        if (last !== NONE) emit(featureOf(KIND.next, last, kind));
        if (beforeLast !== NONE) emit(featureOf(KIND.skipping, beforeLast, kind));
      }
      beforeLast = last;
      last = kind;
    }
    this.#emitOpinions(annotated, from, to, emit);
  }

  /** Emits whether there is praise or complaint, and the words near it. */
  #emitOpinions(
    { keys, opinions }: AnnotatedText,
    from: number,
    to: number,
    emit: (feature: number) => void,
  ): void {
    const [start, end] = [keys.firstOf[from] as number, keys.firstOf[to] as number];
    const first = firstOpinion(opinions, from);
    for (let index = first; index < opinions.length; index += 1) {
      const opinion = opinions[index] as Opinion;
      if (opinion.from >= to) break;
      const isPraise = opinion.value > 0;
      emit(featureOf(isPraise ? KIND.praise : KIND.complaint, 0));
      const last = Math.min(end, (keys.firstOf[opinion.to] as number) + NEAR);
      const near = Math.max(start, (keys.firstOf[opinion.from] as number) - NEAR);
      for (let at = near; at < last; at += 1) {
        const { kind, isStopWord } = this.#see(keys.words[at] as string);
        if (kind !== NONE && !isStopWord) {
          emit(featureOf(isPraise ? KIND.praised : KIND.blamed, kind));
        }
      }
    }
    if ((opinions[first]?.from ?? to) >= to) emit(featureOf(KIND.noOpinion, 0));
  }

  #see(word: string): Seen {
    const known = this.#seen.get(word);
    if (known) return known;
    const stem = stemOf(word);
    const seen: Seen = {
      stem: this.#words.get(stem) ?? NONE,
      kind: this.#words.get(CLASS_OF.get(word) ?? stem) ?? NONE,
      isStopWord: STOP_WORDS.has(word),
      isNegator: NEGATORS.has(word),
    };
    if (this.#seen.size < MOST_SEEN) this.#seen.set(word, seen);
    return seen;
  }
}

function featureOf(kind: number, first: number, second = 0): number {
  return (kind * MOST_WORDS + first) * MOST_WORDS + second;
}
