// Finds all reviews that match a filter: combines postings, and scans texts only where postings do not decide.

import { LRUCache } from 'lru-cache';
import { dayNumber } from '../model/date.ts';
import { lowerBound } from '../model/lower-bound.ts';
import type { SearchFilter } from '../model/search.ts';
import { type IndexConditions, conditionsOf, type IndexParts } from './conditions.ts';
import { intersect, type Range } from './intersect.ts';
import type { PossiblePhrase } from './phrases.ts';
import { bitsOf, type Posting, postingOf, postingOfBits, without } from './positions.ts';
import { wordsOf } from './set-memory.ts';
import type { TextScan } from './text-scan.ts';
import type { Meaning } from './meaning.ts';

/** Memory for cached results: readers of one page often read the next ones. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Memory of a cached result beside its key and its positions. */
const ENTRY_BYTES = 512;

/** Results of one filter that are cached: with all words, or with any. */
type Kept = 'all' | 'any';

export type SearchConditions = Omit<
  SearchFilter,
  'limit' | 'cursor' | 'sort' | 'facets' | 'highlight'
>;

export interface Found {
  /** The reviews that fulfil everything, with all words. */
  readonly matches: Posting;
  /** Those to show: if wanted or if nothing matches, also reviews with fewer words, or about what they name. */
  readonly shown: Posting;
  readonly words: Meaning | null;
}

export class Finder {
  readonly #parts: IndexParts;
  readonly #days: Int32Array;
  readonly #scan: TextScan;
  readonly #authors: TextScan;
  readonly #whole: Range;
  /** By the filter as JSON. */
  readonly #results = new LRUCache<string, Posting>({ maxSize: CACHE_BYTES });

  constructor(
    parts: IndexParts,
    days: Int32Array,
    { texts: scan, authors }: { readonly texts: TextScan; readonly authors: TextScan },
  ) {
    this.#authors = authors;
    this.#parts = parts;
    this.#days = days;
    this.#scan = scan;
    this.#whole = { first: 0, end: days.length, isWhole: true };
  }

  /** The number of reviews from a day (days since 1970) on: they have the first positions. */
  countSince(day: number): number {
    return lowerBound(this.#days.length, (position) => (this.#days[position] as number) < day);
  }

  /** `isWide`: whether reviews with fewer words are shown although others match. */
  find(filter: SearchConditions, isWide: boolean): Found {
    const known = filter.words === undefined ? this.#results.get(keyOf(filter, 'all')) : undefined;
    if (known) return { matches: known, shown: known, words: null };
    const range = this.#rangeOf(filter);
    const conditions = range.first < range.end ? conditionsOf(filter, this.#parts) : null;
    const words = conditions?.words ?? null;
    const loose = words?.loose ?? null;
    const find = (posting: Posting, name: Kept) =>
      this.#findKept(filter, name, posting.count === 0 ? null : conditions, range, [posting]);
    if (loose === null) {
      const matches = this.#findKept(filter, 'all', conditions, range, []);
      return { matches, shown: matches, words };
    }
    if (!isWide) {
      const matches = find(loose.all, 'all');
      if (matches.count > 0) return { matches, shown: matches, words };
    }
    const shown = find(loose.any, 'any');
    const { sets } = this.#parts;
    const matches = isWide ? intersect([shown, loose.all], [], this.#whole, sets) : this.#nothing();
    return { matches, shown, words };
  }

  /** The reviews that fulfil the conditions and are in other postings; none without conditions. */
  #findKept(
    filter: SearchConditions,
    name: Kept,
    conditions: IndexConditions | null,
    range: Range,
    others: readonly Posting[],
  ): Posting {
    const key = keyOf(filter, name);
    const kept = this.#results.get(key);
    if (kept) return kept;
    const positions = conditions
      ? this.#findAll({ ...conditions, postings: [...conditions.postings, ...others] }, range)
      : this.#nothing();
    this.#keep(key, positions);
    return positions;
  }

  /** All reviews that fulfil the conditions. */
  #findAll(conditions: IndexConditions, range: Range): Posting {
    const { phrases, excluded } = phrasesOf(conditions);
    const { needle, author } = conditions;
    const isScanned = needle !== null || author !== null || phrases.length + excluded.length > 0;
    return isScanned ? this.#scanFor(conditions, range) : this.#select(conditions, range);
  }

  #rangeOf({ since, until }: SearchConditions): Range {
    const { length } = this.#days;
    const first = until === undefined ? 0 : this.countSince(dayNumber(until) + 1);
    const end = since === undefined ? length : this.countSince(dayNumber(since));
    return { first, end, isWhole: first === 0 && end === length };
  }

  /** The reviews that fulfil the conditions which postings decide. */
  #select({ postings, hints, excluded }: IndexConditions, range: Range): Posting {
    const { sets } = this.#parts;
    const found = intersect(postings, hints, range, sets);
    return excluded.reduce((some, posting) => without(some, posting, sets), found);
  }

  #scanFor(conditions: IndexConditions, range: Range): Posting {
    const { sets } = this.#parts;
    const { needle, author } = conditions;
    const { phrases, excluded: excludedPhrases } = phrasesOf(conditions);
    let list = this.#select(conditions, range).list();
    if (author !== null) list = this.#authors.keepContaining(list, author);
    for (const phrase of phrases) list = this.#scan.keepWithWords(list, phrase);
    for (const { codes, posting } of excludedPhrases) {
      const possible = posting.bits
        ? sets.keepList(list, posting.bits, true)
        : sets.intersectLists(list, posting.list());
      const out = this.#scan.keepWithWords(possible, codes);
      if (out.length > 0) list = sets.keepList(list, sets.bitsOfList(out), false);
    }
    return postingOf(needle === null ? list : this.#scan.keepContaining(list, needle), sets);
  }

  #nothing(): Posting {
    return postingOf(new Uint32Array(0), this.#parts.sets, true);
  }

  /** Caches a result: of one that lasts until the next search a copy, in the form that takes less memory. */
  #keep(key: string, found: Posting): void {
    const { sets } = this.#parts;
    const size = ENTRY_BYTES + key.length;
    if (found.isStored) {
      this.#results.set(key, found, { size });
      return;
    }
    const isList = found.count <= wordsOf(sets.reviews);
    const copy = Uint32Array.from(isList ? found.list() : bitsOf(found, sets));
    const kept = isList
      ? postingOf(copy, sets, true)
      : postingOfBits(copy, sets, found.count, true);
    this.#results.set(key, kept, { size: size + copy.byteLength });
  }
}

function phrasesOf({ words }: IndexConditions): {
  readonly phrases: readonly Uint8Array[];
  readonly excluded: readonly PossiblePhrase[];
} {
  const phrases = (words?.required ?? []).flatMap(({ phrase }) => phrase ?? []);
  return { phrases, excluded: words?.excludedPhrases ?? [] };
}

function keyOf(filter: SearchConditions, name: Kept): string {
  return `${name} ${JSON.stringify(filter)}`;
}
