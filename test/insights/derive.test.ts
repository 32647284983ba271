import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import { insightsSchema } from '../../src/model/insights.ts';
import { anyTellingReviews, expectGrounded } from '../support/insights.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { growth, LINEAR } from '../support/growth.ts';

const REVIEWS = [
  review({ id: ulidOf(1), rating: 5, date: '2024-01-10', text: 'Mike was great. Lovely man.' }),
  review({
    id: ulidOf(2),
    rating: 1,
    date: '2024-02-10',
    text: 'The boiler repair is terrible. So is Mike.',
  }),
  review({ id: ulidOf(3), rating: 3, date: '2024-03-10', text: null }),
];

describe('insights', () => {
  test('of no reviews have nulls and empty lists', () => {
    const insights = deriveInsights([], BUSINESS);
    expect(insightsSchema.parse(insights)).toEqual({
      version: 2,
      model: 'claims/17',
      review_count: 0,
      date_range: { earliest: null, latest: null },
      overall_sentiment: { score: null, positive_pct: null, neutral_pct: null, negative_pct: null },
      aspects: [],
      entities: { technicians: [], services: [], problems: [], service_areas: [] },
      topics: [],
      temporal: { monthly: [], trend: 'stable', episodes: [], changes: [], comparison: null },
      selection: {
        praised: [],
        criticized: [],
        strengths: [],
        weak_spots: [],
        complaints: [],
        low_topics: [],
        people: [],
      },
      prices: { mentions: [], medians: [] },
      per_review: {},
      faq: [],
      summary: 'Harbor Heating has no verified reviews yet.',
      summary_sentences: [{ text: 'Harbor Heating has no verified reviews yet.', review_ids: [] }],
      pull_quote: null,
      pull_quote_review_id: null,
    });
  });

  test('of three reviews have their figures and phrases', () => {
    const insights = deriveInsights(REVIEWS, BUSINESS);
    expectGrounded(REVIEWS, insights);
    expect(insights).toMatchObject({
      review_count: 3,
      date_range: { earliest: '2024-01-10', latest: '2024-03-10' },
      overall_sentiment: { positive_pct: 33.4, neutral_pct: 33.3, negative_pct: 33.3 },
      temporal: { trend: 'stable', episodes: [] },
      faq: [],
    });
    expect(insights.summary).toContain(
      'Harbor Heating has 3.0 out of 5 stars in three verified reviews since January 2024: one gives four or five stars, and one gives one or two.',
    );
    expect(insights.per_review[ulidOf(2)]).toMatchObject({
      sentiment: 'negative',
      technicians: [{ id: 'mike-alvarez', phrase: 'So is Mike.' }],
      services: [
        { id: 'boiler-repair', sentiment: 'negative', phrase: 'The boiler repair is terrible.' },
      ],
    });
    expect(insights.per_review[ulidOf(3)]).toEqual({
      score: 0,
      sentiment: 'neutral',
      aspects: [],
      technicians: [],
      services: [],
      problems: [],
      service_areas: [],
      topics: [],
    });
    expect(insights.entities.services).toMatchObject([
      {
        id: 'boiler-repair',
        name: 'Boiler repair',
        label: 'Boiler repair',
        mention_count: 1,
        positive_pct: 0,
        score: -1,
        average_rating: 1,
        first_mentioned: '2024-02-10',
        last_mentioned: '2024-02-10',
        top_phrases: ['The boiler repair is terrible.'],
        example_review_ids: [ulidOf(2)],
      },
    ]);
    expect(insights.entities.technicians).toMatchObject([
      { id: 'mike-alvarez', mention_count: 2, first_mentioned: '2024-01-10' },
    ]);
  });

  test('are grounded in the reviews and do not depend on their order', () => {
    const shuffled = anyTellingReviews().chain((reviews) =>
      fc.tuple(
        fc.constant(reviews),
        fc.shuffledSubarray(reviews, { minLength: reviews.length, maxLength: reviews.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([reviews, others]) => {
        const insights = deriveInsights(reviews, BUSINESS);
        expectGrounded(reviews, insights);
        expect(JSON.stringify(deriveInsights(others, BUSINESS))).toBe(JSON.stringify(insights));
      }),
    );
  });

  test('of a review depend on another review only through what both confirm', () => {
    fc.assert(
      fc.property(anyTellingReviews(12), anyTellingReviews(1), (reviews, [added]) => {
        if (!added || reviews.some(({ id }) => id === added.id)) return;
        const before = deriveInsights(reviews, BUSINESS);
        const after = deriveInsights([...reviews, added], BUSINESS);
        const known = new Set(BUSINESS.technicians.map(({ id }) => id));
        for (const { id } of reviews) {
          const [one, other] = [before.per_review[id]!, after.per_review[id]!];
          const own = { technicians: [], problems: [], topics: [] };
          expect({ ...other, ...own }).toEqual({ ...one, ...own });
          // A technician of the catalogue stays; only discovered names come and go.
          const inCatalogue = (insights: typeof one) =>
            insights.technicians.filter((mention) => known.has(mention.id));
          expect(inCatalogue(other)).toEqual(inCatalogue(one));
          // More reviews confirm more problems, never fewer; names may turn out to be something else.
          const ids = (list: typeof one.problems) => list.map((mention) => mention.id);
          expect(ids(other.problems)).toEqual(expect.arrayContaining(ids(one.problems)));
        }
      }),
    );
  });

  test('have a bare name once a second review confirms it, in any order', () => {
    const bare = review({ id: ulidOf(1), text: 'Hello Rosa, goodbye boiler.' });
    const clear = review({ id: ulidOf(2), text: 'Rosa fixed the sink.' });
    const names = (reviews: Parameters<typeof deriveInsights>[0]) =>
      deriveInsights(reviews, BUSINESS).per_review[bare.id]?.technicians.map(({ id }) => id);
    expect(names([bare])).toEqual([]);
    expect(names([bare, clear])).toEqual(['rosa']);
    expect(names([clear, bare])).toEqual(['rosa']);
  });

  test.each([
    ['one word of 10 MB', 'x'.repeat(10_000_000)],
    ['lone surrogates', `\ud800 Mike \udc00 boiler ${'\ud800'.repeat(1000)}`],
    ['emoji', '😀👩🏽‍🔧👍'.repeat(1000)],
    ['opinion words', 'not good Mike boiler Bath '.repeat(40_000)],
    ['marks', `Mike${'\u0301\u0323'.repeat(200_000)}`],
    ['one blank', ' '],
  ])('of a review of %s are grounded', (_, text) => {
    const reviews = [review({ text })];
    expectGrounded(reviews, deriveInsights(reviews, BUSINESS));
  });

  test.each([
    ['opinion words', 'not good Mike boiler Bath '],
    ['marks', '\u0301\u0323'],
  ])('of a review of %s take linear time', (_, part) => {
    const reviewsOf = (length: number) => [
      review({ text: `Mike${part.repeat(length / part.length)}` }),
    ];
    const derive = (reviews: ReturnType<typeof reviewsOf>) => deriveInsights(reviews, BUSINESS);
    expect(growth(30_000, reviewsOf, derive)).toBeLessThan(LINEAR);
  });

  test.each([
    ['an unknown key', { generated_at: '2024-01-01T00:00:00Z' }],
    [
      'a score above 1',
      {
        overall_sentiment: {
          score: 1.1,
          positive_pct: null,
          neutral_pct: null,
          negative_pct: null,
        },
      },
    ],
    ['a date that does not exist', { date_range: { earliest: '2025-02-30', latest: null } }],
    ['another trend', { temporal: { monthly: [], trend: 'up' } }],
    [
      'an unknown key of a review',
      { per_review: { x: { score: 0, sentiment: 'neutral', stars: 5 } } },
    ],
    ['a missing member', { faq: undefined }],
  ])('with %s do not fit their schema', (_, values) => {
    const insights = deriveInsights(REVIEWS, BUSINESS);
    expect(insightsSchema.safeParse({ ...insights, ...values }).success).toBe(false);
  });
});
