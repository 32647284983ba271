// Finds something by any of its names, and says what there is to choose from where that fails.

import { fold } from '../model/fold.ts';

/** Something that can be asked for by a name. */
export interface Named {
  readonly id: string;
}

/** The one that was asked for; or the names of those that the name may mean, or of all that there are. */
export type Found<T> = { readonly one: T } | { readonly one: null; readonly names: string[] };

export class Directory<T extends Named> {
  readonly #byName = new Map<string, { readonly shown: string; readonly entry: T }[]>();
  readonly #names: string[];

  /** `namesOf` gives the name that is shown first. */
  constructor(entries: readonly T[], namesOf: (entry: T) => readonly [string, ...string[]]) {
    this.#names = entries.map((entry) => namesOf(entry)[0]);
    for (const entry of entries) {
      const names = namesOf(entry);
      for (const name of new Set(names.map(fold))) {
        const having = this.#byName.get(name) ?? [];
        having.push({ shown: names[0], entry });
        this.#byName.set(name, having);
      }
    }
  }

  find(name: string): Found<T> {
    const [first, ...others] = this.#byName.get(fold(name)) ?? [];
    if (!first) return { one: null, names: this.#names };
    if (others.length === 0) return { one: first.entry };
    return { one: null, names: [first, ...others].map(({ shown }) => shown) };
  }
}
