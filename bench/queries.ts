// The mix: 400 different searches, always the same for every size of the corpus, because they are made
// from its first reviews.

import { Cursor } from '../src/model/cursor.ts';
import { dateOfDay, dayNumber } from '../src/model/date.ts';
import { fold } from '../src/model/fold.ts';
import type { SearchFilter } from '../src/model/search.ts';
import { randomFrom } from '../test/support/random.ts';
import { CORPUS_BUSINESS, writeCorpus } from './corpus.ts';

/** The number of each kind, 400 in total; names as in the tables. */
export const SHARES = {
  'common word': 60,
  phrase: 50,
  'rare word': 50,
  absent: 40,
  'one letter': 15,
  'two letters': 25,
  'three letters': 30,
  'common word and filter': 60,
  '200 characters': 20,
  'deep cursor': 25,
  'filters alone': 25,
} as const;

export type Kind = keyof typeof SHARES;

export interface Question {
  readonly kind: Kind;
  readonly filter: SearchFilter;
}

const LIMIT = 20;
const SAMPLE = 1_000;
const LONG = 200;
/** Greater than any id, so the page after this cursor starts with its day. */
const GREATEST_ID = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ';
const LETTERS = /^\p{L}+$/u;

/** Pieces of the texts of the first reviews. */
class Sample {
  readonly texts: readonly string[];

  constructor() {
    this.texts = Array.from(writeCorpus(SAMPLE), ({ text }) => fold(text ?? ''));
  }

  /** Pieces by their number of texts, most frequent first. */
  ranked(split: (text: string) => readonly string[]): [piece: string, count: number][] {
    const counts = new Map<string, number>();
    for (const text of this.texts) {
      for (const piece of new Set(split(text))) counts.set(piece, (counts.get(piece) ?? 0) + 1);
    }
    return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  }
}

/** The mix, shuffled, so that every part of it contains all kinds. */
export function buildMix(): Question[] {
  const sample = new Sample();
  const words = sample.ranked((text) => text.split(/[^\p{L}\d]+/u));
  const common = words.flatMap(([word]) => (word.length > 3 && LETTERS.test(word) ? [word] : []));
  const queries: Partial<Record<Kind, readonly string[]>> = {
    // As people type: one in three begins with a capital.
    'common word': common.map((word, place) =>
      place % 3 === 0 ? word.slice(0, 1).toUpperCase() + word.slice(1) : word,
    ),
    phrase: sample.texts.flatMap((text, place) => {
      const list = text.split(' ');
      const from = place % Math.max(1, list.length - 3);
      return text === '' ? [] : [list.slice(from, from + 2 + (place % 2)).join(' ')];
    }),
    // References: no two reviews have the same.
    'rare word': words.flatMap(([word, count]) =>
      count === 1 && word.length > 5 && /\d/.test(word) ? [word] : [],
    ),
    // Texts without a match: spelled backwards, with a wrong ending, and with words that never follow one another.
    absent: common.flatMap((word, place) => [
      `${word.split('').toReversed().join('')}q`,
      `${word}xq`,
      `${word} ${common[place + 1] ?? ''} ${word}`,
    ]),
    'one letter': 'etaoinsrhldcump'.split(''),
    'two letters': spread(gramsOf(sample, 2), SHARES['two letters']),
    'three letters': spread(gramsOf(sample, 3), SHARES['three letters']),
    '200 characters': sample.texts.flatMap((text, place) => {
      if (text.length < LONG) return [];
      // Every second one differs from the written text in its last character.
      return [place % 2 === 0 ? text.slice(0, LONG) : `${text.slice(0, LONG - 1)}~`];
    }),
  };
  const filters: Partial<Record<Kind, readonly Partial<SearchFilter>[]>> = {
    'common word and filter': common.map((query, place) => ({
      query,
      ...rareFilter(place, Math.floor(place / 6)),
    })),
    'deep cursor': common.map((query, place) => ({
      ...(place % 2 === 0 ? { query } : {}),
      cursor: new Cursor(dateOf(1 + (place % 4), place), GREATEST_ID),
    })),
    'filters alone': filtersAlone(),
  };
  const questions = (Object.keys(SHARES) as Kind[]).flatMap((kind) => {
    const given: readonly Partial<SearchFilter>[] =
      filters[kind] ?? (queries[kind] ?? []).map((query) => ({ query }));
    return given.slice(0, SHARES[kind]).map((filter) => ({
      kind,
      filter: { ...filter, limit: LIMIT },
    }));
  });
  return shuffle(questions);
}

