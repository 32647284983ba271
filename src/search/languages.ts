// The language of each review, if its analysis could determine it.

import { fold } from '../model/fold.ts';
import type { Review } from '../model/review.ts';
import { bitsOfList, type Posting } from './positions.ts';
import { postingOfBits } from './position-sets.ts';

/** The languages as arrays that can be stored and transferred to another thread. */
export type LanguageSections = {
  /** By position of the review: indexes of `languageCodes`. */
  readonly languages: Uint8Array;
  /** JSON of a list of codes; the first is null, for unknown. */
  readonly languageCodes: Uint8Array;
};

/** Writes the languages; `reviews` are sorted newest first. */
export function writeLanguages(
  reviews: readonly Review[],
  languages: ReadonlyMap<string, string | null>,
): LanguageSections {
  const codes: (string | null)[] = [null];
  const numbers = reviews.map(({ id }) => {
    const code = languages.get(id) ?? null;
    if (!codes.includes(code)) codes.push(code);
    return codes.indexOf(code);
  });
  return {
    languages: Uint8Array.from(numbers),
    languageCodes: Buffer.from(JSON.stringify(codes)),
  };
}

/** The value of a filter for reviews whose language is unknown (BCP 47). */
const UNKNOWN = 'und';

export class LanguageReader {
  readonly #numbers: Uint8Array;
  readonly #codes: readonly (string | null)[];
  /** By index of the code, from its first use on. */
  readonly #postings = new Map<number, Posting>();

  constructor({ languages, languageCodes }: LanguageSections) {
    this.#numbers = languages;
    this.#codes = JSON.parse(Buffer.from(languageCodes).toString()) as (string | null)[];
  }

  /** The language of the review at a position: an ISO 639-1 code, or null if unknown. */
  at(position: number): string | null {
    return this.#codes[this.#numbers[position] ?? 0] ?? null;
  }

  /** The languages of the reviews; "und" for unknown. */
  get tags(): string[] {
    return [...new Set(this.#codes.map((code) => code ?? UNKNOWN))];
  }

  /** The reviews in the language of a tag (BCP 47), whose region and script do not matter. */
  postingOf(tag: string): Posting {
    const [language = ''] = fold(tag).split(/[-_]/);
    const isWanted = this.#codes.map((code) => (code ?? UNKNOWN) === language);
    const key = isWanted.indexOf(true);
    const known = this.#postings.get(key);
    if (known) return known;
    const posting = postingOfNumbers(this.#numbers, (number) => isWanted[number] === true);
    this.#postings.set(key, posting);
    return posting;
  }
}

/** The positions whose number is wanted. */
export function postingOfNumbers(
  numbers: Uint8Array,
  isWanted: (number: number) => boolean,
): Posting {
  const positions = Uint32Array.from(numbers.keys()).filter((position) =>
    isWanted(numbers[position] as number),
  );
  return postingOfBits(bitsOfList(positions, numbers.length), positions.length);
}
