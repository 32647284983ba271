// Finds all reviews that match a filter: combines postings, and scans texts only where postings do not decide.

import { LRUCache } from 'lru-cache';
import { dayNumber } from '../model/date.ts';
import { lowerBound } from '../model/lower-bound.ts';
import type { SearchFilter } from '../model/search.ts';
import { type IndexConditions, conditionsOf, type IndexParts } from './conditions.ts';
import { intersect, type Range } from './intersect.ts';
import { keepPhrase, MIN_FOR_SURE, type Phrase, type PossiblePhrase } from './phrases.ts';
import { countOf, NOTHING, type Positions, type Posting, wordsOf } from './positions.ts';
import { asPosting, bitsOf, listOf, postingOf, uniteAll, without } from './position-sets.ts';
import type { TextScan } from './text-scan.ts';
import type { Meaning } from './meaning.ts';

/** Memory for cached results: readers of one page often read the next ones. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Memory of a cached result beside its key and its positions. */
const ENTRY_BYTES = 512;

/** Results of one filter that are cached: with all words, or with any. */
type Kept = 'all' | 'any';

/** What a search selects by. */
export type SearchConditions = Omit<
  SearchFilter,
  'limit' | 'cursor' | 'sort' | 'facets' | 'highlight'
>;

/** What a search found, and how its words were understood. */
export interface Found {
  /** The reviews that fulfil everything, with all words. */
  readonly matches: Positions;
  /** Those to show: if wanted or if nothing matches, also reviews with fewer words, or about what they name. */
  readonly shown: Positions;
  readonly words: Meaning | null;
}

export class Finder {
  readonly #parts: IndexParts;
  readonly #days: Int32Array;
  readonly #scan: TextScan;
  readonly #authors: TextScan;
  readonly #whole: Range;
  /** By the filter as JSON. */
  readonly #results = new LRUCache<string, Positions>({
    maxSize: CACHE_BYTES,
    sizeCalculation: sizeOf,
  });

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
      if (countOf(matches) > 0) return { matches, shown: matches, words };
    }
    const shown = find(loose.any, 'any');
    const { sets } = this.#parts;
    const matches = isWide
      ? intersect([asPosting(shown, sets), loose.all], [], this.#whole, sets)
      : NOTHING;
    return { matches, shown, words };
  }

  /** The reviews that fulfil the conditions and are in other postings; none without conditions. */
  #findKept(
    filter: SearchConditions,
    name: Kept,
    conditions: IndexConditions | null,
    range: Range,
    others: readonly Posting[],
  ): Positions {
    const key = keyOf(filter, name);
    const kept = this.#results.get(key);
    if (kept) return kept;
    const positions = conditions
      ? this.#findAll({ ...conditions, postings: [...conditions.postings, ...others] }, range)
      : NOTHING;
    this.#results.set(key, this.#keepable(positions));
    return positions;
  }

  /** All reviews that fulfil the conditions. */
  #findAll(conditions: IndexConditions, range: Range): Positions {
    const { phrases, excluded } = phrasesOf(conditions);
    const { needle, author } = conditions;
    const isScanned = needle !== null || author !== null || phrases.length + excluded.length > 0;
    return isScanned ? this.#scanFor(conditions, range) : this.#select(conditions, [], range);
  }

  #rangeOf({ since, until }: SearchConditions): Range {
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
    const { needle, sure, author } = conditions;
    const { phrases, excluded: excludedPhrases } = phrasesOf(conditions);
    const candidates = this.#select(conditions, [], range);
    const isScanned =
      countOf(candidates) < MIN_FOR_SURE ||
      author !== null ||
      phrases.length + excludedPhrases.length > 0;
    if (needle !== null && sure !== null && !isScanned) {
      const known = asPosting(this.#select(conditions, [sure()], range), sets);
      const rest = sets.place(listOf(without(candidates, known, sets), sets));
      const others = postingOf(this.#scan.keepContaining(rest, needle), sets);
      return { posting: uniteAll([known, others], sets) };
    }
    let list = sets.place(listOf(candidates, sets));
    if (author !== null) list = this.#authors.keepContaining(list, author);
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

function phrasesOf({ words }: IndexConditions): {
  readonly phrases: readonly Phrase[];
  readonly excluded: readonly PossiblePhrase[];
} {
  const phrases = (words?.required ?? []).flatMap(({ phrase }) => phrase ?? []);
  return { phrases, excluded: words?.excludedPhrases ?? [] };
}

function keyOf(filter: SearchConditions, name: Kept): string {
  return `${name} ${JSON.stringify(filter)}`;
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
