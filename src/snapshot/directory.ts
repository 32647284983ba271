// Finds something by any of its names, and says what there is to choose from where that fails.

import { editsBetween, maxEdits, similarity, wordsOf } from '../model/closeness.ts';
import { fold } from '../model/fold.ts';

/** Something that can be asked for by a name. */
export interface Named {
  readonly id: string;
}

/** How one was found that was asked for by something else than its own names. */
export interface MatchedAs {
  /** The name that it is shown by. */
  readonly name: string;
  readonly by: 'alias' | 'spelling';
}

/** The one that was asked for; or the names of those that the name may mean, or of the nearest that there are. */
export type Found<T> =
  | { readonly one: T; readonly matchedAs: MatchedAs | null }
  | { readonly one: null; readonly names: string[] };

interface Entry<T> {
  readonly entry: T;
  /** The name that it is shown by. */
  readonly shown: string;
}

/** As many names are listed where aliases and spellings are searched too. */
const MOST_NEAREST = 10;

export class Directory<T extends Named> {
  readonly #entries: readonly Entry<T>[];
  readonly #byName: ReadonlyMap<string, readonly Entry<T>[]>;
  readonly #byAlias: ReadonlyMap<string, readonly Entry<T>[]>;
  /** Every name and alias in plain words, for close spellings; empty where those are not looked for. */
  readonly #spellings: readonly (Entry<T> & { readonly words: string })[];

  /**
   * `namesOf` gives the name that is shown first. With `aliasesOf` a name that is nobody's own is
   * looked for among the aliases, and then among close spellings of names and aliases.
   */
  constructor(
    list: readonly T[],
    namesOf: (entry: T) => readonly [string, ...string[]],
    aliasesOf: ((entry: T) => readonly string[]) | null = null,
  ) {
    this.#entries = list.map((entry) => ({ entry, shown: namesOf(entry)[0] }));
    this.#byName = this.#index(namesOf);
    this.#byAlias = this.#index(aliasesOf ?? (() => []));
    // What is somebody's own name is no alias of another.
    const isFree = (alias: string) => !this.#byName.has(fold(alias));
    this.#spellings = this.#entries.flatMap((known) => {
      if (aliasesOf === null) return [];
      const names = [...namesOf(known.entry), ...aliasesOf(known.entry).filter(isFree)];
      return names.map((name) => ({ ...known, words: wordsOf(name) }));
    });
  }

  find(name: string): Found<T> {
    const folded = fold(name);
    const named = this.#byName.get(folded);
    if (named) return foundOf(named, null);
    const aliased = this.#byAlias.get(folded);
    if (aliased) return foundOf(aliased, 'alias');
    const words = wordsOf(name);
    const close = this.#closestTo(words);
    if (close.length > 0) return foundOf(close, 'spelling');
    return { one: null, names: this.#nearestTo(words) };
  }

  #index(namesOf: (entry: T) => readonly string[]): ReadonlyMap<string, readonly Entry<T>[]> {
    const index = new Map<string, Entry<T>[]>();
    for (const known of this.#entries) {
      for (const name of new Set(namesOf(known.entry).map(fold))) {
        index.set(name, [...(index.get(name) ?? []), known]);
      }
    }
    return index;
  }

  /** Those whose spelling is closest, where any is close enough. */
  #closestTo(words: string): readonly Entry<T>[] {
    if (words === '') return [];
    let fewest = maxEdits(words);
    let closest = new Map<T, Entry<T>>();
    for (const known of this.#spellings) {
      const edits = editsBetween(words, known.words, fewest);
      if (edits > fewest) continue;
      if (edits < fewest) closest = new Map();
      fewest = edits;
      closest.set(known.entry, known);
    }
    return [...closest.values()];
  }

  /** The names that are shown, the most similar first; all of them in their order without spellings. */
  #nearestTo(words: string): string[] {
    if (this.#spellings.length === 0) return this.#entries.map(({ shown }) => shown);
    const similarities = new Map<T, number>();
    for (const { entry, words: known } of this.#spellings) {
      const before = similarities.get(entry) ?? 0;
      similarities.set(entry, Math.max(before, similarity(words, known)));
    }
    const of = ({ entry }: Entry<T>) => similarities.get(entry) as number;
    const nearest = this.#entries.toSorted((a, b) => of(b) - of(a));
    return nearest.slice(0, MOST_NEAREST).map(({ shown }) => shown);
  }
}

/** The one of a list, or the names of all where it has more. */
function foundOf<T>(list: readonly Entry<T>[], by: MatchedAs['by'] | null): Found<T> {
  const [first, ...others] = list as [Entry<T>, ...Entry<T>[]];
  if (others.length > 0) return { one: null, names: list.map(({ shown }) => shown) };
  return { one: first.entry, matchedAs: by === null ? null : { name: first.shown, by } };
}
