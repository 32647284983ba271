import { expect, test } from 'vitest';
import { judgeAspects } from '../../../src/insights/aspects/judge.ts';
import { findAspects } from '../../../src/insights/learned/aspects.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOfBusiness } from '../../../src/insights/verticals/verticals.ts';

/** What a review of a business says of its aspects, by their ids. */
function aspectsOf(text: string, name = 'British Airways'): Record<string, string> {
  const vertical = verticalOfBusiness({ name, vertical: 'hospitality_and_travel' });
  return Object.fromEntries(
    judgeAspects(findAspects(annotateText(text), vertical, null, null), null).map(
      ({ aspect, sentiment }) => [aspect, sentiment],
    ),
  );
}

test.each([
  // Another firm, and what goes on about it.
  ['Ryanair has delicious food.', {}],
  ['I flew Emirates in May and their crew were friendly.', {}],
  ['I flew to Bangkok with Thai Airways whose crew were friendly.', {}],
  ['We flew to Qatar and the crew were friendly.', { staff: 'positive' }],
  ['Emirates was full, but the crew were rude.', { staff: 'negative' }],
  // A comparison is about the business.
  ['The crew were ruder than on Ryanair, a rude crew.', { staff: 'negative' }],
  ['BA crew were rude and Ryanair knows.', { staff: 'negative' }],
  // An airport is not the business; what is at an airport may be.
  ['Heathrow security was rude.', {}],
  ['The lounge at Heathrow was filthy.', { cleanliness: 'negative', facilities: 'negative' }],
  // Other customers.
  ['The man in front was rude.', {}],
  ['Fellow passengers were friendly.', {}],
  ['The man at the desk was rude.', { staff: 'negative' }],
])('of %j are %j', (text, aspects) => {
  expect(aspectsOf(text)).toEqual(aspects);
});

test('the firm is not another one in reviews of itself', () => {
  expect(aspectsOf('A meal on Ryanair is delicious food.', 'Aurora')).toEqual({});
  expect(aspectsOf('Emirates has delicious food.', 'Emirates')).toEqual({ food: 'positive' });
});
