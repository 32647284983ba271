import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IndexedMention } from '../../../src/insights/aggregate/mentions.ts';
import { entityOf, percentages } from '../../../src/insights/aggregate/tally.ts';
import { NOTHING } from '../../support/by-hand.ts';
import { review, ulidOf } from '../../support/reviews.ts';

describe('percentages', () => {
  test.each([
    [
      [1, 1, 1],
      [33.4, 33.3, 33.3],
    ],
    [
      [2, 1, 0],
      [66.7, 33.3, 0],
    ],
    [
      [1, 0, 0],
      [100, 0, 0],
    ],
    [
      [1, 1, 6],
      [12.5, 12.5, 75],
    ],
    [
      [1, 2, 4],
      [14.3, 28.6, 57.1],
    ],
    [
      [0, 0, 0],
      [null, null, null],
    ],
  ])('of %j are %j by largest remainder', (parts, expected) => {
    expect(percentages(parts)).toEqual(expected);
  });

  test('sum to 100', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 500_000 }), { minLength: 3, maxLength: 3 }), (parts) => {
        const tenths = percentages(parts).map((part) => Math.round((part ?? 0) * 10));
        const sum = tenths.reduce((total, part) => total + part, 0);
        expect(sum).toBe(parts.every((part) => part === 0) ? 0 : 1000);
      }),
    );
  });
});

const ENTRY = {
  score: 0,
  sentiment: 'neutral' as const,
  ...NOTHING,
};

test('a tally of mentions counts them; its examples are the newest reviews', () => {
  const mentions = [
    ['2024-03-01', 5, 'positive', 'Good.'],
    ['2024-02-01', 4, 'positive', 'Good.'],
    ['2024-01-01', 1, 'negative', 'Bad.'],
  ] as const;
  const indexed = mentions.map(([date, rating, sentiment, phrase], index): IndexedMention => ({
    review: review({ id: ulidOf(9 - index), date, rating }),
    entry: ENTRY,
    mention: { id: 'mike', sentiment, phrase },
    phraseScore: 1,
    aspectScores: [],
    isForeign: false,
  }));
  expect(entityOf('mike', 'Mike', indexed)).toEqual({
    id: 'mike',
    name: 'Mike',
    mention_count: 3,
    positive_count: 2,
    neutral_count: 0,
    negative_count: 1,
    positive_pct: 66.7,
    score: 0.33,
    average_rating: 3.33,
    first_mentioned: '2024-01-01',
    last_mentioned: '2024-03-01',
    top_aspects: [],
    top_phrases: [],
    quotes: [],
    example_review_ids: [ulidOf(9), ulidOf(8), ulidOf(7)],
  });
});
