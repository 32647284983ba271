// Finds an entity by name, alias or spelling, and suggests names if there is no match.

import { editsBetween, maxEdits, similarity, wordsOf } from '../model/closeness.ts';
import { fold } from '../model/fold.ts';

/** An entity that can be found by name. */
export interface Named {
  readonly id: string;
}

/** How an entity was matched, if not by its own names. */
export interface MatchedAs {
  /** The displayed name. */
  readonly name: string;
  readonly by: 'alias' | 'spelling';
}

/** The match; or the names of ambiguous matches, or of the closest entities. */
export type Found<T> =
  | { readonly one: T; readonly matchedAs: MatchedAs | null }
  | { readonly one: null; readonly names: string[] };

interface Entry<T> {
  readonly entry: T;
  /** The displayed name. */
  readonly shown: string;
}

/** The number of suggested names, if aliases and spellings are searched too. */
const MAX_SUGGESTIONS = 10;

export class Directory<T extends Named> {
  readonly #entries: readonly Entry<T>[];
  readonly #byName: ReadonlyMap<string, readonly Entry<T>[]>;
  readonly #byAlias: ReadonlyMap<string, readonly Entry<T>[]>;
  /** Every name and alias as normalised words; empty if spellings are not searched. */
  readonly #spellings: readonly (Entry<T> & { readonly words: string })[];

  /**
   * `namesOf` returns the displayed name first. With `aliasesOf`, aliases are searched after names, and
   * close spellings of both after aliases.
   */
  constructor(
    list: readonly T[],
    namesOf: (entry: T) => readonly [string, ...string[]],
    aliasesOf: ((entry: T) => readonly string[]) | null = null,
  ) {
    this.#entries = list.map((entry) => ({ entry, shown: namesOf(entry)[0] }));
    this.#byName = this.#index(namesOf);
    this.#byAlias = this.#index(aliasesOf ?? (() => []));
    // Names take precedence over aliases of other entities.
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
    return { one: null, names: this.#suggestionsFor(words) };
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

  /** The entities with the closest spelling, if it is close enough. */
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

  /** Displayed names, most similar first; without spellings all of them in their order. */
  #suggestionsFor(words: string): string[] {
    if (this.#spellings.length === 0) return this.#entries.map(({ shown }) => shown);
    const similarities = new Map<T, number>();
    for (const { entry, words: known } of this.#spellings) {
      const before = similarities.get(entry) ?? 0;
      similarities.set(entry, Math.max(before, similarity(words, known)));
    }
    const of = ({ entry }: Entry<T>) => similarities.get(entry) as number;
    const nearest = this.#entries.toSorted((a, b) => of(b) - of(a));
    return nearest.slice(0, MAX_SUGGESTIONS).map(({ shown }) => shown);
  }
}

/** The only match, or the names of several. */
function foundOf<T>(list: readonly Entry<T>[], by: MatchedAs['by'] | null): Found<T> {
  const [first, ...others] = list as [Entry<T>, ...Entry<T>[]];
  if (others.length > 0) return { one: null, names: list.map(({ shown }) => shown) };
  return { one: first.entry, matchedAs: by === null ? null : { name: first.shown, by } };
}
