// Random corpora and searches, and the check that production agrees with loops over all reviews: `words`, `query`,
// orders, cursors, facets, filters and highlights.

import fc from 'fast-check';
import { expect } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import type { Business } from '../../src/model/business.ts';
import { dateOfDay, dayNumber } from '../../src/model/date.ts';
import { fold } from '../../src/model/fold.ts';
import type { Insights, Sentiment } from '../../src/model/insights.ts';
import { compareNewestFirst } from '../../src/model/review.ts';
import { SORTS } from '../../src/model/cursor.ts';
import { FACETS, type SearchFilter } from '../../src/model/search.ts';
import { WordQuery } from '../../src/model/word-query.ts';
import { highlightsOf } from '../../src/search/highlights.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { placeIndex } from '../../bench/search-index/place.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import {
  type Condition,
  type Corpus,
  Oracle,
  tally,
  wordsOf,
  writeConditions,
} from './words-oracle.ts';

const WORDS = [
  'leak',
  'leaking',
  'leaked',
  'Leaks',
  'boiler',
  'boilers',
  'heater',
  'heating',
  'heat',
  'expensive',
  'inexpensive',
  'late',
  'later',
  'café',
  'the',
  'and',
  'r2d2',
  'Reparatur',
  'Reparaturen',
  'gift',
  'gifts',
  'ac',
  'accident',
  'place',
];
const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;
const SERVICES = ['first_service', 'second_service'] as const;
const TECHNICIANS = ['first_technician', 'second_technician'] as const;
/** Its names are no words of the texts, which would also select by mention. */
const NAMED: Business = {
  ...BUSINESS,
  services: SERVICES.map((id) => ({ id, label: id, aliases: [] })),
  technicians: TECHNICIANS.map((id) => ({ id, name: id, aliases: [], active: true })),
};
const NO_INSIGHTS = deriveInsights([], NAMED);
const FIRST_DAY = dayNumber('2024-01-20');

const GAPS = [
  ' ',
  ' ',
  ' ',
  ', ',
  '. ',
  '-',
  ' \n',
  '  ',
  '\u2019s ',
  ' 👍 ',
  '👍',
  ' 東京 ',
  '/',
] as const;

/** So few words that pairs of them repeat. */
const FEW_WORDS = ['the', 'and', 'late'] as const;
const FEW = fc.array(fc.constantFrom(...FEW_WORDS), { minLength: 3, maxLength: 9 });

/** A few words, some of them rare. */
const TEXT = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.oneof(
            { weight: 8, arbitrary: fc.constantFrom(...WORDS) },
            { weight: 1, arbitrary: fc.nat(300).map((number) => `w${number}`) },
          ),
          fc.constantFrom(...GAPS),
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.map(([word, gap]) => word + gap).join('')),
  },
  { weight: 1, arbitrary: FEW.map((words) => words.join(' ')) },
);

/** Mentions of entities with these ids. */
const mentionsOf = (...ids: readonly string[]) =>
  fc.uniqueArray(
    fc.record({ id: fc.constantFrom(...ids), sentiment: fc.constantFrom(...SENTIMENTS) }),
    { maxLength: 2, selector: ({ id }) => id },
  );

const ONE = fc.record({
  text: fc.option(TEXT, { freq: 6 }),
  rating: fc.integer({ min: 1, max: 5 }),
  day: fc.integer({ min: 0, max: 40 }),
  language: fc.constantFrom('en', 'en', 'de', null),
  source: fc.constantFrom('google', 'yelp', 'direct'),
  hasReply: fc.boolean(),
  location: fc.constantFrom(null, 'bath', 'portland'),
  cabin: fc.constantFrom(null, 'Économy', 'economy', 'first'),
  seat: fc.constantFrom(null, 1, 3.5, 4, 5),
  aspects: mentionsOf('first_aspect', 'second_aspect'),
  problems: mentionsOf('first_problem', 'second_problem'),
  services: mentionsOf(...SERVICES),
  technicians: mentionsOf(...TECHNICIANS),
  areas: mentionsOf('north', 'south'),
  topics: fc.subarray(['topic_a', 'topic_b']),
  sentiment: fc.constantFrom(...SENTIMENTS),
});

type One = typeof ONE extends fc.Arbitrary<infer T> ? T : never;

/** Mostly small; in those of more than 64 texts some words are rare. */
const REVIEWS = fc.oneof(
  { weight: 12, arbitrary: fc.array(ONE, { minLength: 1, maxLength: 25 }) },
  { weight: 1, arbitrary: fc.array(ONE, { minLength: 70, maxLength: 200, size: 'max' }) },
);

