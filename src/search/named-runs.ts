// Finds the longest run of words of a search that is the name of something.

import type { WordClause } from '../model/word-query.ts';

/** Values by the words of their names. */
export class NamedRuns<T> {
  readonly #values = new Map<string, T[]>();
  readonly #keyOf: (word: string) => string;
  /** In words. */
  #longest = 0;

  /** Words with equal keys are the same word. */
  constructor(keyOf: (word: string) => string) {
    this.#keyOf = keyOf;
  }

  add(words: readonly string[], value: T): void {
    const key = this.#join(words);
    if (key === '') return;
    const known = this.#values.get(key);
    if (known) known.push(value);
    else this.#values.set(key, [value]);
    this.#longest = Math.max(this.#longest, words.length);
  }

  of(words: readonly string[]): readonly T[] {
    return this.#values.get(this.#join(words)) ?? [];
  }

  /** The longest run of clauses from `at` on whose words are a name, and what it names. */
  longestAt(
    clauses: readonly WordClause[],
    at: number,
  ): { readonly length: number; readonly values: readonly T[] } {
    let found = { length: 0, values: [] as readonly T[] };
    const words: string[] = [];
    for (let end = at; end < clauses.length && words.length < this.#longest; end++) {
      words.push(...(clauses[end] as WordClause).words);
      const values = this.of(words);
      if (values.length > 0) found = { length: end - at + 1, values };
    }
    return found;
  }

  #join(words: readonly string[]): string {
    return words.map(this.#keyOf).join(' ');
  }
}
