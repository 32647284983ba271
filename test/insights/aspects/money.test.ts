import { describe, expect, test } from 'vitest';
import { judgesPrice, readPrice } from '../../../src/insights/aspects/money.ts';
import { findProblems } from '../../../src/insights/entities/problems/problems.ts';
import { findAspects } from '../../../src/insights/learned/aspects.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const airline = verticalOf('hospitality_and_travel');

function pricingOf(text: string, rating: number, vertical = airline): (number | string)[] {
  return findAspects(annotateText(text), vertical, null, rating)
    .filter(({ aspect }) => aspect === 'pricing')
    .map(({ score }) => (score < 0 ? 'negative' : score > 0 ? 'positive' : 'neutral'));
}

describe('a complaint about the price', () => {
  test.each([
    'It is disgraceful that a full fare passenger is treated like this.',
    'It is terrible that they did not refund the fare.',
    'We paid £56 each to select our seats.',
    'The cab fare was horribly expensive.',
    'We had to buy a much more expensive ticket with another airline.',
  ])('is not %j', (text) => {
    expect(pricingOf(text, 1)).not.toContain('negative');
  });

  test.each([
    'The fares are ridiculous.',
    'It is expensive.',
    'They are more expensive than other airlines.',
    'The price was extortionate.',
  ])('is %j', (text) => {
    expect(pricingOf(text, 1)).toContain('negative');
  });

  test('is not "not cheap" in a good review', () => {
    const home = verticalOf('home_services');
    const text = 'Not cheap but they came at night.';
    expect(pricingOf(text, 5, home)).toEqual(['neutral']);
    expect(pricingOf(text, 2, home)).toEqual(['negative']);
    const problems = (rating: number) =>
      findProblems(annotateText(text), rating, {
        vertical: 'home_services',
        aspects: [],
        hits: [],
      });
    expect(problems(4)).toEqual([]);
    expect(problems(2)).toMatchObject([{ key: 'high-price' }]);
  });

  test('of another aspect stays as it is', () => {
    const hit = { aspect: 'staff', from: 0, to: 1, score: -0.5 };
    expect(readPrice(annotateText('Staff were rude.'), hit, 1)).toBe(hit);
  });
});

test.each([
  ['The product is not worth the name.', false],
  ['It is not worth the risk.', false],
  ['It is not worth the money.', true],
  ['Not worth £500.', true],
  ['Double the price of others.', true],
])('%j judges a price: %j', (text, expected) => {
  expect(judgesPrice(annotateText(text), 0)).toBe(expected);
});

test.each([
  'They billed the wrong plan, and it bounced.',
  'Price went up again, $139 three years ago and now $179.',
  'There was a site fee ($75, credited later).',
])('%j is no surprise fee', (text) => {
  const found = findProblems(annotateText(text), 2, {
    vertical: 'home_services',
    aspects: [],
    hits: [],
  });
  expect(found.map(({ key }) => key)).not.toContain('surprise-fee');
});
