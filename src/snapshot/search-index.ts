// Finds the reviews that a filter matches, and counts them all, without looking at a record. Reviews
// are known by position: 0 is the newest.

import type { Business } from '../model/business.ts';
import { dateOfDay, dayNumber } from '../model/date.ts';
import { fold } from '../model/fold.ts';
import type { Insights, Sentiment } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import { formatCursor, parseCursor, type Place, type SearchFilter } from '../model/search.ts';
import { ByteWriter } from './bytes.ts';
import { buildGrams, forEachBit, GramIndex, type GramSections, LONGEST_GRAM } from './grams.ts';
import { lowerBound } from './lower-bound.ts';
import { buildNames, type Mentioned, NameIndex, type NameSections } from './names.ts';

/** Ends a folded text, or stands for none. Neither is a byte of UTF-8, so no match spans two. */
const TEXT_END = 0xff;
const NO_TEXT = 0xfe;

/** A list of candidates up to this is looked through rather than narrowed down further. */
const FEW = 256;
/** Where more than one text in so many is a candidate, reading all in one go is quicker. */
const SCAN_FROM = 6;

/** The index as arrays, for the store and for handing it to another thread. */
export type IndexSections = GramSections &
  NameSections & {
    readonly days: Int32Array;
    readonly ratings: Uint8Array;
    /** Numbers of `sourceNames`. */
    readonly sources: Uint32Array;
    /** JSON of a list. */
    readonly sourceNames: Uint8Array;
    /** Folded texts one after another, and where each begins, with one more at the end. */
    readonly texts: Uint8Array;
    readonly textStarts: Uint32Array;
  };

