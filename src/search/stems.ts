// Inflected forms: which words have the same stem in a language of the reviews.

import { Dictionary, dictionaryOf } from './dictionary.ts';
import { hasStemmer, stemOf } from './stemmers.ts';
import { readCodes } from './word-codes.ts';
import type { WordSections } from './word-writer.ts';

/** The stems as arrays that can be stored and transferred to another thread. */
export type StemSections = {
  /** JSON of the languages that have a stemmer, most reviews first. */
  readonly stemLanguages: Uint8Array;
  /** A dictionary of `keyOf` of each stem. */
  readonly stemBytes: Uint8Array;
  readonly stemStarts: Uint32Array;
  /** Start of the words of each stem in `stemWords`, and the end of the last one. */
  readonly stemWordStarts: Uint32Array;
  readonly stemWords: Uint32Array;
};

/** More languages than this in one set of reviews are not stemmed: their words share bits of a number. */
const MAX_LANGUAGES = 32;

/** Finds the words with a common stem; `languages` are those of the texts, in order. */
export function buildStems(
  words: WordSections,
  languages: readonly (string | null)[],
): StemSections {
  const stemmed = commonLanguages(languages);
  const usedIn = languagesOfWords(words, languages, stemmed);
  const dictionary = new Dictionary({ bytes: words.wordBytes, starts: words.wordStarts });
  const wordsOf = new Map<string, number[]>();
  usedIn.forEach((bits, number) => {
    if (bits === 0) return;
    const word = dictionary.at(number);
    stemmed.forEach((language, index) => {
      if ((bits & (1 << index)) === 0) return;
      const stem = stemOf(language, word);
      if (stem === null) return;
      const key = keyOf(language, stem);
      const list = wordsOf.get(key);
      if (list) list.push(number);
      else wordsOf.set(key, [number]);
    });
  });
  const keys = [...wordsOf.keys()].toSorted((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  const { bytes: stemBytes, starts: stemStarts } = dictionaryOf(keys);
  const stemWordStarts = new Uint32Array(keys.length + 1);
  keys.forEach((key, stem) => {
    stemWordStarts[stem + 1] = (stemWordStarts[stem] as number) + (wordsOf.get(key) ?? []).length;
  });
  return {
    stemLanguages: Buffer.from(JSON.stringify(stemmed)),
    stemBytes,
    stemStarts,
    stemWordStarts,
    stemWords: Uint32Array.from(keys.flatMap((key) => wordsOf.get(key) ?? [])),
  };
}

/** The languages that have a stemmer, most texts first. */
function commonLanguages(languages: readonly (string | null)[]): string[] {
  const counts = new Map<string, number>();
  for (const language of languages) {
    if (language !== null && hasStemmer(language)) {
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  const sorted = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return sorted.map(([language]) => language).slice(0, MAX_LANGUAGES);
}

/** For each word a bit for each of the languages whose texts have it. */
function languagesOfWords(
  { wordCodes, wordStream, wordStreamStarts }: WordSections,
  languages: readonly (string | null)[],
  stemmed: readonly string[],
): Uint32Array {
  const byCode = new Uint32Array(wordCodes.length);
  languages.forEach((language, position) => {
    const index = language === null ? -1 : stemmed.indexOf(language);
    if (index < 0) return;
    const [start = 0, end = 0] = wordStreamStarts.subarray(position, position + 2);
    readCodes(wordStream, start, end - 1, (code) => {
      byCode[code] = (byCode[code] as number) | (1 << index);
    });
  });
  return wordCodes.map((code) => byCode[code] as number);
}

function keyOf(language: string, stem: string): string {
  return `${language} ${stem}`;
}

/** The languages of the reviews that have a stemmer, most reviews first. */
export function languagesOf({ stemLanguages }: StemSections): string[] {
  return JSON.parse(Buffer.from(stemLanguages).toString()) as string[];
}

export class StemIndex {
  /** Those of the reviews that have a stemmer, most reviews first. */
  readonly languages: readonly string[];
  readonly #keys: Dictionary;
  readonly #starts: Uint32Array;
  readonly #words: Uint32Array;

  constructor(sections: StemSections) {
    this.languages = languagesOf(sections);
    this.#keys = new Dictionary({ bytes: sections.stemBytes, starts: sections.stemStarts });
    this.#starts = sections.stemWordStarts;
    this.#words = sections.stemWords;
  }

  formsOf(word: string): number[] {
    return this.languages.flatMap((language) => {
      const stem = stemOf(language, word);
      const number = stem === null ? null : this.#keys.find(keyOf(language, stem));
      if (number === null) return [];
      return [...this.#words.subarray(this.#starts[number], this.#starts[number + 1])];
    });
  }

  /** The stem in the most frequent language, to compare names; without a stem the word itself. */
  mainStemOf(word: string): string {
    const [language] = this.languages;
    return (language === undefined ? null : stemOf(language, word)) ?? word;
  }
}