const LONG_AGO = dayNumber('0001-01-01');
const LONG_HENCE = dayNumber('9000-01-01');

/**
 * The same filter with other parameters, so that no cached result answers it: with a day before the first review as
 * `since`, or one after the last as `until`. A filter that has both is returned as it is.
 */
export function askAnew(filter: SearchFilter, variation: number): SearchFilter {
  if (filter.since === undefined) return { ...filter, since: dateOfDay(LONG_AGO + variation) };
  if (filter.until === undefined) return { ...filter, until: dateOfDay(LONG_HENCE + variation) };
  return filter;
}

/** The query string of a filter. */
export function parametersOf(filter: SearchFilter): string {
  const entries = Object.entries(filter).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(entries).toString();
}

function gramsOf(sample: Sample, length: number): string[] {
  const grams = sample.ranked((text) =>
    Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) =>
      text.slice(at, at + length),
    ).filter((gram) => LETTERS.test(gram)),
  );
  return grams.map(([gram]) => gram);
}

/** `count` elements, evenly spread over a list. */
function spread<T>(list: readonly T[], count: number): T[] {
  return Array.from(
    { length: count },
    (_, place) => list[Math.floor((place * list.length) / count)] as T,
  );
}

/** A date of the corpus, some years before its last. */
function dateOf(yearsAgo: number, number: number): string {
  const [month, day] = [1 + (number % 12), 1 + (number % 28)];
  return `${2025 - yearsAgo}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Twelve days of one month. */
function rangeOf(yearsAgo: number, number: number): Partial<SearchFilter> {
  const month = dateOf(yearsAgo, number).slice(0, 7);
  return { since: `${month}-05`, until: `${month}-16` };
}

function technician(number: number): string {
  return CORPUS_BUSINESS.technicians[number % CORPUS_BUSINESS.technicians.length]?.id ?? '';
}

function service(number: number): string {
  return CORPUS_BUSINESS.services[number % CORPUS_BUSINESS.services.length]?.id ?? '';
}

/** Six selective filters, in turn. */
function rareFilter(place: number, number: number): Partial<SearchFilter> {
  const kinds: Partial<SearchFilter>[] = [
    { rating: 1 + (number % 2) },
    { source: 'yelp', min_rating: 2 + (number % 2) },
    { since: `2025-12-${String(1 + (number % 31)).padStart(2, '0')}` },
    rangeOf(3, number),
    { mentions_technician: technician(number) },
    { mentions_service: service(number) },
  ];
  return kinds[place % kinds.length] ?? {};
}

function filtersAlone(): Partial<SearchFilter>[] {
  return [
    ...[1, 2, 3, 4, 5].map((rating) => ({ rating })),
    ...[2, 3, 4].map((minimum) => ({ min_rating: minimum })),
    ...['google', 'facebook', 'yelp'].map((source) => ({ source })),
    ...[0, 1, 2, 3].map((years) => ({ since: dateOf(years, 5) })),
    ...[1, 2, 3, 4].map((years) => rangeOf(years, years)),
    ...[3, 7, 11].map((number) => ({ mentions_technician: technician(number) })),
    ...[2, 9, 17].map((number) => ({ mentions_service: service(number), min_rating: 4 })),
  ];
}

/** Fisher-Yates shuffle with a seed. */
function shuffle<T>(list: readonly T[]): T[] {
  const random = randomFrom(400);
  const shuffled = [...list];
  for (let place = shuffled.length - 1; place > 0; place--) {
    const other = Math.floor(random() * (place + 1));
    [shuffled[place], shuffled[other]] = [shuffled[other] as T, shuffled[place] as T];
  }
  return shuffled;
}
