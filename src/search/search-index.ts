// Finds and counts all reviews that match a filter, without reading records. Reviews are identified by
// position: 0 is the newest.

import { LRUCache } from 'lru-cache';
import type { Business } from '../model/business.ts';
import { Cursor } from '../model/cursor.ts';
import { dateOfDay, dayNumber } from '../model/date.ts';
import { fold } from '../model/fold.ts';
import type { Insights, Sentiment } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import type { SearchFilter } from '../model/search.ts';
import { LONGEST_GRAM, rarestGrams } from './grams.ts';
import {
  AT_LEAST,
  HAS_TEXT,
  indexTermsBeside,
  SOURCES,
  STARS,
  type TermSections,
  toIndex,
} from './index-terms.ts';
import { lowerBound } from '../model/lower-bound.ts';
import { intersect } from './intersect.ts';
import { buildMentions, type MentionKind, MentionIndex, type MentionSections } from './mentions.ts';
import {
  bitsOfList,
  countOf,
  listOf,
  NOTHING,
  type Positions,
  type Posting,
  takeFrom,
  wordsOf,
} from './positions.ts';
import { postingOf, Postings } from './postings.ts';
import { TextScan } from './text-scan.ts';

/** Memory for cached results of scans: readers of one page often read the next ones. */
const CACHE_BYTES = 8 * 1024 * 1024;

/** The index as arrays that can be stored and transferred to another thread. */
export type IndexSections = TermSections &
  MentionSections & {
    readonly days: Int32Array;
    /** Concatenated ids in Latin-1. */
    readonly ids: Uint8Array;
    /** JSON of a list of names; the index of a name is the number of the source. */
    readonly sourceNames: Uint8Array;
  };

/** The length of an id in characters. */
const ID_LENGTH = 26;

/** Indexes reviews, sorted newest first, while insights are still being derived. */
export class IndexBuilder {
  readonly #reviews: readonly Review[];
  readonly #sourceNames: readonly string[];
  readonly #terms: Promise<TermSections>;

  constructor(reviews: readonly Review[]) {
    this.#reviews = reviews;
    const { sourceNames, ...indexed } = toIndex(reviews);
    this.#sourceNames = sourceNames;
    this.#terms = indexTermsBeside(indexed);
    // `finish` awaits it; if the publish fails before, its error is irrelevant.
    this.#terms.catch(() => undefined);
  }