/** Builds the index of reviews that come newest first. */
export function buildSearchIndex(
  reviews: readonly Review[],
  insights: Insights,
  business: Business,
): IndexSections {
  const writer = new ByteWriter();
  const textStarts = new Uint32Array(reviews.length + 1);
  const sourceNumbers = new Map<string, number>();
  const sources = reviews.map(({ source, text }, position) => {
    if (text !== null) writer.write(fold(text));
    writer.writeByte(text === null ? NO_TEXT : TEXT_END);
    textStarts[position + 1] = writer.length;
    const number = sourceNumbers.get(source) ?? sourceNumbers.size;
    sourceNumbers.set(source, number);
    return number;
  });
  const texts = writer.finish();
  return {
    days: Int32Array.from(reviews, ({ date }) => dayNumber(date)),
    ratings: Uint8Array.from(reviews, ({ rating }) => rating),
    sources: Uint32Array.from(sources),
    sourceNames: Buffer.from(JSON.stringify([...sourceNumbers.keys()])),
    texts,
    textStarts,
    ...buildGrams({ bytes: texts, starts: textStarts, terminator: 1 }),
    ...buildNames(reviews, insights, business),
  };
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

/** Takes candidates, ascending. */
type Visit = (position: number) => void;

export class SearchIndex {
  readonly #days: Int32Array;
  readonly #ratings: Uint8Array;
  readonly #sources: Uint32Array;
  readonly #sourceNumbers: ReadonlyMap<string, number>;
  readonly #texts: Buffer;
  readonly #textStarts: Uint32Array;
  readonly #grams: GramIndex;
  readonly #names: NameIndex;
  readonly #idAt: (position: number) => string;

  /** `idAt` tells the id of a review by its position. */
  constructor(sections: IndexSections, idAt: (position: number) => string) {
    const { texts } = sections;
    const sourceNames = JSON.parse(Buffer.from(sections.sourceNames).toString()) as string[];
    this.#days = sections.days;
    this.#ratings = sections.ratings;
    this.#sources = sections.sources;
    this.#sourceNumbers = new Map(sourceNames.map((source, number) => [source, number]));
    this.#texts = Buffer.from(texts.buffer, texts.byteOffset, texts.length);
    this.#textStarts = sections.textStarts;
    this.#grams = new GramIndex(sections, sections.days.length);
    this.#names = new NameIndex(sections);
    this.#idAt = idAt;
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

  /** The positions of the reviews that mention what has this id, the newest first. */
  mentioning(list: Mentioned, id: string, sentiment?: Sentiment): Uint32Array {
    return this.#names.positionsOfId(list, id, sentiment);
  }

  search(filter: SearchFilter): SearchResult {
    const { since, until, cursor, limit } = filter;
    const first = until === undefined ? 0 : this.countSince(dayNumber(until) + 1);
    const end = since === undefined ? this.length : this.countSince(dayNumber(since));
    const place = cursor === undefined ? null : parseCursor(cursor);
    const pageStart = place === null ? 0 : this.firstAfter(place);
    const isMatch = this.#matcher(filter);
    const positions: number[] = [];
    let matched = 0;
    let more = false;
    this.#forEachCandidate(filter, first, end, (position) => {
      if (position < first || position >= end || !isMatch(position)) return;
      matched += 1;
      if (position < pageStart) return;
      if (positions.length < limit) positions.push(position);
      else more = true;
    });
    return { matched, positions, more };
  }

  /** The cursor that a page ending at this position is continued from. */
  cursorAfter(position: number): string {
    const date = dateOfDay(this.#days[position] as number);
    return formatCursor({ date, id: this.#idAt(position) });
  }

  /** Visits what has the names and the text of the filter; some may lie outside of the range. */
  #forEachCandidate(filter: SearchFilter, first: number, end: number, visit: Visit): void {
    const { mentions_technician: technician, mentions_service: service, query } = filter;
    const lists = [
      ...(technician === undefined ? [] : [this.#names.positionsOf('technicians', technician)]),
      ...(service === undefined ? [] : [this.#names.positionsOf('services', service)]),
    ];
    const needle = query === undefined ? null : Buffer.from(fold(query));
    if (lists.length > 0) {
      const mentioning = lists.reduce(intersect);
      for (const position of mentioning) {
        if (needle === null || this.#textIncludes(position, needle)) visit(position);
      }
    } else if (needle === null || needle.length === 0) {
      for (let position = first; position < end; position++) {
        if (needle === null || this.#hasText(position)) visit(position);
      }
    } else {
      this.#forEachText(needle, first, end, visit);
    }
  }

  /** Visits the texts that hold the needle, which is not empty. */
  #forEachText(needle: Buffer, first: number, end: number, visit: Visit): void {
    const postings = this.#grams.postingsOf(needle);
    const [rarest] = postings ?? [];
    if (!postings || !rarest) return;
    const isExact = needle.length <= LONGEST_GRAM;
    const check: Visit = isExact
      ? visit
      : (position) => {
          if (this.#textIncludes(position, needle)) visit(position);
        };
    if (rarest.bits) {
      const bits = postings.map((posting) => posting.bits as Uint32Array).reduce(intersectBits);
      if (isExact || countBits(bits) * SCAN_FROM < this.length) forEachBit(bits, check);
      else this.#scan(needle, first, end, visit);
      return;
    }
    let candidates = rarest.positions();
    for (const posting of postings.slice(1)) {
      if (candidates.length <= FEW) break;
      const { bits } = posting;
      candidates = bits
        ? candidates.filter((position) => hasBit(bits, position))
        : intersect(candidates, posting.positions());
    }
    candidates.forEach(check);
  }

  /** Reads the folded texts of a range in one go. */
  #scan(needle: Buffer, first: number, end: number, visit: Visit): void {
    const limit = this.#textStarts[end] as number;
    for (let position = first; position < end; position++) {
      const at = this.#texts.indexOf(needle, this.#textStarts[position]);
      if (at < 0 || at >= limit) return;
      position = this.#positionOfText(at, position);
      visit(position);
    }
  }

  /** The review whose folded text has the byte at `offset`, at or after a position. */
  #positionOfText(offset: number, from: number): number {
    const starts = this.#textStarts;
    // Matches of a common word are near one another.
    let step = 1;
    while (from + step < this.length && (starts[from + step] as number) <= offset) step *= 2;
    const low = from + Math.floor(step / 2);
    const high = Math.min(from + step, this.length);
    return low + lowerBound(high - low, (place) => (starts[low + place + 1] as number) > offset);
  }

  #hasText(position: number): boolean {
    return this.#texts[(this.#textStarts[position + 1] as number) - 1] === TEXT_END;
  }

  #textIncludes(position: number, needle: Buffer): boolean {
    const end = (this.#textStarts[position + 1] as number) - 1;
    return (
      this.#texts[end] === TEXT_END &&
      this.#texts.subarray(this.#textStarts[position], end).includes(needle)
    );
  }

  #matcher({ rating, min_rating: minRating, source }: SearchFilter): (position: number) => boolean {
    // -1 is no review's source, so a source that nobody has matches nothing.
    const sourceNumber = source === undefined ? null : (this.#sourceNumbers.get(source) ?? -1);
    return (position) => {
      const stars = this.#ratings[position] as number;
      return (
        (rating === undefined || stars === rating) &&
        (minRating === undefined || stars >= minRating) &&
        (sourceNumber === null || this.#sources[position] === sourceNumber)
      );
    };
  }

  /** The first position after a place, whether or not a review stands at the place itself. */
  firstAfter(place: Place): number {
    const day = dayNumber(place.date);
    return lowerBound(this.length, (position) => {
      const days = this.#days[position] as number;
      return days < day || (days === day && this.#idAt(position) < place.id);
    });
  }
}

/** What both ascending lists have. */
function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  let place = 0;
  return a.filter((value) => {
    while (place < b.length && (b[place] as number) < value) place += 1;
    return b[place] === value;
  });
}

function intersectBits(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a.map((word, place) => word & (b[place] as number));
}

function hasBit(bits: Uint32Array, position: number): boolean {
  return (((bits[position >>> 5] as number) >>> (position & 31)) & 1) === 1;
}

function countBits(bits: Uint32Array): number {
  let count = 0;
  forEachBit(bits, () => {
    count += 1;
  });
  return count;
}
