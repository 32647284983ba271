// Finds and counts all reviews that match a filter, without reading records. Reviews are identified by
// position: 0 is the newest.

import { Cursor } from '../model/cursor.ts';
import { dateOfDay, dayNumber } from '../model/date.ts';
import type { Sentiment } from '../model/insights.ts';
import { lowerBound } from '../model/lower-bound.ts';
import { parseFacets, type SearchFilter, type Sort, standardSort } from '../model/search.ts';
import type { WordQuery } from '../model/word-query.ts';
import type { IndexParts } from './conditions.ts';
import { type Corrected, type Loose, Meanings, type NamedSubject } from './meaning.ts';
import { FacetCounter, type FacetValue } from './facets.ts';
import { seek, type Sought } from './highlights.ts';
import type { IndexSections } from './index-builder.ts';
import { type Conditions, Finder, type Found } from './find.ts';
import { LanguageReader } from './languages.ts';
import { type MentionKind, MentionIndex, SENTIMENTS } from './mentions.ts';
import { Nearness } from './nearness.ts';
import { NAMED } from './names.ts';
import { countOf, type Positions, type Posting } from './positions.ts';
import { listOf, postingOfBits } from './position-sets.ts';
import { Postings } from './postings.ts';
import {
  type After,
  type RankedPage,
  Relevance,
  takeByStars,
  takeNewest,
  takeOldest,
} from './ranking.ts';
import { SetMemory } from './set-memory.ts';
import { suggest, type Suggestion } from './suggestions.ts';
import { RecordIds, type RecordPlaces } from './record-ids.ts';
import { TextScan } from './text-scan.ts';
import { WordIndex } from './word-index.ts';

/** A page of search results. */
export interface SearchResult {
  /** The number of matches on all pages; with `words`, of reviews that have all of them. */
  readonly matched: number;
  /** With `words`: the number of other reviews on the pages, which have fewer words or are about what they name. */
  readonly related: number | null;
  /** The positions of this page. */
  readonly positions: readonly number[];
  /** Whether another page follows. */
  readonly more: boolean;
  readonly nextCursor: Cursor | null;
  /** Why each review of this page is in it; null without `words`. */
  readonly reasons: readonly Reason[] | null;
  /** What words name, with the number of reviews that mention it. */
  readonly subjects: readonly CountedSubject[];
  /** Words that no review has, and what was searched for instead. */
  readonly corrected: readonly Corrected[];
  /** Null if none are asked for. */
  readonly facets: Readonly<Record<string, readonly FacetValue[]>> | null;
  /** Empty unless nothing matches `words`. */
  readonly suggestions: readonly Suggestion[];
}

/** Whether a review has all words of a search, some, or is only about what they name. */
export type Reason = 'all' | 'some' | 'subject';

export interface CountedSubject extends NamedSubject {
  readonly count: number;
}

export class SearchIndex {
  readonly #days: Int32Array;
  readonly #ids: RecordIds;
  readonly #sets: SetMemory;
  readonly #parts: IndexParts;
  readonly #facets: FacetCounter;
  readonly #relevance: Relevance;
  readonly #finder: Finder;
  readonly #nearness: Nearness;

  /** The sections are views of `memory`, which also has the records. */
  constructor(sections: IndexSections, memory: WebAssembly.Memory, records: RecordPlaces) {
    const { days, wordStreamStarts } = sections;
    const sourceNames = JSON.parse(Buffer.from(sections.sourceNames).toString()) as string[];
    this.#days = days;
    this.#ids = new RecordIds(memory, records);
    const sets = new SetMemory(memory, days.length);
    this.#sets = sets;
    const scan = new TextScan(
      sets,
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
    const postings = new Postings(sections, sets);
    const mentions = new MentionIndex(sections);
    const words = new WordIndex(sections, postings, scan, sets);
    const synonyms = JSON.parse(Buffer.from(sections.synonyms).toString()) as string[][];
    this.#parts = {
      sets,
      postings,
      mentions,
      words,
      meanings: new Meanings(words, mentions, synonyms, sets),
      languages: new LanguageReader(sections, sets),
      sourceNumbers: new Map(sourceNames.map((source, number) => [source, number])),
      judged(sentiment) {
        const bits = sets.bitsOfBytes(sections.reviewSentiments, SENTIMENTS.indexOf(sentiment));
        return postingOfBits(bits, sets);
      },
    };
    this.#finder = new Finder(this.#parts, days, scan);
    this.#nearness = new Nearness(sections);
    this.#facets = new FacetCounter(this.#parts, days);
    this.#relevance = new Relevance(sections.wordCounts, postings, sets);
    sets.keep();
  }

