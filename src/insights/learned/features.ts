// What the learned layer sees of a stretch of text: its words without their endings, words of one kind as
// one (word-classes.json), which stand next to which, what a negation is before, and whether there are
// opinions. A feature is a number made of its kind and of the numbers of at most two words.

import { firstFrom } from '../attribution.ts';
import { NEGATORS } from '../pattern-language.ts';
import type { Opinion, Reading } from '../reading.ts';
import wordClasses from './word-classes.json' with { type: 'json' };

/** A word or a class that the model knows, by its number. */
export type Words = ReadonlyMap<string, number>;

/** Kinds of features; the first two are of one word. */
const KIND = {
  word: 0,
  negated: 1,
  next: 2,
  skipping: 3,
  content: 4,
  praise: 5,
  complaint: 6,
  noOpinion: 7,
} as const;
/** More words than a model can have. */
const MOST_WORDS = 2 ** 16;

/** How many words of content a negation reaches over. */
const REACH = 3;

const CLASS_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(wordClasses)
    .filter(([name]) => name !== 'about')
    // The first class of a word counts, so it is written last.
    .toReversed()
    .flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
);

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a an the and or of in on at to from with for by as that this these those it its i we my our your his
   her their is was are were be been am has have had do does did will would so very really just also
   too me us you which who what all some any there here then than`.split(/\s+/),
);

/** A word without its ending; numbers and amounts are one word each. */
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

/** A word as the features know it. */
interface Seen {
  /** Of its stem and of its class, which is the stem where it has none; null where the model knows neither. */
  readonly stem: number | null;
  readonly kind: number | null;
  readonly isFunction: boolean;
  readonly isNegator: boolean;
}

/** The words that a vocabulary needs for a text: their stems and classes. */
export function wordsOf({ keys }: Reading): string[] {
  return keys.words.flatMap((word) => [stemOf(word), CLASS_OF.get(word) ?? stemOf(word)]);
}

/** Reads features with one vocabulary. It keeps what it has worked out about words, up to a limit. */
export class FeatureReader {
  readonly #words: Words;
  readonly #seen = new Map<string, Seen>();

  constructor(words: Words) {
    this.#words = words;
  }

  /** The features of the tokens [from, to), each once. */
  featuresOf({ keys, opinions }: Reading, from: number, to: number): Set<number> {
    const features = new Set<number>();
    const end = keys.firstOf[to] as number;
    let negated = 0;
    // The classes of the two words before, and of the two words of content before.
    let last: number | null = null;
    let beforeLast: number | null = null;
    let content: number | null = null;
    let beforeContent: number | null = null;
    for (let at = keys.firstOf[from] as number; at < end; at += 1) {
      const { stem, kind, isFunction, isNegator } = this.#see(keys.words[at] as string);
      if (!isFunction) {
        if (stem !== null) features.add(featureOf(KIND.word, stem));
        if (kind !== null) {
          features.add(featureOf(KIND.word, kind));
          if (content !== null) features.add(featureOf(KIND.content, content, kind));
          if (beforeContent !== null) features.add(featureOf(KIND.content, beforeContent, kind));
          if (negated > 0 && !isNegator) features.add(featureOf(KIND.negated, kind));
        }
        negated = isNegator ? REACH : Math.max(0, negated - 1);
        [beforeContent, content] = [content, kind];
      }
      if (kind !== null && last !== null) features.add(featureOf(KIND.next, last, kind));
      if (kind !== null && beforeLast !== null) {
        features.add(featureOf(KIND.skipping, beforeLast, kind));
      }
      [beforeLast, last] = [last, kind];
    }
    for (const kind of tonesOf(opinions, from, to)) features.add(featureOf(kind, 0));
    return features;
  }

  #see(word: string): Seen {
    const known = this.#seen.get(word);
    if (known) return known;
    const stem = stemOf(word);
    const seen: Seen = {
      stem: this.#words.get(stem) ?? null,
      kind: this.#words.get(CLASS_OF.get(word) ?? stem) ?? null,
      isFunction: FUNCTION_WORDS.has(word),
      isNegator: NEGATORS.has(word),
    };
    // Words that the model does not know, and numbers, are too many to keep.
    if (seen.kind !== null && /^[a-z]/.test(word)) this.#seen.set(word, seen);
    return seen;
  }
}

function featureOf(kind: number, first: number, second = 0): number {
  return (kind * MOST_WORDS + first) * MOST_WORDS + second;
}

function tonesOf(opinions: Reading['opinions'], from: number, to: number): number[] {
  const tones = new Set<number>();
  for (let index = firstFrom(opinions, from); index < opinions.length; index += 1) {
    const opinion = opinions[index] as Opinion;
    if (opinion.from >= to) break;
    tones.add(opinion.value > 0 ? KIND.praise : KIND.complaint);
  }
  return tones.size === 0 ? [KIND.noOpinion] : [...tones];
}
