import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregateRating, aggregateRatingSchema, mean, roundTo } from '../../src/model/rating.ts';
import { anyReviews } from '../support/reviews.ts';

describe('the aggregate rating', () => {
  test('without reviews has no mean, zero counts and no sources', () => {
    expect(aggregateRating([])).toEqual({
      rating_value: null,
      review_count: 0,
      best_rating: 5,
      worst_rating: 1,
      distribution: { '1': 0, '2': 0, '3': 0, '4': 0, '5': 0 },
      by_source: {},
    });
  });

  test('has means with two decimals and sources in alphabetical order', () => {
    const rating = aggregateRating([
      { rating: 5, source: 'yelp' },
      { rating: 4, source: 'google' },
      { rating: 4, source: 'google' },
      { rating: 1, source: 'google' },
      { rating: 5, source: 'direct' },
      { rating: 5, source: 'yelp' },
    ]);
    expect(rating).toEqual({
      rating_value: 4,
      review_count: 6,
      best_rating: 5,
      worst_rating: 1,
      distribution: { '1': 1, '2': 0, '3': 0, '4': 2, '5': 3 },
      by_source: {
        direct: { rating_value: 5, review_count: 1 },
        google: { rating_value: 3, review_count: 3 },
        yelp: { rating_value: 5, review_count: 2 },
      },
    });
    expect(Object.keys(rating.by_source)).toEqual(['direct', 'google', 'yelp']);
  });

  test('matches its schema, and its parts add up', () => {
    fc.assert(
      fc.property(anyReviews(), (reviews) => {
        const rating = aggregateRatingSchema.parse(aggregateRating(reviews));
        const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
        expect(sum(Object.values(rating.distribution))).toBe(reviews.length);
        expect(sum(Object.values(rating.by_source).map((part) => part.review_count))).toBe(
          reviews.length,
        );
      }),
    );
  });

  test.each([
    [0, 0, null],
    [10, 3, 3.33],
    [14, 3, 4.67],
    [33, 8, 4.13],
  ])('with %i stars in %i reviews has the mean %j', (sum, count, value) => {
    expect(mean(sum, count)).toBe(value);
  });
});

describe('rounding', () => {
  test.each([
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [-0.001, 2, 0],
    [0.125, 2, 0.13],
    [2.5, 0, 3],
    [-2.5, 0, -3],
  ])('of %d to %i decimals gives %d, half away from zero', (value, decimals, rounded) => {
    // toBe distinguishes -0 from 0.
    expect(roundTo(value, decimals)).toBe(rounded);
  });
});