  get length(): number {
    return this.#days.length;
  }

  /** The number of reviews from a day (days since 1970) on: they have the first positions. */
  countSince(day: number): number {
    return this.#finder.countSince(day);
  }

  /** The day of the review at a position, in days since 1970. */
  dayAt(position: number): number {
    return this.#days[position] as number;
  }

  idAt(position: number): string {
    return this.#ids.at(position);
  }

  /** The language of the review at a position: an ISO 639-1 code, or null if unknown. */
  languageAt(position: number): string | null {
    return this.#parts.languages.at(position);
  }

  /** The positions of the reviews that mention an id, newest first. */
  mentioning(list: MentionKind, id: string, sentiment?: Sentiment): Uint32Array {
    return this.#parts.mentions.positionsOfId(list, id, sentiment);
  }

  /** Every folded name of each id that reviews may mention. */
  namesById(list: MentionKind): ReadonlyMap<string, readonly string[]> {
    return this.#parts.mentions.namesById(list);
  }

  /** Whether the business or a review has something of this name. */
  isNamed(list: MentionKind, name: string): boolean {
    return this.#parts.mentions.isKnown(list, name);
  }

  search({ limit, cursor, sort: given, facets, ...rest }: SearchFilter): SearchResult {
    this.#sets.clear();
    const sort = given ?? standardSort(rest);
    const found = this.#finder.find(rest, sort === 'relevance');
    const matched = countOf(found.matches);
    const shown = countOf(found.shown);
    const after = cursor === undefined ? null : this.#after(cursor);
    const { positions, ranks } = this.#page(found, sort, after, limit + 1);
    const last = limit < positions.length ? positions[limit - 1] : undefined;
    const page = positions.slice(0, limit);
    const { subjects = [], corrected = [], loose = null } = found.words ?? {};
    return {
      matched,
      related: rest.words === undefined ? null : shown - matched,
      positions: page,
      more: last !== undefined,
      nextCursor: last === undefined ? null : this.cursorAfter(last, ranks?.[limit - 1] ?? null),
      reasons: rest.words === undefined ? null : this.#reasonsOf(page, loose),
      subjects: subjects.map((one) => ({ ...one, count: this.#countAbout(one) })),
      corrected,
      facets:
        facets === undefined
          ? null
          : this.#countFacets(matched > 0 ? found.matches : found.shown, facets),
      suggestions: shown === 0 ? this.#suggest(rest) : [],
    };
  }

  /** What a highlight of a search looks for. */
  sought({ query, words, strict }: Pick<SearchFilter, 'query' | 'words' | 'strict'>): Sought {
    const { meanings } = this.#parts;
    return seek(query, words === undefined ? null : meanings.sought(words, strict === true));
  }

  #countAbout({ kind, id, sentiment }: NamedSubject): number {
    return this.#parts.mentions.positionsOfId(NAMED[kind], id, sentiment).length;
  }

  #reasonsOf(page: readonly number[], loose: Loose | null): Reason[] {
    const has = ({ take }: Posting, position: number) => take(position, 1)[0] === position;
    return page.map((position) => {
      if (loose === null || has(loose.all, position)) return 'all';
      return has(loose.some, position) ? 'some' : 'subject';
    });
  }

  #page({ shown, words }: Found, sort: Sort, after: After | null, limit: number): RankedPage {
    switch (sort) {
      case 'newest':
        return takeNewest(shown, after, limit);
      case 'oldest':
        return takeOldest(shown, this.#sets, after, limit);
      case 'relevance': {
        const list = this.#sets.place(listOf(shown, this.#sets));
        const scores = this.#relevance.scoresOf(list, words?.terms ?? []);
        if (words?.loose) this.#lift(words.loose, list, scores);
        return this.#relevance.takeBest(list, scores, after, limit);
      }
      case 'highest':
      case 'lowest':
        return takeByStars(shown, sort, this.#parts, after, limit);
    }
  }

  /** Adds to scores what tells more about a search than its single words. */
  #lift({ first, near }: Loose, list: Uint32Array, scores: Float64Array): void {
    first
      .toReversed()
      .forEach((reviews, at) => this.#relevance.raise(list, scores, reviews, at + 1));
    if (near.length > 1) this.#relevance.refine(list, scores, this.#nearness.scorer(near));
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
    const countMatches = (other: WordQuery) => {
      // The search that found nothing needs its sets no more.
      this.#sets.clear();
      return countOf(this.#finder.find({ ...filter, words: other }, false).matches);
    };
    return suggest(filter.words, this.#parts.meanings, countMatches);
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
}
