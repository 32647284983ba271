// The language of each review, if its analysis could determine it.

import { fold } from '../model/fold.ts';
import type { Review } from '../model/review.ts';
import { type Posting, postingOfBits, uniteAll } from './positions.ts';
import type { SetMemory } from './set-memory.ts';

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
  readonly #sets: SetMemory;

  constructor({ languages, languageCodes }: LanguageSections, sets: SetMemory) {
    this.#numbers = languages;
    this.#codes = JSON.parse(Buffer.from(languageCodes).toString()) as (string | null)[];
    this.#sets = sets;
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
    const known = this.#codes.flatMap((code, number) =>
      (code ?? UNKNOWN) === language ? [this.#postingOf(number)] : [],
    );
    return uniteAll(known, this.#sets);
  }

  #postingOf(number: number): Posting {
    return postingOfBits(this.#sets.bitsOfBytes(this.#numbers, number), this.#sets);
  }
}
