// Finds and counts all reviews that match a filter, without reading records. Reviews are identified by
// position: 0 is the newest.

import { Cursor, type Sort } from '../model/cursor.ts';
import { dateOfDay, dayNumber } from '../model/date.ts';
import type { Sentiment } from '../model/insights.ts';
import { lowerBound } from '../model/lower-bound.ts';
import { parseFacets, type SearchFilter, standardSort } from '../model/search.ts';
import type { WordQuery } from '../model/word-query.ts';
import type { IndexParts } from './conditions.ts';
import {
  type Corrected,
  type Loose,
  type Meaning,
  Meanings,
  type NamedSubject,
  type PricedOf,
  type Sense,
} from './meaning.ts';
import { FacetCounter, type FacetValue } from './facets.ts';
import { FieldValues } from './field-values.ts';
import { seek, type Sought } from './highlights.ts';
import type { TextSections } from './folded-texts.ts';
import { authorsIn, type IndexSections, repliesIn, type SideSections } from './index-builder.ts';
import { type SearchConditions, Finder, type Found } from './find.ts';
import { LanguageReader } from './languages.ts';
import { type MentionKind, MentionIndex, SENTIMENTS } from './mentions.ts';
import { Nearness } from './nearness.ts';
import { NAMED } from './names.ts';
import { type Posting, postingOfBits, uniteAll } from './positions.ts';
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
import { TextScan } from './text-scan.ts';
import { WordIndex } from './word-index.ts';
import type { WordSections } from './word-writer.ts';

/** Of reviews that have all words: above the levels of `first`. */
const TIER = 5;

/** The JSON of a record begins with its id, 26 characters of ASCII. */
const ID_START = '{"id":"'.length;
const ID_END = ID_START + 26;

/** The records are the first bytes of the memory; the JSON of each begins at one of the starts. */
interface RecordPlaces {
  readonly bytes: number;
  readonly starts: Uint32Array;
}

export interface SearchResult {
  /** The number of matches on all pages; with `words`, of reviews that have all of them. */
  readonly matched: number;
  /** With `words`: the number of other reviews on the pages, which have fewer words or are about what they name. */
  readonly related: number | null;
  readonly positions: readonly number[];
  /** Whether another page follows. */
  readonly more: boolean;
  readonly nextCursor: Cursor | null;
  /** What the reviews are sorted by before their dates; null if by date alone. */
  readonly ranks: readonly number[] | null;
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

/** What is found in texts, in replies, or in both. */
interface FoundInSides extends Omit<Found, 'words'> {
  /** How each side understood the words; null where nothing can match. */
  readonly words: readonly (Meaning | null)[];
}

/** Whether a review has all words of a search, some, or is only about what they name. */
export type Reason = 'all' | 'some' | 'subject';

export interface CountedSubject extends NamedSubject {
  readonly count: number;
}

/** What texts, or replies, are searched with. */
interface Side {
  readonly finder: Finder;
  readonly meanings: Meanings;
  readonly relevance: Relevance;
  readonly nearness: Nearness;
}

export type SideName = 'text' | 'reply';

export class SearchIndex {
  readonly #days: Int32Array;
  readonly #records: Buffer;
  readonly #recordStarts: Uint32Array;
  readonly #sets: SetMemory;
  readonly #parts: IndexParts;
  readonly #facets: FacetCounter;
  readonly #texts: Side;
  /** Null if there are none. */
  readonly #replies: Side | null;

  /** The sections are views of `memory`, which also has the records; `labels` are those of the pages, by labels of insights. */
  constructor(
    sections: IndexSections,
    memory: WebAssembly.Memory,
    records: RecordPlaces,
    labels: Readonly<Record<string, string>> = {},
    pricedOf?: PricedOf,
  ) {
    const { days } = sections;
    this.#days = days;
    this.#records = Buffer.from(memory.buffer, 0, records.bytes);
    this.#recordStarts = records.starts;
    const sets = new SetMemory(memory, days.length);
    this.#sets = sets;
    const mentions = new MentionIndex(sections);
    const synonyms = Buffer.from(sections.synonyms).toString();
    const authors = new TextScan(sets, textsOf(authorsIn(sections), records));
    const common = {
      sets,
      mentions,
      languages: new LanguageReader(sections, sets),
      fields: new FieldValues(sections.fieldValues),
      judged(sentiment: Sentiment) {
        const bits = sets.bitsOfBytes(sections.reviewSentiments, SENTIMENTS.indexOf(sentiment));
        return postingOfBits(bits, sets);
      },
    };
    const postings = new Postings(sections, sets);
    const sideOf = (own: SideSections, named: MentionIndex | null) => {
      const scan = new TextScan(sets, textsOf(own, records), wordsOf(own));
      const ownPostings = own === sections ? postings : new Postings(own, sets);
      const words = new WordIndex(own, ownPostings, scan, sets);
      const meanings = new Meanings(words, named, synonyms, sets, labels, pricedOf);
      const parts = { ...common, postings, texts: { postings: ownPostings, words, meanings } };
      const finder = new Finder(parts, days, { texts: scan, authors });
      const relevance = new Relevance(own.wordCounts, ownPostings, sets);
      return { parts, side: { finder, meanings, relevance, nearness: new Nearness(own) } };
    };
    const { parts, side } = sideOf(sections, mentions);
    this.#parts = parts;
    this.#texts = side;
    const replies = repliesIn(sections);
    this.#replies = replies && sideOf(replies, null).side;
    this.#facets = new FacetCounter(parts, days);
    sets.keep();
  }

