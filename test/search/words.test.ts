// `words`, orders, facets, filters and highlights compared with loops over all reviews.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveInsights } from '../../src/insights/derive.ts';
import { dateOfDay, dayNumber } from '../../src/model/date.ts';
import { fold } from '../../src/model/fold.ts';
import type { Insights, Sentiment } from '../../src/model/insights.ts';
import { compareNewestFirst } from '../../src/model/review.ts';
import { SORTS, type SearchFilter } from '../../src/model/search.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
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
const FIRST_DAY = dayNumber('2024-01-20');

const TEXT = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', ', ', '-', '. ', ' \n')), {
    maxLength: 12,
  })
  .map((parts) => parts.map(([word, gap]) => word + gap).join(''));

const MENTIONS = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('first_aspect', 'second_aspect'),
    sentiment: fc.constantFrom(...SENTIMENTS),
  }),
  { maxLength: 2, selector: ({ id }) => id },
);

const ONE = fc.record({
  text: fc.option(TEXT, { freq: 6 }),
  rating: fc.integer({ min: 1, max: 5 }),
  day: fc.integer({ min: 0, max: 40 }),
  language: fc.constantFrom('en', 'en', 'de', null),
  source: fc.constantFrom('google', 'yelp', 'direct'),
  hasReply: fc.boolean(),
  aspects: MENTIONS,
  problems: MENTIONS,
  sentiment: fc.constantFrom(...SENTIMENTS),
});

const CORPUS = fc.array(ONE, { minLength: 1, maxLength: 40 }).map((list): Corpus => {
  const reviews = list.map((one, number) =>
    review({
      id: ulidOf((number * 7919) % 997),
      text: one.text,
      rating: one.rating,
      date: dateOfDay(FIRST_DAY + one.day),
      source: one.source,
      ownerReply: one.hasReply ? { text: 'Thanks.', date: '2024-06-01' } : null,
    }),
  );
  const mention = ({ id, sentiment }: { id: string; sentiment: Sentiment }) => ({
    id,
    sentiment,
    phrase: '',
  });
  const insights: Insights = {
    ...deriveInsights([], BUSINESS),
    per_review: Object.fromEntries(
      list.map((one, number) => [
        reviews[number]?.id ?? '',
        {
          score: 0,
          sentiment: one.sentiment,
          aspects: one.aspects.map(mention),
          problems: one.problems.map(mention),
          technicians: [],
          services: [],
          service_areas: [],
          topics: [],
        },
      ]),
    ),
  };
  const named = ['first_aspect', 'second_aspect'].map((id) => ({ id, label: id.toUpperCase() }));
  return {
    reviews: reviews.toSorted(compareNewestFirst),
    languages: new Map(list.map((one, number) => [reviews[number]?.id ?? '', one.language])),
    insights: {
      ...insights,
      // Only ids and labels matter here.
      aspects: named as unknown as Insights['aspects'],
    },
  };
});

const WORD = fc.constantFrom(...WORDS.map(fold), 'leakings', 'absent', 'boilered');
const CONDITION: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 4, arbitrary: WORD.map((word): Condition => ({ kind: 'word', word })) },
  { weight: 1, arbitrary: WORD.map((word): Condition => ({ kind: 'without', word })) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...WORDS.map(fold)), { minLength: 1, maxLength: 3 })
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

const FILTER = fc.record(
  {
    rating: fc.constantFrom(5, [1, 2], [4, 5]),
    source: fc.constantFrom('google', ['yelp', 'direct'], ['nowhere', 'google']),
    aspect: fc.constantFrom('first_aspect', 'Second_Aspect', 'absent'),
    problem: fc.constantFrom('first_aspect', 'absent'),
    sentiment: fc.constantFrom(...SENTIMENTS),
    has_reply: fc.boolean(),
    has_text: fc.boolean(),
    language: fc.constantFrom('en', 'DE-de', 'und', 'fr'),
    since: fc.constantFrom('2024-02-01'),
  },
  { requiredKeys: [] },
);

type Filters = typeof FILTER extends fc.Arbitrary<infer T> ? T : never;

