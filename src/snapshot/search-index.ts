// Finds the reviews that a filter matches, and counts them all, without looking at a record. Reviews
// are known by position: 0 is the newest.

import type { Business } from '../model/business.ts';
import { dateOfDay, dayNumber } from '../model/date.ts';
import { fold } from '../model/fold.ts';
import type { Insights } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import { formatCursor, parseCursor, type Place, type SearchFilter } from '../model/search.ts';
import { ByteWriter } from './bytes.ts';

/** Ends a folded text, or stands for none. Neither is a byte of UTF-8, so no match spans two. */
const TEXT_END = 0xff;
const NO_TEXT = 0xfe;

/** Folded names to the positions of the reviews that mention them, as ranges of `mentions`. */
type NameRanges = Record<string, [start: number, end: number]>;

interface IndexNames {
  readonly sources: readonly string[];
  readonly technicians: NameRanges;
  readonly services: NameRanges;
}

/** The index as arrays, for the store and for handing it to another thread. */
export interface IndexSections {
  readonly [name: string]: Uint8Array | Int32Array | Uint32Array;
  readonly days: Int32Array;
  readonly ratings: Uint8Array;
  readonly sources: Uint32Array;
  /** Folded texts one after another, and where each begins, with one more at the end. */
  readonly texts: Uint8Array;
  readonly textStarts: Uint32Array;
  readonly mentions: Uint32Array;
  /** JSON of IndexNames. */
  readonly names: Uint8Array;
}

/** Builds the index of reviews that come newest first. */
export function buildSearchIndex(
  reviews: readonly Review[],
  insights: Insights,
  business: Business,
): IndexSections {
  const texts = new ByteWriter();
  const textStarts = new Uint32Array(reviews.length + 1);
  const sourceNumbers = new Map<string, number>();
  const sources = reviews.map(({ source, text }, position) => {
    if (text !== null) texts.write(fold(text));
    texts.writeByte(text === null ? NO_TEXT : TEXT_END);
    textStarts[position + 1] = texts.length;
    const number = sourceNumbers.get(source) ?? sourceNumbers.size;
    sourceNumbers.set(source, number);
    return number;
  });
  const mentions: number[] = [];
  const technicians = collectMentions(reviews, insights, 'technicians', mentions, [
    ...insights.entities.technicians.map(({ id, name }) => ({ id, names: [id, name] })),
    ...business.technicians.map(({ id, aliases }) => ({ id, names: aliases })),
  ]);
  const services = collectMentions(
    reviews,
    insights,
    'services',
    mentions,
    insights.entities.services.map(({ id, label }) => ({ id, names: [id, label] })),
  );
  const names: IndexNames = { sources: [...sourceNumbers.keys()], technicians, services };
  return {
    days: Int32Array.from(reviews, ({ date }) => dayNumber(date)),
    ratings: Uint8Array.from(reviews, ({ rating }) => rating),
    sources: Uint32Array.from(sources),
    texts: texts.finish(),
    textStarts,
    mentions: Uint32Array.from(mentions),
    names: Buffer.from(JSON.stringify(names)),
  };
}