  /** The values of sources, branches, attributes and part scores. */
  get fields(): FieldValues {
    return this.#parts.fields;
  }

  get length(): number {
    return this.#days.length;
  }

  /** The number of reviews from a day (days since 1970) on: they have the first positions. */
  countSince(day: number): number {
    return this.#texts.finder.countSince(day);
  }

  /** The day of the review at a position, in days since 1970. */
  dayAt(position: number): number {
    return this.#days[position] as number;
  }

  idAt(position: number): string {
    const start = this.#recordStarts[position] as number;
    return this.#records.toString('latin1', start + ID_START, start + ID_END);
  }

  /** The language of the review at a position: an ISO 639-1 code, or null if unknown. */
  languageAt(position: number): string | null {
    return this.#parts.languages.at(position);
  }

  /** The positions of the reviews that mention an id, newest first. */
  mentioning(list: MentionKind, id: string, sentiment?: Sentiment): Uint32Array {
    return this.#parts.mentions.positionsOfId(list, id, sentiment);
  }

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
    const sides = this.#sidesOf(rest);
    const found = this.#find(sides, rest, sort === 'relevance');
    const matched = found.matches.count;
    const shown = found.shown.count;
    const after = cursor === undefined ? null : this.#after(cursor);
    const { positions, ranks } = this.#page(sides, found, sort, after, limit + 1);
    const last = limit < positions.length ? positions[limit - 1] : undefined;
    const page = positions.slice(0, limit);
    const [first, ...others] = found.words.filter((one) => one !== null);
    const isCorrected = ({ word }: Corrected) =>
      others.every(({ corrected }) => corrected.some((one) => one.word === word));
    return {
      matched,
      related: rest.words === undefined ? null : shown - matched,
      positions: page,
      more: last !== undefined,
      nextCursor:
        last === undefined ? null : this.cursorAfter(last, sort, ranks?.[limit - 1] ?? null),
      ranks,
      reasons: rest.words === undefined ? null : this.#reasonsOf(page, found.words),
      subjects: (first?.subjects ?? []).map((one) => ({ ...one, count: this.#countAbout(one) })),
      corrected: (first?.corrected ?? []).filter(isCorrected),
      facets:
        facets === undefined
          ? null
          : this.#countFacets(matched > 0 ? found.matches : found.shown, facets),
      suggestions: shown === 0 && sides[0] ? this.#suggest(sides[0], rest) : [],
    };
  }

  /** What each telling word of a question means. */
  senses(words: WordQuery): Sense[] {
    return this.#texts.meanings.senses(words);
  }

  /** What a highlight of a search looks for in a text or a reply; null if it is not searched. */
  sought(
    { query, words, strict, in: where = 'text' }: SearchFilter,
    name: SideName,
  ): Sought | null {
    const side = name === 'text' ? this.#texts : this.#replies;
    if (side === null || (where !== name && where !== 'all')) return null;
    return seek(query, words === undefined ? null : side.meanings.sought(words, strict === true));
  }

  #sidesOf({ in: where = 'text', words, query }: SearchConditions): Side[] {
    if (where === 'text' || (words === undefined && query === undefined)) return [this.#texts];
    return [where === 'all' ? this.#texts : [], this.#replies ?? []].flat();
  }

  #find(sides: readonly Side[], filter: SearchConditions, isWide: boolean): FoundInSides {
    const found = sides.map(({ finder }) => finder.find(filter, isWide));
    const words = found.map((one) => one.words);
    const [only] = found;
    if (only !== undefined && found.length === 1) return { ...only, words };
    const unite = (name: 'matches' | 'shown') =>
      uniteAll(
        found.map((one) => one[name]),
        this.#sets,
      );
    const matches = unite('matches');
    const isEnough = !isWide && matches.count > 0;
    return { matches, shown: isEnough ? matches : unite('shown'), words };
  }

  #countAbout({ kind, id, sentiment }: NamedSubject): number {
    return this.#parts.mentions.positionsOfId(NAMED[kind], id, sentiment).length;
  }

  #reasonsOf(page: readonly number[], words: readonly (Meaning | null)[]): Reason[] {
    const isIn = (position: number, postingOf: (loose: Loose) => Posting) =>
      words.some((one) => one?.loose && postingOf(one.loose).take(position, 1)[0] === position);
    const isOnlyHard = words.every((one) => !one?.loose);
    return page.map((position) => {
      if (isOnlyHard || isIn(position, ({ all }) => all)) return 'all';
      return isIn(position, ({ some }) => some) ? 'some' : 'subject';
    });
  }