function corpusOf(list: readonly One[]): Corpus {
  const reviews = list.map((one, number) =>
    review({
      id: ulidOf((number * 7919) % 997),
      text: one.text,
      rating: one.rating,
      date: dateOfDay(FIRST_DAY + one.day),
      source: one.source,
      ownerReply: one.hasReply ? { text: 'Thanks.', date: '2024-06-01' } : null,
      location: one.location,
      attributes: one.cabin === null ? null : { cabin: one.cabin },
      ratings: one.seat === null ? null : { seat: one.seat },
    }),
  );
  const mention = ({ id, sentiment }: { id: string; sentiment: Sentiment }) => ({
    id,
    sentiment,
    phrase: '',
  });
  const insights: Insights = {
    ...NO_INSIGHTS,
    per_review: Object.fromEntries(
      list.map((one, number) => [
        reviews[number]?.id ?? '',
        {
          score: 0,
          sentiment: one.sentiment,
          aspects: one.aspects.map(mention),
          problems: one.problems.map(mention),
          technicians: one.technicians.map(mention),
          services: one.services.map(mention),
          service_areas: one.areas.map(mention),
          topics: one.topics,
        },
      ]),
    ),
  };
  return {
    reviews: reviews.toSorted(compareNewestFirst),
    languages: new Map(list.map((one, number) => [reviews[number]?.id ?? '', one.language])),
    // Only ids and names matter here.
    insights: {
      ...insights,
      aspects: namedAs('first_aspect', 'second_aspect') as unknown as Insights['aspects'],
      topics: namedAs('topic_a', 'topic_b') as unknown as Insights['topics'],
      entities: {
        ...insights.entities,
        technicians: namedAs(...TECHNICIANS),
        problems: namedAs('first_problem', 'second_problem'),
        service_areas: namedAs('north', 'south'),
      } as unknown as Insights['entities'],
    },
  };
}

/** The label or name of an id is the same in capitals. */
function namedAs(...ids: readonly string[]) {
  return ids.map((id) => ({ id, label: id.toUpperCase(), name: id.toUpperCase() }));
}

const WORD = fc.constantFrom(...WORDS.map(fold), 'leakings', 'absent', 'boilered');
const CONDITION: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 4, arbitrary: WORD.map((word): Condition => ({ kind: 'word', word })) },
  { weight: 1, arbitrary: WORD.map((word): Condition => ({ kind: 'without', word })) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(
        fc.array(fc.constantFrom(...WORDS.map(fold)), { minLength: 1, maxLength: 3 }),
        fc.array(fc.constantFrom(...FEW_WORDS), { minLength: 3, maxLength: 4 }),
      )
      .map((words): Condition => ({ kind: 'phrase', words })),
  },
);
const PREFIX = fc.constantFrom('lea', 'boil', 'hea', 'heat', 'rep', 'inexp', 'acc', 'zzz');
const CONDITIONS = fc
  .tuple(
    fc.uniqueArray(CONDITION, { maxLength: 3, selector: (one) => JSON.stringify(one) }),
    fc.option(PREFIX),
  )
  .map(([list, prefix]): Condition[] =>
    prefix === null ? list : [...list, { kind: 'prefix', word: prefix }],
  )
  .filter((list) => list.length > 0);

/** A part of a text, or words that may be in one. */
const QUERY = fc.oneof(
  fc.record({ of: fc.nat(), from: fc.nat(), length: fc.integer({ min: 1, max: 30 }) }),
  fc
    .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...GAPS)), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.map(([word, gap]) => word + gap).join('')),
  fc
    .array(fc.constantFrom(...FEW_WORDS), { minLength: 2, maxLength: 4 })
    .map((words) => words.join(' ')),
);