  /** Adds what the insights found. @throws if indexing failed */
  async finish(insights: Insights, business: Business): Promise<IndexSections> {
    const reviews = this.#reviews;
    return {
      days: Int32Array.from(reviews, ({ date }) => dayNumber(date)),
      ids: Buffer.from(reviews.map(({ id }) => id).join(''), 'latin1'),
      sourceNames: Buffer.from(JSON.stringify(this.#sourceNames)),
      ...buildMentions(reviews, insights, business),
      ...(await this.#terms),
    };
  }
}

/** A page of search results. */
export interface SearchResult {
  /** The number of matches on all pages. */
  readonly matched: number;
  /** The positions of this page. */
  readonly positions: readonly number[];
  /** Whether another page follows. */
  readonly more: boolean;
}

/** The filter without its page. */
type Filter = Omit<SearchFilter, 'limit' | 'cursor'>;

/** The conditions of a filter. Matches are in all postings and hints, and contain the needle. */
interface Conditions {
  readonly postings: readonly Posting[];
  readonly hints: readonly Posting[];
  /** The string to scan for; null if the postings are exact. */
  readonly needle: Uint8Array | null;
}

export class SearchIndex {
  readonly #days: Int32Array;
  readonly #ids: Buffer;
  readonly #sourceNumbers: ReadonlyMap<string, number>;
  readonly #postings: Postings;
  readonly #mentions: MentionIndex;
  readonly #scan: TextScan;
  /** By the filter as JSON. */
  readonly #results = new LRUCache<string, Positions>({
    maxSize: CACHE_BYTES,
    sizeCalculation: sizeOf,
  });

  /** The sections are views of `memory`. */
  constructor(sections: IndexSections, memory: WebAssembly.Memory) {
    const { days, ids, texts, textStarts } = sections;
    const sourceNames = JSON.parse(Buffer.from(sections.sourceNames).toString()) as string[];
    this.#days = days;
    this.#ids = Buffer.from(ids.buffer, ids.byteOffset, ids.length);
    this.#sourceNumbers = new Map(sourceNames.map((source, number) => [source, number]));
    this.#postings = new Postings(sections, days.length);
    this.#mentions = new MentionIndex(sections);
    this.#scan = new TextScan(memory, { bytes: texts, starts: textStarts });
  }

  get length(): number {
    return this.#days.length;
  }

  /** The number of reviews from a day (days since 1970) on: they have the first positions. */
  countSince(day: number): number {
    return lowerBound(this.#days.length, (position) => (this.#days[position] as number) < day);
  }

  /** The day of the review at a position, in days since 1970. */
  dayAt(position: number): number {
    return this.#days[position] as number;
  }

  idAt(position: number): string {
    const start = position * ID_LENGTH;
    return this.#ids.toString('latin1', start, start + ID_LENGTH);
  }

  /** The positions of the reviews that mention an id, newest first. */
  mentioning(list: MentionKind, id: string, sentiment?: Sentiment): Uint32Array {
    return this.#mentions.positionsOfId(list, id, sentiment);
  }

  search({ limit, cursor, ...conditions }: SearchFilter): SearchResult {
    const found = this.#find(conditions);
    const pageStart = cursor === undefined ? 0 : this.firstAfter(cursor);
    const page = takeFrom(found, pageStart, limit + 1);
    return {
      matched: countOf(found),
      positions: page.slice(0, limit),
      more: page.length > limit,
    };
  }

  /** The cursor of the page after this position. */
  cursorAfter(position: number): Cursor {
    const date = dateOfDay(this.#days[position] as number);
    return new Cursor(date, this.idAt(position));
  }

  /** The first position after a cursor, whether or not its review still exists. */
  firstAfter({ date, id }: Cursor): number {
    const day = dayNumber(date);
    return lowerBound(this.length, (position) => {
      const days = this.#days[position] as number;
      return days < day || (days === day && this.idAt(position) < id);
    });
  }

  #find(filter: Filter): Positions {
    const key = filter.query === undefined ? '' : JSON.stringify(filter);
    return this.#results.get(key) ?? this.#findUncached(filter, key);
  }

  #findUncached(filter: Filter, key: string): Positions {
    const { since, until } = filter;
    const first = until === undefined ? 0 : this.countSince(dayNumber(until) + 1);
    const end = since === undefined ? this.length : this.countSince(dayNumber(since));
    const range = { first, end, isWhole: first === 0 && end === this.length };
    const conditions = first < end ? this.#conditionsOf(filter) : null;
    if (!conditions) return NOTHING;
    const { postings, hints, needle } = conditions;
    const candidates = intersect(postings, hints, range);
    if (needle === null) return candidates;
    const found = this.#compact(this.#scan.keepContaining(listOf(candidates), needle));
    this.#results.set(key, found);
    return found;
  }

  /** Null if a value of the filter occurs in no review. */
  #conditionsOf(filter: Filter): Conditions | null {
    const { rating, min_rating: minRating, source, query } = filter;
    const { mentions_technician: technician, mentions_service: service } = filter;
    const terms: number[] = [];
    if (rating !== undefined) terms.push(STARS + rating);
    if (minRating !== undefined && minRating > 1) terms.push(AT_LEAST + Math.ceil(minRating));
    if (source !== undefined) {
      const number = this.#sourceNumbers.get(source);
      if (number === undefined) return null;
      terms.push(SOURCES + number);
    }
    const needle = query === undefined ? null : Buffer.from(fold(query));
    if (needle?.length === 0) terms.push(HAS_TEXT);
    const postings: Posting[] = [];
    for (const term of terms) {
      const posting = this.#postings.of(term);
      if (!posting) return null;
      postings.push(posting);
    }
    if (technician !== undefined) {
      postings.push(postingOf(this.#mentions.positionsOf('technicians', technician)));
    }
    if (service !== undefined) {
      postings.push(postingOf(this.#mentions.positionsOf('services', service)));
    }
    if (needle === null || needle.length === 0) return { postings, hints: [], needle: null };
    const grams = rarestGrams(needle, this.#postings);
    if (!grams) return null;
    if (needle.length <= LONGEST_GRAM) {
      return { postings: [...postings, ...grams], hints: [], needle: null };
    }
    return { postings, hints: grams, needle };
  }

  /** Chooses the form that takes less memory. */
  #compact(list: Uint32Array): Positions {
    if (list.length <= wordsOf(this.length)) return { list };
    return { bits: bitsOfList(list, this.length), count: list.length };
  }
}

/** The size of a cached result in bytes. */
function sizeOf(positions: Positions, key: string): number {
  if ('list' in positions) return positions.list.byteLength + key.length + 1;
  return 'bits' in positions ? positions.bits.byteLength + key.length : key.length;
}
