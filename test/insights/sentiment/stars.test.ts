import { expect, test } from 'vitest';
import { isFaintContradiction } from '../../../src/insights/sentiment/stars.ts';

test.each([
  ['negative', 0.6, 5, true],
  ['negative', 0.8, 5, false],
  ['negative', 0.4, 4, true],
  ['negative', 0.4, 3, false],
  ['negative', 0.1, 1, true],
  ['negative', 0.3, 1, false],
  ['positive', 0.1, 1, true],
  ['positive', 0.3, 1, false],
  ['positive', 0.1, 3, false],
  ['positive', 0.1, 5, false],
  ['neutral', 0, 1, false],
  [null, 0.5, 5, false],
] as const)(
  '%s words of weight %f in %i stars are unlikely: %s',
  (sentiment, weight, rating, is) => {
    expect(isFaintContradiction({ sentiment, weight, score: 0 }, rating)).toBe(is);
  },
);
