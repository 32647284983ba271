// Finds all reviews that match a filter: combines postings, and scans texts only where postings do not decide.

import { LRUCache } from 'lru-cache';
import { dayNumber } from '../model/date.ts';
import { lowerBound } from '../model/lower-bound.ts';
import type { SearchFilter } from '../model/search.ts';
import { type Conditions as IndexConditions, conditionsOf, type IndexParts } from './conditions.ts';
import { intersect, type Range } from './intersect.ts';
import { keepPhrase, MIN_FOR_SURE } from './phrases.ts';
import { countOf, NOTHING, type Positions, type Posting, wordsOf } from './positions.ts';
import { asPosting, bitsOf, listOf, postingOf, uniteAll, without } from './position-sets.ts';
import type { TextScan } from './text-scan.ts';
import type { ResolvedWords } from './word-index.ts';

/** Memory for cached results: readers of one page often read the next ones. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Memory of a cached result beside its key and its positions. */
const ENTRY_BYTES = 512;

/** What a search selects by. */
export type Conditions = Omit<SearchFilter, 'limit' | 'cursor' | 'sort' | 'facets' | 'highlight'>;

/** All matches, and how the words were understood. */
export interface Found {
  readonly positions: Positions;
  readonly words: ResolvedWords | null;
}

const NO_PHRASES = { phrases: [], excludedPhrases: [] };

export class Finder {
  readonly #parts: IndexParts;
  readonly #days: Int32Array;
  readonly #scan: TextScan;
  /** By the filter as JSON. */
  readonly #results = new LRUCache<string, Positions>({
    maxSize: CACHE_BYTES,
    sizeCalculation: sizeOf,
  });

  constructor(parts: IndexParts, days: Int32Array, scan: TextScan) {
    this.#parts = parts;
    this.#days = days;
    this.#scan = scan;
  }

  /** The number of reviews from a day (days since 1970) on: they have the first positions. */
  countSince(day: number): number {
    return lowerBound(this.#days.length, (position) => (this.#days[position] as number) < day);
  }

  find(filter: Conditions): Found {
    const key = JSON.stringify(filter);
    const kept = this.#results.get(key);
    // Words are looked up again, because an answer says how they were understood.
    if (kept && filter.words === undefined) return { positions: kept, words: null };
    const range = this.#rangeOf(filter);
    const conditions = range.first < range.end ? conditionsOf(filter, this.#parts) : null;
    const words = conditions?.words ?? null;
    if (kept) return { positions: kept, words };
    const positions = conditions ? this.#findAll(conditions, range) : NOTHING;
    this.#results.set(key, this.#keepable(positions));
    return { positions, words };
  }

  /** All reviews that fulfil the conditions. */
  #findAll(conditions: IndexConditions, range: Range): Positions {
    const { phrases, excludedPhrases } = conditions.words ?? NO_PHRASES;
    const isScanned = conditions.needle !== null || phrases.length + excludedPhrases.length > 0;
    return isScanned ? this.#scanFor(conditions, range) : this.#select(conditions, [], range);
  }

  #rangeOf({ since, until }: Conditions): Range {
    const { length } = this.#days;
    const first = until === undefined ? 0 : this.countSince(dayNumber(until) + 1);
    const end = since === undefined ? length : this.countSince(dayNumber(since));
    return { first, end, isWhole: first === 0 && end === length };
  }

  /** The reviews that fulfil the conditions and are in other postings; texts are not read. */
  #select(
    { postings, hints, excluded }: IndexConditions,
    others: readonly Posting[],
    range: Range,
  ): Positions {
    const { sets } = this.#parts;
    const found = intersect([...postings, ...others], others.length > 0 ? [] : hints, range, sets);
    return excluded.reduce((some, posting) => without(some, posting, sets), found);
  }

  #scanFor(conditions: IndexConditions, range: Range): Positions {
    const { sets } = this.#parts;
    const { needle, sure, words } = conditions;
    const { phrases, excludedPhrases } = words ?? NO_PHRASES;
    const candidates = this.#select(conditions, [], range);
    const isScanned =
      countOf(candidates) < MIN_FOR_SURE || phrases.length + excludedPhrases.length > 0;
    if (needle !== null && sure !== null && !isScanned) {
      const known = asPosting(this.#select(conditions, [sure()], range), sets);
      const rest = sets.place(listOf(without(candidates, known, sets), sets));
      const others = postingOf(this.#scan.keepContaining(rest, needle), sets);
      return { posting: uniteAll([known, others], sets) };
    }
    let list = sets.place(listOf(candidates, sets));
    for (const phrase of phrases) list = keepPhrase(list, phrase, this.#scan, sets);
    for (const phrase of excludedPhrases) {
      const { posting } = phrase;
      const possible = posting.bits
        ? sets.keepList(list, posting.bits, true)
        : sets.intersectLists(list, posting.list());
      const out = keepPhrase(possible, phrase, this.#scan, sets);
      if (out.length > 0) list = sets.keepList(list, sets.bitsOfList(out), false);
    }
    return { list: needle === null ? list : this.#scan.keepContaining(list, needle) };
  }

  /** The same positions in a form that outlives the search and takes little memory. */
  #keepable(positions: Positions): Positions {
    if ('first' in positions || ('posting' in positions && positions.posting.isStored)) {
      return positions;
    }
    const count = countOf(positions);
    const { sets } = this.#parts;
    if (count <= wordsOf(sets.reviews)) return { list: Uint32Array.from(listOf(positions, sets)) };
    return { bits: Uint32Array.from(bitsOf(positions, sets)), count };
  }
}

/** The size of a cached result in bytes. */
function sizeOf(positions: Positions, key: string): number {
  const size =
    'list' in positions
      ? positions.list.byteLength
      : 'bits' in positions
        ? positions.bits.byteLength
        : 0;
  return ENTRY_BYTES + key.length + size;
}
