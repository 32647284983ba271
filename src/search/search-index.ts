// Finds and counts all reviews that match a filter, without reading records. Reviews are identified by
// position: 0 is the newest.

import { LRUCache } from 'lru-cache';
import { Cursor } from '../model/cursor.ts';
import { dateOfDay, dayNumber } from '../model/date.ts';
import type { Sentiment } from '../model/insights.ts';
import { lowerBound } from '../model/lower-bound.ts';
import { parseFacets, type SearchFilter, type Sort } from '../model/search.ts';
import { parseWordQuery } from '../model/word-query.ts';
import {
  conditionsOf,
  type Conditions as SearchConditions,
  type IndexParts,
} from './conditions.ts';
import { FacetCounter, type FacetValue } from './facets.ts';
import { seek, type Sought } from './highlights.ts';
import type { IndexSections } from './index-builder.ts';
import { intersect, type Range } from './intersect.ts';
import { LanguageReader, postingOfNumbers } from './languages.ts';
import { type MentionKind, MentionIndex, SENTIMENTS } from './mentions.ts';
import {
  bitsOfList,
  bytesOf,
  countOf,
  listOf,
  NOTHING,
  type Positions,
  type Posting,
  wordsOf,
} from './positions.ts';
import { without } from './position-sets.ts';
import { Postings } from './postings.ts';
import {
  type After,
  type RankedPage,
  Relevance,
  takeByStars,
  takeNewest,
  takeOldest,
  takeRelevant,
} from './ranking.ts';
import { Spelling, suggest, type Suggestion } from './suggestions.ts';
import { RecordIds, type RecordPlaces } from './record-ids.ts';
import { TextScan } from './text-scan.ts';
import type { Widened } from './names.ts';
import { type ResolvedWords, WordIndex } from './word-index.ts';

/** Memory for cached results: readers of one page often read the next ones. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Memory of a cached result beside its key and its positions. */
const ENTRY_BYTES = 512;

/** A page of search results. */
export interface SearchResult {
  /** The number of matches on all pages. */
  readonly matched: number;
  /** The positions of this page. */
  readonly positions: readonly number[];
  /** Whether another page follows. */
  readonly more: boolean;
  readonly nextCursor: Cursor | null;
  /** Words that also select by what they name. */
  readonly widened: readonly Widened[];
  /** Null if none are asked for. */
  readonly facets: Readonly<Record<string, readonly FacetValue[]>> | null;
  /** Empty unless nothing matches `words`. */
  readonly suggestions: readonly Suggestion[];
}

const NO_PHRASES = { phrases: [], excludedPhrases: [] };

/** What a search selects by. */
type Conditions = Omit<SearchFilter, 'limit' | 'cursor' | 'sort' | 'facets' | 'highlight'>;

/** All matches, and how the words were understood. */
interface Found {
  readonly positions: Positions;
  readonly words: ResolvedWords | null;
}

