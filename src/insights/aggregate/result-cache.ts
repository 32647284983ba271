// Results that depend on lists of mentions, kept from one publish to the next: after a change of a few reviews,
// most lists are the same as before.

import { hash } from 'node:crypto';

/** The JSON of results by the hash of everything that they depend on. */
export type Results = Readonly<Record<string, string>>;

export class ResultCache {
  readonly #known: ReadonlyMap<string, string>;
  readonly #used = new Map<string, string>();

  constructor(known: Results = {}) {
    this.#known = new Map(Object.entries(known));
  }

  /** The result for inputs, which is computed if it is not known. Inputs and results are plain JSON. */
  of<T>(inputs: readonly unknown[], compute: () => T): T {
    const key = hash('sha256', JSON.stringify(inputs), 'base64url');
    const json = this.#known.get(key);
    if (json === undefined) {
      const result = compute();
      this.#used.set(key, JSON.stringify(result));
      return result;
    }
    this.#used.set(key, json);
    return JSON.parse(json) as T;
  }

  /** Those that were asked for. */
  get used(): Results {
    return Object.fromEntries(this.#used);
  }
}