/** Appends the positions for every name to `mentions`; a name that two entities share has both's. */
function collectMentions(
  reviews: readonly Review[],
  insights: Insights,
  list: 'technicians' | 'services',
  mentions: number[],
  entities: readonly { readonly id: string; readonly names: readonly string[] }[],
): NameRanges {
  const positionsOf = new Map<string, Set<number>>();
  reviews.forEach((review, position) => {
    for (const { id } of insights.per_review[review.id]?.[list] ?? []) {
      positionsOf.set(id, (positionsOf.get(id) ?? new Set()).add(position));
    }
  });
  const byName = new Map<string, Set<number>>();
  for (const { id, names } of entities) {
    for (const name of names.map(fold)) {
      const positions = byName.get(name) ?? new Set<number>();
      byName.set(name, positions.union(positionsOf.get(id) ?? new Set()));
    }
  }
  const ranges: NameRanges = Object.create(null) as NameRanges;
  for (const [name, positions] of byName) {
    const start = mentions.length;
    for (const position of [...positions].toSorted((a, b) => a - b)) mentions.push(position);
    ranges[name] = [start, mentions.length];
  }
  return ranges;
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

export class SearchIndex {
  readonly #days: Int32Array;
  readonly #ratings: Uint8Array;
  readonly #sources: Uint32Array;
  readonly #texts: Buffer;
  readonly #textStarts: Uint32Array;
  readonly #mentions: Uint32Array;
  readonly #sourceNumbers: ReadonlyMap<string, number>;
  readonly #technicians: ReadonlyMap<string, readonly [number, number]>;
  readonly #services: ReadonlyMap<string, readonly [number, number]>;
  readonly #idAt: (position: number) => string;

  /** `idAt` tells the id of a review by its position. */
  constructor(sections: IndexSections, idAt: (position: number) => string) {
    const { texts } = sections;
    const names = JSON.parse(Buffer.from(sections.names).toString()) as IndexNames;
    this.#days = sections.days;
    this.#ratings = sections.ratings;
    this.#sources = sections.sources;
    this.#texts = Buffer.from(texts.buffer, texts.byteOffset, texts.length);
    this.#textStarts = sections.textStarts;
    this.#mentions = sections.mentions;
    this.#sourceNumbers = new Map(names.sources.map((source, number) => [source, number]));
    this.#technicians = new Map(Object.entries(names.technicians));
    this.#services = new Map(Object.entries(names.services));
    this.#idAt = idAt;
  }

  get length(): number {
    return this.#days.length;
  }

  /** Where the reviews before a day (days since 1970) begin: all newer positions are of it or later. */
  endOfSince(day: number): number {
    return lowerBound(this.#days.length, (position) => (this.#days[position] as number) < day);
  }

  search(filter: SearchFilter): SearchResult {
    const isMatch = this.#matcher(filter);
    const first = filter.until === undefined ? 0 : this.endOfSince(dayNumber(filter.until) + 1);
    const end = filter.since === undefined ? this.length : this.endOfSince(dayNumber(filter.since));
    const place = filter.cursor === undefined ? null : parseCursor(filter.cursor);
    const pageStart = place === null ? 0 : this.#firstAfter(place);
    const positions: number[] = [];
    let matched = 0;
    let more = false;
    for (const position of this.#candidates(filter, first, end)) {
      if (!isMatch(position)) continue;
      matched += 1;
      if (position < pageStart) continue;
      if (positions.length < filter.limit) positions.push(position);
      else more = true;
    }
    return { matched, positions, more };
  }

  /** The cursor that a page ending at this position is continued from. */
  cursorAfter(position: number): string {
    return formatCursor({
      date: dateOfDay(this.#days[position] as number),
      id: this.#idAt(position),
    });
  }

  /** Positions in a range, ascending, that hold the text and the names of the filter. */
  *#candidates(filter: SearchFilter, first: number, end: number): Generator<number> {
    const lists = this.#mentionLists(filter);
    const needle = filter.query === undefined ? null : Buffer.from(fold(filter.query));
    const shortest = lists.toSorted((a, b) => a.length - b.length)[0];
    if (shortest) {
      for (const position of shortest) {
        if (position < first || position >= end) continue;
        if (lists.every((list) => list === shortest || includesSorted(list, position))) {
          if (needle === null || this.#textIncludes(position, needle)) yield position;
        }
      }
    } else if (needle === null) {
      for (let position = first; position < end; position++) yield position;
    } else {
      yield* this.#positionsWithText(needle, first, end);
    }
  }

  /** The positions for each name that the filter asks for; an unknown name has none. */
  #mentionLists(filter: SearchFilter): Uint32Array[] {
    const asked: [ReadonlyMap<string, readonly [number, number]>, string | undefined][] = [
      [this.#technicians, filter.mentions_technician],
      [this.#services, filter.mentions_service],
    ];
    return asked.flatMap(([ranges, name]) => {
      if (name === undefined) return [];
      const [start, end] = ranges.get(fold(name)) ?? [0, 0];
      return [this.#mentions.subarray(start, end)];
    });
  }

  /** Scans the folded texts of a range in one go, each review at most once. */
  *#positionsWithText(needle: Buffer, first: number, end: number): Generator<number> {
    if (needle.length === 0) {
      for (let position = first; position < end; position++) {
        if (this.#hasText(position)) yield position;
      }
      return;
    }
    const limit = this.#textStarts[end] as number;
    let position = first;
    for (;;) {
      const at = this.#texts.indexOf(needle, this.#textStarts[position]);
      if (at < 0 || at >= limit) return;
      position = this.#positionOfText(at, position);
      yield position;
      position += 1;
      if (position >= end) return;
    }
  }

  /** The review whose folded text has the byte at `offset`, at or after a position. */
  #positionOfText(offset: number, from: number): number {
    const starts = this.#textStarts;
    // Gallop, then halve: hits are near one another for common words and far apart for rare ones.
    let step = 1;
    while (from + step < this.length && (starts[from + step] as number) <= offset) step *= 2;
    let low = from + Math.floor(step / 2);
    let high = Math.min(from + step, this.length);
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  #hasText(position: number): boolean {
    return this.#texts[(this.#textStarts[position + 1] as number) - 1] === TEXT_END;
  }

  #textIncludes(position: number, needle: Buffer): boolean {
    if (!this.#hasText(position)) return false;
    return this.#texts
      .subarray(this.#textStarts[position], (this.#textStarts[position + 1] as number) - 1)
      .includes(needle);
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
  #firstAfter(place: Place): number {
    const day = dayNumber(place.date);
    return lowerBound(this.length, (position) => {
      const days = this.#days[position] as number;
      return days < day || (days === day && this.#idAt(position) < place.id);
    });
  }
}

/** The first of `length` positions for which the condition, false then true, is true. */
function lowerBound(length: number, isTrue: (position: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function includesSorted(list: Uint32Array, value: number): boolean {
  return list[lowerBound(list.length, (index) => (list[index] as number) >= value)] === value;
}
