import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNewestFirst, reviewSchema, reviewToJson } from '../../src/model/review.ts';
import { anyReview, review, ulidOf } from '../support/reviews.ts';

describe('a review', () => {
  test('is published with every key, in the order of the contract', () => {
    const json = reviewToJson(review({ id: ulidOf(7), text: null }));
    expect(JSON.stringify(json)).toBe(
      '{"id":"01HK153X000000000000000007","author":"Karen W.","author_avatar_url":null,' +
        '"rating":5,"date":"2024-05-17","text":null,"source":"google","source_url":null,' +
        '"owner_reply":null,"verified":true}',
    );
  });

  test('always matches its schema', () => {
    fc.assert(
      fc.property(anyReview, (any) => {
        expect(reviewSchema.parse(reviewToJson(any))).toEqual(reviewToJson(any));
      }),
    );
  });

  test.each([
    ['id', 'abc'],
    ['author', ''],
    ['rating', 0],
    ['rating', 6],
    ['rating', 4.5],
    ['date', '2025-02-30'],
    ['text', ''],
    ['source_url', 'nowhere'],
    ['owner_reply', { text: 'Thanks' }],
    ['verified', false],
    ['stars', 5],
  ])('with %s %j does not match its schema', (key, value) => {
    expect(reviewSchema.safeParse({ ...reviewToJson(review()), [key]: value }).success).toBe(false);
  });
});

test('newest first is date descending, then id descending', () => {
  const reviews = [
    review({ id: ulidOf(1), date: '2024-01-01' }),
    review({ id: ulidOf(3), date: '2023-12-31' }),
    review({ id: ulidOf(2), date: '2024-01-01' }),
  ];
  expect(reviews.toSorted(compareNewestFirst).map(({ id }) => id)).toEqual([
    ulidOf(2),
    ulidOf(1),
    ulidOf(3),
  ]);
});
