// Finds the reviews that a filter matches, and counts them all, without looking at a record. Reviews
// are known by position: 0 is the newest.

import { LRUCache } from 'lru-cache';
import type { Business } from '../model/business.ts';
import { dateOfDay, dayNumber } from '../model/date.ts';
import { fold } from '../model/fold.ts';
import type { Insights, Sentiment } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import {
  formatCursor,
  parseCursor,
  type CursorPosition,
  type SearchFilter,
} from '../model/search.ts';
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
import { buildNames, type Mentioned, NameIndex, type NameSections } from './mentions.ts';
import { narrow } from './intersect.ts';
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

/** Memory for results of searches that had to read texts, in bytes: whoever reads one page may read all. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** The index as arrays, for the store and for handing it to another thread. */
export type IndexSections = TermSections &
  NameSections & {
    readonly days: Int32Array;
    /** Latin-1, one after another. */
    readonly ids: Uint8Array;
    /** JSON of a list: which number stands for which source. */
    readonly sourceNames: Uint8Array;
  };

/** Characters of an id. */
const ID_LENGTH = 26;

/** Begins to index reviews that come newest first; what insights found in them is told at the end. */
export class IndexBuilder {
  readonly #reviews: readonly Review[];
  readonly #sourceNames: readonly string[];
  readonly #terms: Promise<TermSections>;

  constructor(reviews: readonly Review[]) {
    this.#reviews = reviews;
    const { sourceNames, ...indexed } = toIndex(reviews);
    this.#sourceNames = sourceNames;
    this.#terms = indexTermsBeside(indexed);
    // It is waited for at the end; where something else fails before, nobody asks any more.
    this.#terms.catch(() => undefined);
  }

  async finish(insights: Insights, business: Business): Promise<IndexSections> {
    const reviews = this.#reviews;
    return {
      days: Int32Array.from(reviews, ({ date }) => dayNumber(date)),
      ids: Buffer.from(reviews.map(({ id }) => id).join(''), 'latin1'),
      sourceNames: Buffer.from(JSON.stringify(this.#sourceNames)),
      ...buildNames(reviews, insights, business),
      ...(await this.#terms),
    };
  }
}

/** What a search found. */
export interface SearchResult {
  /** How many reviews match, on all pages. */
  readonly matched: number;
  /** Positions of those on this page. */
  readonly positions: readonly number[];
  /** Whether another page follows. */
  readonly more: boolean;
}

/** What all reviews that match have, as postings: those of `hints` have to be looked at besides. */
interface Wanted {
  readonly postings: readonly Posting[];
  readonly hints: readonly Posting[];
  /** What their texts hold, where the postings do not say so. */
  readonly needle: Uint8Array | null;
}

export class SearchIndex {
  readonly #days: Int32Array;
  readonly #ids: Buffer;
  readonly #sourceNumbers: ReadonlyMap<string, number>;
  readonly #postings: Postings;
  readonly #names: NameIndex;
  readonly #scan: TextScan;
  /** By the filter as JSON. */
  readonly #kept = new LRUCache<string, Positions>({
    maxSize: KEPT_BYTES,
    sizeCalculation: sizeOf,
  });

  /** The sections lie in the memory. */
  constructor(sections: IndexSections, memory: WebAssembly.Memory) {
    const { days, ids, texts, textStarts } = sections;
    const sourceNames = JSON.parse(Buffer.from(sections.sourceNames).toString()) as string[];
    this.#days = days;
    this.#ids = Buffer.from(ids.buffer, ids.byteOffset, ids.length);
    this.#sourceNumbers = new Map(sourceNames.map((source, number) => [source, number]));
    this.#postings = new Postings(sections, days.length);
    this.#names = new NameIndex(sections);
    this.#scan = new TextScan(memory, { bytes: texts, starts: textStarts });
  }

  get length(): number {
    return this.#days.length;
  }

  /** How many reviews are of a day (days since 1970) or after: they are the first positions. */
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

  /** The positions of the reviews that mention what has this id, the newest first. */
  mentioning(list: Mentioned, id: string, sentiment?: Sentiment): Uint32Array {
    return this.#names.positionsOfId(list, id, sentiment);
  }

  search({ limit, cursor, ...asked }: SearchFilter): SearchResult {
    const found = this.#find(asked);
    const place = cursor === undefined ? null : parseCursor(cursor);
    const pageStart = place === null ? 0 : this.firstAfter(place);
    const page = takeFrom(found, pageStart, limit + 1);
    return {
      matched: countOf(found),
      positions: page.slice(0, limit),
      more: page.length > limit,
    };
  }

  /** The cursor that a page ending at this position is continued from. */
  cursorAfter(position: number): string {
    const date = dateOfDay(this.#days[position] as number);
    return formatCursor({ date, id: this.idAt(position) });
  }

  /** The first position after a place, whether or not a review stands at the place itself. */
  firstAfter(place: CursorPosition): number {
    const day = dayNumber(place.date);
    return lowerBound(this.length, (position) => {
      const days = this.#days[position] as number;
      return days < day || (days === day && this.idAt(position) < place.id);
    });
  }

  #find(asked: Omit<SearchFilter, 'limit' | 'cursor'>): Positions {
    const key = asked.query === undefined ? '' : JSON.stringify(asked);
    return this.#kept.get(key) ?? this.#findAnew(asked, key);
  }

  #findAnew(asked: Omit<SearchFilter, 'limit' | 'cursor'>, key: string): Positions {
    const { since, until } = asked;
    const first = until === undefined ? 0 : this.countSince(dayNumber(until) + 1);
    const end = since === undefined ? this.length : this.countSince(dayNumber(since));
    const range = { first, end, isWhole: first === 0 && end === this.length };
    const wanted = first < end ? this.#wantedBy(asked) : null;
    if (!wanted) return NOTHING;
    const { postings, hints, needle } = wanted;
    const narrowed = narrow(postings, hints, range);
    if (needle === null) return narrowed;
    const found = this.#compact(this.#scan.holding(listOf(narrowed), needle));
    this.#kept.set(key, found);
    return found;
  }

  /** Null where something is asked for that no review has. */
  #wantedBy(asked: Omit<SearchFilter, 'limit' | 'cursor'>): Wanted | null {
    const { rating, min_rating: minRating, source, query } = asked;
    const { mentions_technician: technician, mentions_service: service } = asked;
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
      postings.push(postingOf(this.#names.positionsOf('technicians', technician)));
    }
    if (service !== undefined) {
      postings.push(postingOf(this.#names.positionsOf('services', service)));
    }
    if (needle === null || needle.length === 0) return { postings, hints: [], needle: null };
    const grams = rarestGrams(needle, this.#postings);
    if (!grams) return null;
    if (needle.length <= LONGEST_GRAM) {
      return { postings: [...postings, ...grams], hints: [], needle: null };
    }
    return { postings, hints: grams, needle };
  }

  /** In whichever form takes less memory. */
  #compact(list: Uint32Array): Positions {
    if (list.length <= wordsOf(this.length)) return { list };
    return { bits: bitsOfList(list, this.length), count: list.length };
  }
}

/** Bytes that a result takes while it is kept. */
function sizeOf(positions: Positions, key: string): number {
  if ('list' in positions) return positions.list.byteLength + key.length + 1;
  return 'bits' in positions ? positions.bits.byteLength + key.length : key.length;
}
