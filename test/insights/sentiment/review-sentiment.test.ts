import { expect, test } from 'vitest';
import {
  scoreOfReview,
  sentimentOfScore,
} from '../../../src/insights/sentiment/review-sentiment.ts';
import { annotateText } from '../../support/annotate-text.ts';

test.each([
  [0.21, 'positive'],
  [0.2, 'neutral'],
  [0, 'neutral'],
  [-0.2, 'neutral'],
  [-0.21, 'negative'],
])('a score of %d is %s', (score, sentiment) => {
  expect(sentimentOfScore(score)).toBe(sentiment);
});

test('a review without opinions has the score of its stars', () => {
  expect([1, 2, 3, 4, 5].map((rating) => scoreOfReview(rating, null))).toEqual([
    -1, -0.5, 0, 0.5, 1,
  ]);
  expect(scoreOfReview(4, annotateText('They came on Monday.'))).toBe(0.5);
});

test('the opinions of a text adjust the score of the stars', () => {
  const praise = scoreOfReview(3, annotateText('A great job.'));
  const complaint = scoreOfReview(3, annotateText('A terrible job.'));
  expect([sentimentOfScore(praise), sentimentOfScore(complaint)]).toEqual(['positive', 'negative']);
});
