import { describe, expect, test } from 'vitest';
import { findCueHits } from '../../../src/insights/aspects/cues.ts';
import { findProblems } from '../../../src/insights/entities/problems/problems.ts';
import { isNegated } from '../../../src/insights/sentiment/negation.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

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

const NO_ASPECTS = { vertical: 'restaurants', aspects: [], hits: [] };

test('opinions, cues and problems have the same scope of a negation', () => {
  const signs = (text: string) => {
    const annotated = annotateText(text);
    return {
      opinion: annotated.opinions.map(({ value }) => Math.sign(value)),
      cue: findCueHits(annotated, verticalOf('restaurants')).map(({ score }) => Math.sign(score)),
      problem: findProblems(annotated, 1, NO_ASPECTS).map(({ key }) => key),
    };
  };
  expect(signs('Filthy bathroom.').problem).toEqual(['dirty-premises']);
  expect(signs('No filthy bathroom.').problem).toEqual([]);
  expect(signs('No towels, filthy bathroom.').problem).toEqual(['dirty-premises']);
  expect(signs('Not only a filthy bathroom.').problem).toEqual(['dirty-premises']);
  expect(signs('No, overpriced.')).toMatchObject({ opinion: [-1], cue: [-1] });
  expect(signs('Not overpriced.')).toMatchObject({ opinion: [1], cue: [1] });
});
