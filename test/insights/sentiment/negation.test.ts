import { describe, expect, test } from 'vitest';
import { isNegated } from '../../../src/insights/sentiment/negation.ts';
import { annotateText } from '../../support/annotate-text.ts';

/** Whether the last word of a clause is negated. */
const isLastNegated = (text: string, sign: number) => {
  const { tokens, keys } = annotateText(text);
  return isNegated(tokens, keys, keys.words.length - 1, 0, sign);
};

describe('a negation', () => {
  test.each([
    ['directly before', 'not good', 1],
    ['three words before', 'not a very good', 1],
    ['four words before, an article not counted', 'not quite what a good', 1],
    ['within a contraction', "didn't help", 1],
    ['with "even" before praise', 'not even good', 1],
    ['as "used to" before praise', 'used to be good', 1],
    ['before an attempt', 'no attempt was made to be good', 1],
  ])('%s applies: %s', (_, text, sign) => {
    expect(isLastNegated(text, sign)).toBe(true);
  });

  test.each([
    ['five words before', 'not what a careful reader would call good', 1],
    ['before a comma', 'no, good', 1],
    ['before an "and" that takes it too far', 'not quick and certainly good', 1],
    ['with "only"', 'not only good', 1],
    ['with "just"', 'not just good', 1],
    ['with "even" before a complaint', 'not even bad', -1],
    ['of a superlative', 'could not have been more good', 1],
    ['as "used to" before a complaint', 'used to be bad', -1],
    ['that praise before a complaint takes for itself', 'not worth the bad', -1],
    ['that a complaint before praise takes for itself', 'no problem being good', 1],
  ])('%s does not apply: %s', (_, text, sign) => {
    expect(isLastNegated(text, sign)).toBe(false);
  });
});
