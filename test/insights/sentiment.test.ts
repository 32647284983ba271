import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scoreOfReview, scoreOfWords, sentimentOf } from '../../src/insights/sentiment.ts';
import { anyText } from '../support/reviews.ts';

describe('the words of a text', () => {
  test.each([
    ['They came at nine.', null],
    ['', null],
    ['Wonderful!', 1],
    ['WONDERFUL service, terrible price', 0],
    ['terrible', -1],
    ['good', 0.7],
    ['not good', -0.7],
    ['not a very good job', -0.7],
    ['it was not what we would call good', 0.7],
    ["wasn't good", -0.7],
    ['wasn’t good', -0.7],
    ['wasn´t good', -0.7],
    ['never late', 0.4],
    ['no problem', 0.7],
    ['goodness', null],
  ])('%j weigh %j', (text, score) => {
    expect(scoreOfWords(text)).toBe(score);
  });
});

describe('the score of a review', () => {
  test.each([
    [1, null, -1],
    [2, null, -0.5],
    [3, null, 0],
    [4, null, 0.5],
    [5, null, 1],
    [5, 'They came at nine.', 1],
    [5, 'Terrible', 0.2],
    [3, 'good', 0.28],
    [1, 'good', -0.32],
  ])('of %i stars and the text %j is %d', (rating, text, score) => {
    expect(scoreOfReview(rating, text)).toBe(score);
  });

  test('is from -1 to 1 with two decimals, whatever the text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), anyText, (rating, text) => {
        const score = scoreOfReview(rating, text);
        expect(Math.abs(score)).toBeLessThanOrEqual(1);
        expect(Number(score.toFixed(2))).toBe(score);
      }),
    );
  });
});

test.each([
  [1, 'positive'],
  [0.21, 'positive'],
  [0.2, 'neutral'],
  [0, 'neutral'],
  [-0.2, 'neutral'],
  [-0.21, 'negative'],
  [-1, 'negative'],
])('a score of %d is %s', (score, sentiment) => {
  expect(sentimentOf(score)).toBe(sentiment);
});
