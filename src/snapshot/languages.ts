// The language of each review, if its analysis could determine it.

import type { Review } from '../model/review.ts';

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

export class LanguageReader {
  readonly #numbers: Uint8Array;
  readonly #codes: readonly (string | null)[];

  constructor({ languages, languageCodes }: LanguageSections) {
    this.#numbers = languages;
    this.#codes = JSON.parse(Buffer.from(languageCodes).toString()) as (string | null)[];
  }

  /** The language of the review at a position: an ISO 639-1 code, or null if unknown. */
  at(position: number): string | null {
    return this.#codes[this.#numbers[position] ?? 0] ?? null;
  }
}