const FILTER = fc.record(
  {
    rating: fc.constantFrom(5, [1, 2], [4, 5], [1, 3, 5]),
    min_rating: fc.constantFrom(2, 3.5),
    source: fc.constantFrom('google', ['yelp', 'direct'], ['nowhere', 'google']),
    aspect: fc.constantFrom('first_aspect', 'Second_Aspect', 'absent'),
    problem: fc.constantFrom('first_problem', 'SECOND_problem', 'absent'),
    service_area: fc.constantFrom('north', 'SOUTH'),
    topic: fc.constantFrom('topic_a', 'TOPIC_B'),
    mentions_service: fc.constantFrom(...SERVICES),
    mentions_technician: fc.constantFrom(...TECHNICIANS),
    sentiment: fc.constantFrom(...SENTIMENTS),
    has_reply: fc.boolean(),
    has_text: fc.boolean(),
    language: fc.constantFrom('en', 'DE-de', 'und', 'fr'),
    since: fc.constantFrom('2024-02-01'),
    until: fc.constantFrom('2024-02-20'),
    location: fc.constantFrom('bath', 'portland'),
    attributes: fc.constantFrom<Record<string, string | string[]>>(
      { cabin: 'ECONOMY' },
      { cabin: ['first', 'économy'] },
      { cabin: 'first', absent: 'x' },
    ),
    min_ratings: fc.constantFrom<Record<string, number>>({ seat: 3.5 }, { seat: 4.1 }),
  },
  { requiredKeys: [] },
);

/** At most two of the filters, so that more reviews match. */
const ONE_FILTER = fc.tuple(FILTER, fc.nat(20), fc.nat(20)).map(([filter, ...kept]): Filters => {
  const entries = Object.entries(filter);
  return Object.fromEntries(entries.filter((_, index) => kept.includes(index)));
});

type Filters = typeof FILTER extends fc.Arbitrary<infer T> ? T : never;

/** The lists of an entry that a filter selects by, with or without a sentiment. */
const MENTIONED = {
  aspect: 'aspects',
  problem: 'problems',
  service_area: 'service_areas',
  mentions_service: 'services',
  mentions_technician: 'technicians',
} as const;

function passes(
  one: Corpus['reviews'][number],
  filter: Filters,
  oracle: Oracle,
  corpus: Corpus,
): boolean {
  const { rating, source, topic, sentiment, language, since, until } = filter;
  if (rating !== undefined && ![rating].flat().includes(one.rating)) return false;
  if (filter.min_rating !== undefined && one.rating < filter.min_rating) return false;
  if (source !== undefined && ![source].flat().includes(one.source)) return false;
  if (since !== undefined && one.date < since) return false;
  if (until !== undefined && one.date > until) return false;
  if (filter.has_reply !== undefined && (one.ownerReply !== null) !== filter.has_reply)
    return false;
  if (filter.has_text !== undefined && (one.text !== null) !== filter.has_text) return false;
  if (filter.location !== undefined && one.location !== filter.location) return false;
  const has = ([name, values]: [string, string | string[]]) =>
    [values].flat().some((value) => fold(value) === fold(one.attributes?.[name] ?? ''));
  if (!Object.entries(filter.attributes ?? {}).every(has)) return false;
  const isScored = ([name, least]: [string, number]) => (one.ratings?.[name] ?? 0) >= least;
  if (!Object.entries(filter.min_ratings ?? {}).every(isScored)) return false;
  let isJudged = false;
  for (const [name, list] of Object.entries(MENTIONED)) {
    const value = filter[name as keyof typeof MENTIONED];
    if (value === undefined) continue;
    isJudged = true;
    if (!oracle.hasMention(one, list, fold(value), sentiment)) return false;
  }
  if (topic !== undefined && !oracle.entry(one)?.topics.includes(fold(topic))) return false;
  if (sentiment !== undefined && !isJudged && oracle.entry(one)?.sentiment !== sentiment)
    return false;
  const own = corpus.languages.get(one.id) ?? 'und';
  return language === undefined || own === fold(language).split('-')[0];
}

