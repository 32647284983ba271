// In which language each review is written, as far as its analysis could tell.

import type { Review } from '../model/review.ts';

/** The languages as arrays, for the store and for handing them to another thread. */
export type LanguageSections = {
  /** By position of the review: numbers of `languageCodes`. */
  readonly languages: Uint8Array;
  /** JSON of a list; the first is null, for what is not known. */
  readonly languageCodes: Uint8Array;
};

/** Writes the languages of reviews that come newest first. */
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

export class LanguageReader {
  readonly #numbers: Uint8Array;
  readonly #codes: readonly (string | null)[];

  constructor({ languages, languageCodes }: LanguageSections) {
    this.#numbers = languages;
    this.#codes = JSON.parse(Buffer.from(languageCodes).toString()) as (string | null)[];
  }

  /** The language of the review at a position: an ISO 639-1 code, or null. */
  at(position: number): string | null {
    return this.#codes[this.#numbers[position] ?? 0] ?? null;
  }
}