export class SearchIndex {
  readonly #days: Int32Array;
  readonly #ids: RecordIds;
  readonly #parts: IndexParts;
  readonly #facets: FacetCounter;
  readonly #relevance: Relevance;
  readonly #spelling: Spelling;
  readonly #scan: TextScan;
  /** By the filter as JSON. */
  readonly #results = new LRUCache<string, Positions>({
    maxSize: CACHE_BYTES,
    sizeCalculation: sizeOf,
  });

  /** The sections are views of `memory`, which also has the records. */
  constructor(sections: IndexSections, memory: WebAssembly.Memory, records: RecordPlaces) {
    const { days, wordStreamStarts } = sections;
    const sourceNames = JSON.parse(Buffer.from(sections.sourceNames).toString()) as string[];
    this.#days = days;
    this.#ids = new RecordIds(memory, records);
    this.#scan = new TextScan(
      memory,
      {
        bytes: sections.texts,
        starts: sections.textStarts,
        ends: sections.textEnds,
        split: records.bytes,
        ignoresCase: true,
      },
      {
        bytes: sections.wordStream,
        starts: wordStreamStarts.subarray(0, -1),
        ends: wordStreamStarts.subarray(1),
        split: 0,
        ignoresCase: false,
      },
    );
    const postings = new Postings(sections, days.length);
    const mentions = new MentionIndex(sections);
    this.#parts = {
      reviews: days.length,
      postings,
      mentions,
      words: new WordIndex(sections, postings, mentions, this.#scan),
      languages: new LanguageReader(sections),
      sourceNumbers: new Map(sourceNames.map((source, number) => [source, number])),
      judged: judgedBy(sections.reviewSentiments),
    };
    this.#facets = new FacetCounter(this.#parts, days);
    this.#relevance = new Relevance(sections.wordCounts, postings);
    this.#spelling = new Spelling(this.#parts.words);
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
    return this.#ids.at(position);
  }

  /** The positions of the reviews that mention an id, newest first. */
  mentioning(list: MentionKind, id: string, sentiment?: Sentiment): Uint32Array {
    return this.#parts.mentions.positionsOfId(list, id, sentiment);
  }

  search({ limit, cursor, sort = 'newest', facets, ...rest }: SearchFilter): SearchResult {
    const found = this.#find(rest);
    const matched = countOf(found.positions);
    const after = cursor === undefined ? null : this.#after(cursor);
    const { positions, ranks } = this.#page(found, sort, after, limit + 1);
    const last = limit < positions.length ? positions[limit - 1] : undefined;
    return {
      matched,
      positions: positions.slice(0, limit),
      more: last !== undefined,
      nextCursor: last === undefined ? null : this.cursorAfter(last, ranks?.[limit - 1] ?? null),
      widened: found.words?.widened ?? [],
      facets: facets === undefined ? null : this.#countFacets(found.positions, facets),
      suggestions: matched === 0 ? this.#suggest(rest) : [],
    };
  }

  /** What a highlight of a search looks for. */
  sought({ query, words }: Pick<SearchFilter, 'query' | 'words'>): Sought {
    const index = this.#parts.words;
    return seek(query, words === undefined ? null : index.sought(parseWordQuery(words)));
  }

  #page({ positions, words }: Found, sort: Sort, after: After | null, limit: number): RankedPage {
    switch (sort) {
      case 'newest':
        return takeNewest(positions, after, limit);
      case 'oldest':
        return takeOldest(positions, after, limit);
      case 'relevance': {
        const list = listOf(positions);
        const scores = this.#relevance.scoresOf(list, words?.terms ?? []);
        return takeRelevant(list, scores, after, limit);
      }
      case 'highest':
      case 'lowest':
        return takeByStars(positions, sort, this.#parts, after, limit);
    }
  }

  #after(cursor: Cursor): After {
    return {
      rank: cursor.rank,
      first: this.#firstNotNewer(cursor),
      next: this.firstAfter(cursor),
    };
  }

  #countFacets(found: Positions, facets: string): Record<string, FacetValue[]> {
    return this.#facets.count(found, parseFacets(facets));
  }

  #suggest(filter: Conditions): Suggestion[] {
    if (filter.words === undefined) return [];
    const { words } = this.#parts;
    const countMatches = (other: string) =>
      countOf(this.#find({ ...filter, words: other }).positions);
    return suggest(parseWordQuery(filter.words), words, this.#spelling, countMatches);
  }

  /** The cursor of the page after this position. */
  cursorAfter(position: number, rank: number | null = null): Cursor {
    const date = dateOfDay(this.#days[position] as number);
    return new Cursor(date, this.idAt(position), rank);
  }

  /** The first position after a cursor, whether or not its review still exists. */
  firstAfter({ date, id }: Cursor): number {
    const day = dayNumber(date);
    return lowerBound(this.length, (position) => {
      const days = this.#days[position] as number;
      return days < day || (days === day && this.idAt(position) < id);
    });
  }

  /** The first position that is not newer than a cursor. */
  #firstNotNewer({ date, id }: Cursor): number {
    const day = dayNumber(date);
    return lowerBound(this.length, (position) => {
      const days = this.#days[position] as number;
      return days < day || (days === day && this.idAt(position) <= id);
    });
  }

  #find(filter: Conditions): Found {
    const key = JSON.stringify(filter);
    const kept = this.#results.get(key);
    // Words are looked up again, because an answer says how they were understood.
    if (kept && filter.words === undefined) return { positions: kept, words: null };
    const { since, until } = filter;
    const first = until === undefined ? 0 : this.countSince(dayNumber(until) + 1);
    const end = since === undefined ? this.length : this.countSince(dayNumber(since));
    const range = { first, end, isWhole: first === 0 && end === this.length };
    const conditions = first < end ? conditionsOf(filter, this.#parts) : null;
    const positions = kept ?? (conditions ? this.#select(conditions, range) : NOTHING);
    if (!kept) this.#results.set(key, positions);
    return { positions, words: conditions?.words ?? null };
  }

  /** The positions of a range that meet the conditions. */
  #select({ postings, hints, excluded, needle, words }: SearchConditions, range: Range): Positions {
    const { phrases, excludedPhrases } = words ?? NO_PHRASES;
    let found = intersect(postings, hints, range);
    for (const posting of excluded) found = without(found, posting, this.length);
    const isScanned = needle !== null || phrases.length + excludedPhrases.length > 0;
    if (!isScanned) return 'list' in found ? this.#compact(found.list) : found;
    let list = listOf(found);
    for (const codes of phrases) list = this.#scan.keepWithWords(list, codes);
    for (const codes of excludedPhrases) {
      const out = new Set(this.#scan.keepWithWords(list, codes));
      list = list.filter((position) => !out.has(position));
    }
    if (needle !== null) list = this.#scan.keepContaining(list, needle);
    return this.#compact(list);
  }

  /** Chooses the form that takes less memory, and copies what is a part of a longer list. */
  #compact(list: Uint32Array): Positions {
    if (list.length > wordsOf(this.length)) {
      return { bits: bitsOfList(list, this.length), count: list.length };
    }
    return { list: list.byteLength < list.buffer.byteLength ? list.slice() : list };
  }
}

/** The size of a cached result in bytes. */
function sizeOf(positions: Positions, key: string): number {
  return ENTRY_BYTES + key.length + bytesOf(positions);
}

/** The reviews with each sentiment, from its first use on. */
function judgedBy(sentiments: Uint8Array): IndexParts['judged'] {
  const known = new Map<Sentiment, Posting>();
  return (sentiment) => {
    const number = SENTIMENTS.indexOf(sentiment);
    const posting =
      known.get(sentiment) ?? postingOfNumbers(sentiments, (other) => other === number);
    known.set(sentiment, posting);
    return posting;
  };
}
