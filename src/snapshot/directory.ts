// Finds an entity by name, alias, spelling or a part of its name, and suggests names if there is no match.

import { editsBetween, maxEdits, similarity, wordsOf } from '../model/closeness.ts';
import { fold } from '../model/fold.ts';

/** An entity that can be found by name. */
export interface Entity {
  readonly id: string;
  /** The displayed name. */
  readonly label: string;
  /** Everything that names it, with the id and the label. */
  readonly names: readonly string[];
}

/** How an entity was matched, if not by its id or its label. */
export interface MatchedAs {
  readonly name: string;
  readonly by: 'alias' | 'spelling' | 'part';
}

/** The match; or the names of several, which may be meant, or of all entities, most similar first. */
export type Found =
  | { readonly one: Entity; readonly matchedAs: MatchedAs | null }
  | {
      readonly one: null;
      readonly candidates: readonly Entity[];
      readonly isNear: boolean;
    };

/** Shorter words are never the start of another. */
const MIN_START = 3;

export class Directory {
  readonly #entities: readonly Entity[];
  readonly #byName = new Map<string, Set<Entity>>();
  /** Names as normalised words. */
  readonly #spellings: readonly { readonly entity: Entity; readonly words: string }[];

  /** `entities` in the order in which equally similar ones are suggested. */
  constructor(entities: readonly Entity[]) {
    this.#entities = entities;
    for (const entity of entities) {
      for (const name of entity.names.map(fold)) {
        this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(entity));
      }
    }
    this.#spellings = entities.flatMap((entity) =>
      entity.names.map((name) => ({ entity, words: wordsOf(name) })),
    );
  }

  find(name: string): Found {
    const folded = fold(name);
    const named = this.#byName.get(folded);
    if (named) return foundOf([...named], 'alias', folded);
    const words = wordsOf(name);
    const close = this.#closest(maxEdits(words), (known, most) => editsBetween(words, known, most));
    if (close.length > 0) return foundOf(close, 'spelling', folded);
    const parts = words.split(' ').filter(Boolean);
    const holding = this.#closest(parts.length, (known) => editsWithin(parts, known.split(' ')));
    if (holding.length > 0) return foundOf(holding, 'part', folded);
    const held = this.#closest(parts.length, (known) => editsWithin(known.split(' '), parts));
    if (held.length > 0) return foundOf(held, 'part', folded);
    return { one: null, candidates: this.#mostSimilar(words), isNear: false };
  }

  /** The entities with the fewest edits in one of their names, if those are at most `most`. */
  #closest(most: number, editsTo: (known: string, most: number) => number): Entity[] {
    let fewest = most;
    let closest = new Set<Entity>();
    for (const { entity, words } of this.#spellings) {
      const edits = words === '' ? Infinity : editsTo(words, fewest);
      if (edits > fewest) continue;
      if (edits < fewest) closest = new Set();
      fewest = edits;
      closest.add(entity);
    }
    return [...closest];
  }

  #mostSimilar(words: string): Entity[] {
    const similarities = new Map<Entity, number>();
    for (const { entity, words: known } of this.#spellings) {
      const before = similarities.get(entity) ?? 0;
      similarities.set(entity, Math.max(before, similarity(words, known)));
    }
    const of = (entity: Entity) => similarities.get(entity) ?? 0;
    return this.#entities.toSorted((a, b) => of(b) - of(a));
  }
}

/** The edits that make each of some words one of others, or the start of one; Infinity if one is none of them. */
function editsWithin(parts: readonly string[], known: readonly string[]): number {
  const edits = parts.map((part) => {
    const isStart = (word: string) => part.length >= MIN_START && word.startsWith(part);
    if (known.some((word) => word === part || isStart(word))) return 0;
    return Math.min(...known.map((word) => editsBetween(part, word, Math.min(1, maxEdits(part)))));
  });
  return parts.length === 0 ? Infinity : edits.reduce((sum, one) => sum + one, 0);
}

function foundOf(list: readonly Entity[], by: MatchedAs['by'], folded: string): Found {
  const [one, ...others] = list as [Entity, ...Entity[]];
  if (others.length > 0) return { one: null, candidates: list, isNear: true };
  const isOwn = folded === fold(one.id) || folded === fold(one.label);
  return { one, matchedAs: isOwn ? null : { name: one.label, by } };
}