/** The ids on all pages, in order. */
function walk(index: SearchIndex, filter: SearchFilter): string[] {
  const ids: string[] = [];
  let cursor: SearchFilter['cursor'];
  do {
    const page = index.search(cursor ? { ...filter, cursor } : filter);
    ids.push(...page.positions.map((position) => index.idAt(position)));
    expect(page.more).toBe(page.nextCursor !== null);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

export async function indexOf({ reviews, insights, languages }: Corpus): Promise<SearchIndex> {
  const { index } = await placeIndex(reviews, { insights, languages }, NAMED);
  return index;
}

const SEARCH = fc.record({
  conditions: fc.option(CONDITIONS, { freq: 4 }),
  query: fc.option(QUERY, { freq: 2 }),
  given: fc.oneof(FILTER, ONE_FILTER, fc.constant({})),
  sort: fc.constantFrom(...SORTS),
  limit: fc.integer({ min: 1, max: 9 }),
});

type Search = typeof SEARCH extends fc.Arbitrary<infer T> ? T : never;

/** Checks random searches of random corpora. @throws if one finds something else than a loop */
export async function checkCorpora({
  corpora,
  searches,
  seed,
}: {
  readonly corpora: number;
  readonly searches: number;
  readonly seed?: number;
}): Promise<void> {
  const several = fc.array(SEARCH, { minLength: searches, maxLength: searches });
  await fc.assert(
    fc.asyncProperty(REVIEWS, several, async (list, wanted) => {
      const corpus = corpusOf(list);
      const oracle = new Oracle(corpus);
      const index = await indexOf(corpus);
      checkRareWords(index, oracle, corpus);
      for (const search of wanted) {
        checkStrict(index, search, oracle, corpus);
        checkWide(index, search, oracle, corpus);
      }
    }),
    { numRuns: corpora, ...(seed === undefined ? {} : { seed }) },
  );
}

/** All words, each in any inflection: everything is as a loop over all reviews finds it. */
function checkStrict(index: SearchIndex, search: Search, oracle: Oracle, corpus: Corpus): void {
  const { given, sort, limit } = search;
  const { reviews, languages } = corpus;
  const conditions = search.conditions ?? [];
  const query = queryOf(search.query, corpus);
  const filter: SearchFilter = {
    ...given,
    ...(search.conditions === null
      ? {}
      : { words: WordQuery.parse(writeConditions(conditions)), strict: true }),
    ...(query === undefined ? {} : { query }),
    sort,
    limit,
    facets: `${FACETS.join(',')},attribute.cabin`,
  };
  const matches = reviews.filter(
    (one) =>
      (search.conditions === null || oracle.matches(one, conditions)) &&
      (query === undefined || (one.text !== null && fold(one.text).includes(fold(query)))) &&
      passes(one, given, oracle, corpus),
  );
  const { matched, facets, subjects } = index.search(filter);
  expect({ filter, matched, subjects }).toEqual({ filter, matched: matches.length, subjects: [] });
  expect({ filter, ids: walk(index, filter) }).toEqual({
    filter,
    ids: oracle.sorted(matches, sort, conditions).map(({ id }) => id),
  });
  const counts = Object.entries(facets ?? {}).map(([facet, values]) => [
    facet,
    Object.fromEntries(
      values.map(({ value, count }) => [facet === 'attribute.cabin' ? fold(value) : value, count]),
    ),
  ]);
  const idsOf = (list: keyof typeof LISTS) =>
    tally(matches.map((one) => oracle.entry(one)?.[LISTS[list]].map(({ id }) => id) ?? []));
  expect(Object.fromEntries(counts)).toEqual({
    rating: tally(matches.map((one) => [String(one.rating)])),
    source: tally(matches.map((one) => [one.source])),
    location: tally(matches.map((one) => [one.location ?? []].flat())),
    'attribute.cabin': tally(matches.map((one) => Object.values(one.attributes ?? {}).map(fold))),
    aspect: idsOf('aspect'),
    service: idsOf('service'),
    technician: idsOf('technician'),
    problem: idsOf('problem'),
    service_area: idsOf('service_area'),
    topic: tally(matches.map((one) => oracle.entry(one)?.topics ?? [])),
    month: tally(matches.map((one) => [one.date.slice(0, 7)])),
    language: tally(matches.map(({ id }) => [languages.get(id) ?? 'und'])),
    sentiment: tally(matches.map((one) => [oracle.entry(one)?.sentiment ?? ''])),
  });
  if (query !== undefined) return;
  for (const one of matches) checkHighlights(index, one, filter, conditions, oracle);
}

/** The words of a search that are neither quoted nor excluded, without stop words if others remain. */
function looseOf(conditions: readonly Condition[], corpus: Corpus): readonly Condition[] {
  const loose = conditions.filter(({ kind }) => kind === 'word' || kind === 'prefix');
  const isEnglish = [...corpus.languages.values()].includes('en');
  const telling = loose.filter((one) => one.kind !== 'word' || !STOP_WORDS.has(one.word));
  return isEnglish && telling.length > 0 ? telling : loose;
}

/** Those of `WORDS` in English. */
const STOP_WORDS: ReadonlySet<string> = new Set(['the', 'and']);

/** Reviews with some of the words follow; everything else about them is required as ever. */
function checkWide(index: SearchIndex, search: Search, oracle: Oracle, corpus: Corpus): void {
  const { conditions, given, sort, limit } = search;
  if (conditions === null) return;
  const loose = looseOf(conditions, corpus);
  // Unknown words are corrected.
  const isKnown = (one: Condition) => corpus.reviews.some(({ text }) => oracle.fulfils(text, one));
  if (!conditions.every((one) => !('word' in one) || one.kind === 'without' || isKnown(one)))
    return;
  const hard = conditions.filter(({ kind }) => kind === 'phrase' || kind === 'without');
  const query = queryOf(search.query, corpus);
  const filter: SearchFilter = {
    ...given,
    words: WordQuery.parse(writeConditions(conditions)),
    ...(query === undefined ? {} : { query }),
    sort,
    limit,
  };
  const possible = corpus.reviews.filter(
    (one) =>
      oracle.matches(one, hard) &&
      (query === undefined || fold(one.text ?? '').includes(fold(query))) &&
      passes(one, given, oracle, corpus),
  );
  const all = possible.filter((one) => oracle.matches(one, loose));
  const some = possible.filter((one) => oracle.isRelated(one, loose));
  const shown = sort === 'relevance' || all.length === 0 ? some : all;
  const { matched, related, positions, reasons } = index.search(filter);
  expect({ filter, matched, related }).toEqual({
    filter,
    matched: all.length,
    related: shown.length - all.length,
  });
  const isAll = new Set(all.map(({ id }) => id));
  expect({ filter, reasons }).toEqual({
    filter,
    reasons: positions.map((position) => (isAll.has(index.idAt(position)) ? 'all' : 'some')),
  });
  const ids = walk(index, filter);
  if (sort === 'relevance') {
    expect({ filter, ids: ids.toSorted() }).toEqual({
      filter,
      ids: shown.map(({ id }) => id).toSorted(),
    });
    expect({ filter, first: new Set(ids.slice(0, matched)) }).toEqual({ filter, first: isAll });
  } else {
    const sorted = oracle.sorted(shown, sort, conditions);
    expect({ filter, ids }).toEqual({ filter, ids: sorted.map(({ id }) => id) });
  }
}

/** The first reviews after those with all words are those that say a rare word as it was typed. */
function checkRareWords(index: SearchIndex, oracle: Oracle, corpus: Corpus): void {
  for (const first of WORDS.map(fold)) {
    for (const others of [[], ['boiler'], ['late', 'gift']]) {
      const conditions = [...new Set([first, ...others])].map((word): Condition => ({
        kind: 'word',
        word,
      }));
      const words = looseOf(conditions, corpus).flatMap((one) => ('word' in one ? [one.word] : []));
      const limit = words.length === 1 ? 10 : 3;
      const rare = words.filter((word) => oracle.countOf(word) <= limit);
      const filter = { words: WordQuery.parse(writeConditions(conditions)), limit: 100 };
      const { matched, positions } = index.search(filter);
      const found = positions.map((position) => index.idAt(position));
      const all = new Set(words.length === 1 ? [] : found.slice(0, matched));
      const saying = corpus.reviews
        .filter(({ text }) => wordsOf(text).some((word) => rare.includes(word)))
        .flatMap(({ id }) => (all.has(id) ? [] : id));
      const next = found.slice(all.size, all.size + saying.length);
      expect({ filter, ids: new Set(next) }).toEqual({ filter, ids: new Set(saying) });
    }
  }
}

/** The lists of an entry by facet. */
const LISTS = {
  aspect: 'aspects',
  service: 'services',
  technician: 'technicians',
  problem: 'problems',
  service_area: 'service_areas',
} as const;

/** An empty query is none. */
function queryOf(query: Search['query'], { reviews }: Corpus): string | undefined {
  if (query === null || typeof query === 'string') return query ?? undefined;
  const text = Array.from(reviews[query.of % reviews.length]?.text ?? 'leak');
  const from = query.from % (text.length + 1);
  return text.slice(from, from + query.length).join('') || undefined;
}

/** Every highlighted word is one that was searched for, and no other such word is left out. */
function checkHighlights(
  index: SearchIndex,
  { text }: Corpus['reviews'][number],
  filter: SearchFilter,
  conditions: readonly Condition[],
  oracle: Oracle,
): void {
  const ranges = highlightsOf(text ?? '', index.sought(filter, 'text')!);
  const marked = ranges.flatMap(([start, end]) => wordsOf((text ?? '').slice(start, end)));
  const words = wordsOf(text);
  const expected = words.filter((word, at) =>
    conditions.some((one) => {
      if (one.kind === 'without') return false;
      if (one.kind !== 'phrase') return oracle.fulfils(word, one);
      return one.words.some((_, back) =>
        one.words.every((each, offset) => words[at - back + offset] === each),
      );
    }),
  );
  expect({ text, words: filter.words, marked }).toEqual({
    text,
    words: filter.words,
    marked: expected,
  });
}
