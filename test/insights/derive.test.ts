import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveInsights } from '../../src/insights/derive.ts';
import { type Insights, insightsSchema } from '../../src/model/insights.ts';
import type { Review } from '../../src/model/review.ts';
import { anyReviews, BUSINESS, review, ulidOf } from '../support/reviews.ts';

const LISTS = ['technicians', 'services', 'problems', 'service_areas'] as const;

const REVIEWS = [
  review({ id: ulidOf(1), rating: 5, date: '2024-01-10', text: 'Mike was great. Lovely man.' }),
  review({
    id: ulidOf(2),
    rating: 1,
    date: '2024-02-10',
    text: 'The boiler is terrible. So is Mike.',
  }),
  review({ id: ulidOf(3), rating: 3, date: '2024-03-10', text: null }),
];

/** What must hold of the insights of any reviews. */
function expectGrounded(reviews: readonly Review[], insights: Insights): void {
  expect(insightsSchema.parse(insights)).toEqual(insights);
  const textOf = new Map(reviews.map(({ id, text }) => [id, text ?? '']));
  expect(Object.keys(insights.per_review).toSorted()).toEqual([...textOf.keys()].toSorted());
  for (const list of LISTS) {
    const entries = Object.entries(insights.per_review).flatMap(([id, one]) =>
      one[list].map((mention) => ({ ...mention, reviewId: id })),
    );
    for (const { phrase, reviewId } of entries) {
      expect(phrase).not.toBe('');
      expect(textOf.get(reviewId)).toContain(phrase);
    }
    const entities = insights.entities[list];
    expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(entities.map(({ id }) => id)));
    for (const entity of entities) {
      const own = entries.filter(({ id }) => id === entity.id);
      const count = (sentiment: string) => own.filter((one) => one.sentiment === sentiment).length;
      expect(entity).toMatchObject({
        mention_count: own.length,
        positive_count: count('positive'),
        neutral_count: count('neutral'),
        negative_count: count('negative'),
      });
      // One entry for each entity and review.
      expect(new Set(own.map(({ reviewId }) => reviewId)).size).toBe(own.length);
      const phrases = new Set(own.map(({ phrase }) => phrase));
      expect(entity.top_phrases.every((phrase) => phrases.has(phrase))).toBe(true);
      const ids = new Set(own.map(({ reviewId }) => reviewId));
      expect(entity.example_review_ids.every((id) => ids.has(id))).toBe(true);
    }
  }
  const { positive_pct, neutral_pct, negative_pct } = insights.overall_sentiment;
  const parts = [positive_pct, neutral_pct, negative_pct].map((part) =>
    Math.round((part ?? 0) * 10),
  );
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(reviews.length === 0 ? 0 : 1000);
  const months = insights.temporal.monthly;
  expect(months.reduce((sum, month) => sum + month.review_count, 0)).toBe(reviews.length);
  expect(months.map(({ month }) => month)).toEqual(months.map(({ month }) => month).toSorted());
}

describe('insights', () => {
  test('of no reviews have nulls and empty lists', () => {
    const insights = deriveInsights([], BUSINESS);
    expect(insightsSchema.parse(insights)).toEqual({
      version: 1,
      model: 'stars-words-catalogue/1',
      review_count: 0,
      date_range: { earliest: null, latest: null },
      overall_sentiment: { score: null, positive_pct: null, neutral_pct: null, negative_pct: null },
      aspects: [],
      entities: { technicians: [], services: [], problems: [], service_areas: [] },
      topics: [],
      temporal: { monthly: [], trend: 'stable' },
      per_review: {},
      faq: [],
      summary: 'Harbor Heating has no verified reviews yet.',
      pull_quote: null,
      pull_quote_review_id: null,
    });
  });

  test('of three reviews say what these say', () => {
    const insights = deriveInsights(REVIEWS, BUSINESS);
    expectGrounded(REVIEWS, insights);
    expect(insights).toMatchObject({
      review_count: 3,
      date_range: { earliest: '2024-01-10', latest: '2024-03-10' },
      overall_sentiment: {
        score: -0.04,
        positive_pct: 33.4,
        neutral_pct: 33.3,
        negative_pct: 33.3,
      },
      summary:
        'Harbor Heating has 3 verified reviews from 2024-01-10 to 2024-03-10, ' +
        '3 stars on average. 1 of them give four or five stars.',
    });
    expect(insights.per_review[ulidOf(2)]).toEqual({
      score: -1,
      sentiment: 'negative',
      aspects: [],
      technicians: [{ id: 'mike-alvarez', sentiment: 'neutral', phrase: 'So is Mike.' }],
      services: [{ id: 'boiler-repair', sentiment: 'negative', phrase: 'The boiler is terrible.' }],
      problems: [],
      service_areas: [],
      topics: [],
    });
    expect(insights.entities.services).toEqual([
      {
        id: 'boiler-repair',
        name: 'Boiler repair',
        label: 'Boiler repair',
        mention_count: 1,
        positive_count: 0,
        neutral_count: 0,
        negative_count: 1,
        positive_pct: 0,
        score: -1,
        average_rating: 1,
        first_mentioned: '2024-02-10',
        last_mentioned: '2024-02-10',
        top_aspects: [],
        top_phrases: ['The boiler is terrible.'],
        example_review_ids: [ulidOf(2)],
      },
    ]);
    expect(insights.entities.technicians).toMatchObject([
      { id: 'mike-alvarez', mention_count: 2, top_phrases: ['So is Mike.', 'Mike was great.'] },
    ]);
  });

  test('are grounded in the reviews, and do not hang on their order', () => {
    const shuffled = anyReviews().chain((reviews) =>
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

  test.each([
    ['one word of 10 MB', 'x'.repeat(10_000_000)],
    ['lone surrogates', `\ud800 Mike \udc00 boiler ${'\ud800'.repeat(1000)}`],
    ['emoji', '😀👩🏽‍🔧👍'.repeat(1000)],
    ['opinion words', 'not good Mike boiler Bath '.repeat(40_000)],
    ['marks', `Mike${'\u0301\u0323'.repeat(200_000)}`],
    ['one blank', ' '],
  ])('of a review of %s take linear time and are grounded', (_, text) => {
    const started = performance.now();
    const reviews = [review({ text })];
    expectGrounded(reviews, deriveInsights(reviews, BUSINESS));
    expect(performance.now() - started).toBeLessThan(10_000);
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