  #page(
    sides: readonly Side[],
    { shown, words }: FoundInSides,
    sort: Sort,
    after: After | null,
    limit: number,
  ): RankedPage {
    switch (sort) {
      case 'newest':
        return takeNewest(shown, after, limit);
      case 'oldest':
        return takeOldest(shown, after, limit);
      case 'relevance': {
        const list = shown.list();
        const [first, ...others] = sides.map((side, at) =>
          this.#score(side, list, words[at] ?? null),
        );
        // A review is as relevant as its text or its reply.
        for (const scores of others) {
          scores.forEach(
            (score, at) => first && (first[at] = Math.max(first[at] as number, score)),
          );
        }
        const { relevance } = this.#texts;
        return relevance.takeBest(list, first ?? new Float64Array(0), after, limit);
      }
      case 'highest':
      case 'lowest':
        return takeByStars(shown, sort, this.#parts, after, limit);
    }
  }

  #score({ relevance, nearness }: Side, list: Uint32Array, words: Meaning | null): Float64Array {
    const scores = relevance.scoresOf(list, words?.terms ?? []);
    if (!words?.loose) return scores;
    const { first, near, all, isPriced } = words.loose;
    first.toReversed().forEach((reviews, at) => relevance.raise(list, scores, reviews, at + 1));
    relevance.raise(list, scores, all, TIER, true);
    if (near.length > 1) relevance.refine(list, scores, nearness.scorer(near));
    const textAt = (at: number) =>
      this.#records
        .toString('utf8', this.#recordStarts[at], this.#recordStarts[at + 1])
        .split('"owner_reply":', 1)
        .join();
    if (isPriced) relevance.refine(list, scores, (at) => Number(SUM.test(textAt(at))) * SUM_COUNTS);
    return scores;
  }

  #after(cursor: Cursor): After {
    const first = this.#firstNotNewer(cursor);
    return { rank: cursor.rank, first, next: this.#nextAfter(first, cursor) };
  }

  #countFacets(found: Posting, facets: string): Record<string, FacetValue[]> {
    return this.#facets.count(found, parseFacets(facets));
  }

  #suggest({ finder, meanings }: Side, filter: SearchConditions): Suggestion[] {
    if (filter.words === undefined) return [];
    const countMatches = (other: WordQuery) => {
      // The search that found nothing needs its sets no more.
      this.#sets.clear();
      return finder.find({ ...filter, words: other }, false).matches.count;
    };
    return suggest(filter.words, meanings, countMatches);
  }

  cursorAfter(position: number, sort: Sort, rank: number | null): Cursor {
    const date = dateOfDay(this.#days[position] as number);
    return new Cursor(date, this.idAt(position), sort, rank);
  }

  /** The first position after a cursor, of which `first` is the first that is not newer. */
  #nextAfter(first: number, { date, id }: Cursor): number {
    const isIt = this.#days[first] === dayNumber(date) && this.idAt(first) === id;
    return isIt ? first + 1 : first;
  }

  #firstNotNewer({ date, id }: Cursor): number {
    const day = dayNumber(date);
    return lowerBound(this.length, (position) => {
      const days = this.#days[position] as number;
      return days < day || (days === day && this.idAt(position) <= id);
    });
  }
}

/** A sum of money: "$150", "8.250 Euro". */
const SUM = /[$£€]\s?\d|\d\s?(?:[$£€]|(?:euros?|eur|dollars?|bucks|pounds?|quid|reais)\b)/i;
const SUM_COUNTS = 2;

function textsOf({ texts, textStarts, textEnds }: TextSections, { bytes }: RecordPlaces) {
  return { bytes: texts, starts: textStarts, ends: textEnds, split: bytes, ignoresCase: true };
}

function wordsOf({ wordStream, wordStreamStarts }: WordSections) {
  return {
    bytes: wordStream,
    starts: wordStreamStarts.subarray(0, -1),
    ends: wordStreamStarts.subarray(1),
    split: 0,
    ignoresCase: false,
  };
}