function passes(
  one: Corpus['reviews'][number],
  filter: Filters,
  oracle: Oracle,
  corpus: Corpus,
): boolean {
  const { rating, source, aspect, sentiment, language, since } = filter;
  if (rating !== undefined && ![rating].flat().includes(one.rating)) return false;
  if (source !== undefined && ![source].flat().includes(one.source)) return false;
  if (since !== undefined && one.date < since) return false;
  if (filter.has_reply !== undefined && (one.ownerReply !== null) !== filter.has_reply)
    return false;
  if (filter.has_text !== undefined && (one.text !== null) !== filter.has_text) return false;
  if (aspect !== undefined && !oracle.hasMention(one, 'aspects', fold(aspect), sentiment))
    return false;
  // Problems have no name in these insights, so none is known.
  if (filter.problem !== undefined) return false;
  if (sentiment !== undefined && aspect === undefined && oracle.entry(one)?.sentiment !== sentiment)
    return false;
  const own = corpus.languages.get(one.id) ?? 'und';
  return language === undefined || own === fold(language).split('-')[0];
}

/** The ids on all pages, in order. */
function walk(snapshot: Snapshot, filter: SearchFilter): string[] {
  const ids: string[] = [];
  let cursor: SearchFilter['cursor'];
  do {
    const page = snapshot.search(cursor ? { ...filter, cursor } : filter);
    ids.push(...page.positions.map((position) => snapshot.idAt(position)));
    expect(page.more).toBe(page.nextCursor !== null);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

test('words, filters, orders, pages, facets and highlights agree with loops over all reviews', async () => {
  await fc.assert(
    fc.asyncProperty(
      CORPUS,
      fc.array(
        fc.tuple(CONDITIONS, FILTER, fc.constantFrom(...SORTS), fc.integer({ min: 1, max: 9 })),
        {
          minLength: 8,
          maxLength: 8,
        },
      ),
      async (corpus, searches) => {
        const oracle = new Oracle(corpus);
        const { reviews, languages, insights } = corpus;
        const snapshot = await snapshotOf(reviews, { languages, insights });
        for (const [conditions, given, sort, limit] of searches) {
          const words = writeConditions(conditions);
          const filter: SearchFilter = {
            ...given,
            words,
            sort,
            limit,
            facets: 'rating,source,aspect,month,language,sentiment',
          };
          const matches = reviews.filter(
            (one) => oracle.matches(one, conditions) && passes(one, given, oracle, corpus),
          );
          const { matched, facets, widened } = snapshot.search(filter);
          expect({ words, given, matched, widened }).toEqual({
            words,
            given,
            matched: matches.length,
            widened: [],
          });
          expect({ words, sort, ids: walk(snapshot, filter) }).toEqual({
            words,
            sort,
            ids: oracle.sorted(matches, sort, conditions).map(({ id }) => id),
          });
          const counts = Object.entries(facets ?? {}).map(([facet, values]) => [
            facet,
            Object.fromEntries(values.map(({ value, count }) => [value, count])),
          ]);
          expect(Object.fromEntries(counts)).toEqual({
            rating: tally(matches.map((one) => [String(one.rating)])),
            source: tally(matches.map((one) => [one.source])),
            aspect: tally(
              matches.map((one) => (oracle.entry(one)?.aspects ?? []).map(({ id }) => id)),
            ),
            month: tally(matches.map((one) => [one.date.slice(0, 7)])),
            language: tally(matches.map(({ id }) => [languages.get(id) ?? 'und'])),
            sentiment: tally(matches.map((one) => [oracle.entry(one)?.sentiment ?? ''])),
          });
          for (const one of matches) checkHighlights(snapshot, one, filter, conditions, oracle);
        }
      },
    ),
    { numRuns: 40 },
  );
});

/** Every highlighted word is one that was searched for, and no other such word is left out. */
function checkHighlights(
  snapshot: Snapshot,
  { id, text }: Corpus['reviews'][number],
  filter: SearchFilter,
  conditions: readonly Condition[],
  oracle: Oracle,
): void {
  const position = snapshot.positionOf(id) as number;
  const ranges = snapshot.highlights(position, text ?? '', filter, []);
  const marked = ranges.flatMap(([start, end]) => wordsOf((text ?? '').slice(start, end)));
  const words = wordsOf(text);
  const expected = words.filter((word, at) =>
    conditions.some((one) => {
      if (one.kind === 'without') return false;
      if (one.kind !== 'phrase') return oracle.fulfils(word, one);
      return one.words.some((_, back) =>
        one.words.every((each, index) => words[at - back + index] === each),
      );
    }),
  );
  expect({ text, words: filter.words, marked }).toEqual({
    text,
    words: filter.words,
    marked: expected,
  });
}
