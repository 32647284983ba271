import { expect, test } from 'vitest';
import { tallyPrices } from '../../../src/insights/aggregate/prices.ts';
import { answerPrices } from '../../../src/insights/editorial/prices.ts';
import type { PriceMention } from '../../../src/insights/entities/prices/prices.ts';
import { review, ulidOf } from '../../support/reviews.ts';
import { findingsOf } from '../editorial/findings.ts';

const TEXT = 'The boiler was serviced for $100. Later a tap, $100.';
const AT = TEXT.indexOf('100');

const priced = (amount: number, more: Partial<PriceMention> = {}) => ({
  review: review({ id: ulidOf(amount), text: TEXT, date: '2024-05-17' }),
  analysis: {
    prices: [{ kind: 'paid', amount, sign: '$', at: AT, start: 0, end: 33, ...more } as const],
    services: [{ id: 'boiler', sentiment: 'neutral', start: 0, end: 33 } as const],
  },
});
const SERVICES = [{ id: 'boiler' }, { id: 'tap' }];

test('prices have their service, currency, date and phrase', () => {
  expect(tallyPrices([priced(100)], 'US', SERVICES)).toEqual({
    mentions: [
      {
        kind: 'paid',
        amount: 100,
        currency: 'USD',
        service: 'boiler',
        date: '2024-05-17',
        review_id: ulidOf(100),
        phrase: 'The boiler was serviced for $100.',
      },
    ],
    medians: [],
  });
});

test.each([
  ['$', null, 'USD'],
  ['$', 'CA', 'CAD'],
  ['£', 'US', 'GBP'],
  ['€', null, 'EUR'],
] as const)('%s in %s is %s', (sign, country, currency) => {
  const { mentions } = tallyPrices([priced(100, { sign })], country, SERVICES);
  expect(mentions).toMatchObject([{ currency }]);
});

test('a price far from the services of a long review is of the only one, if it was paid', () => {
  const [one] = [priced(100, { at: TEXT.lastIndexOf('100') })];
  const long = { ...one, review: { ...one.review, text: TEXT.padEnd(400, ' again') } };
  expect(tallyPrices([one], 'US', SERVICES).mentions).toMatchObject([{ service: 'boiler' }]);
  expect(tallyPrices([long], 'US', SERVICES).mentions).toMatchObject([{ service: 'boiler' }]);
  const prices = long.analysis.prices.map((price) => ({ ...price, kind: 'quoted' as const }));
  const quoted = { ...long, analysis: { ...long.analysis, prices } };
  expect(tallyPrices([quoted], 'US', SERVICES).mentions).toMatchObject([{ service: null }]);
});

test('medians are of at least five paid amounts, of each currency', () => {
  const paid = [400, 100, 300, 200].map((amount) => priced(amount));
  const others = [priced(900, { kind: 'quoted' }), priced(50, { sign: '£' })];
  expect(tallyPrices([...paid, ...others], 'US', SERVICES).medians).toEqual([]);
  const six = [...paid, priced(500), priced(1_000)];
  const ids = [400, 100, 300, 200, 500, 1_000].map((amount) => ulidOf(amount));
  const figures = { currency: 'USD', count: 6, lowest: 100, median: 350, highest: 1_000 };
  expect(tallyPrices([...six, ...others], 'US', SERVICES).medians).toEqual([
    { service: null, ...figures, example_review_ids: ids },
    { service: 'boiler', ...figures, example_review_ids: ids },
  ]);
});

test('the answer names the range and the median of services', () => {
  const amounts = [100, 200, 300.5, 400, 1_500];
  const prices = tallyPrices(
    amounts.map((amount) => priced(amount)),
    'US',
    SERVICES,
  );
  const findings = { ...findingsOf([{ mentions: [['services', 'boiler', 'neutral']] }]), prices };
  expect(answerPrices(findings)).toEqual({
    question: 'What does a call cost?',
    answer: 'For boiler customers paid $100 to $1,500, half of them $300.50 or less.',
    review_ids: amounts.map((amount) => ulidOf(amount)),
    review_count: 5,
  });
  // Amounts for different things together tell nothing.
  const medians = prices.medians.filter(({ service }) => service === null);
  expect(answerPrices({ ...findings, prices: { ...prices, medians } })).toBeNull();
});

test.each([
  ['Fixed the boiler for $100.', 'boiler'],
  ['Paid $100 for the plan for the boiler.', null],
  ['$100 for the boiler tune-up.', null],
])('%j is the price of %s', (text, service) => {
  const [one] = [priced(100)];
  const found = { kind: 'paid', amount: 100, sign: '$', at: text.indexOf('100') } as const;
  const span = { start: 0, end: text.length };
  const analysis = {
    prices: [{ ...found, ...span }],
    services: [{ id: 'boiler', sentiment: 'neutral', ...span } as const],
  };
  const { mentions } = tallyPrices([{ review: { ...one.review, text }, analysis }], 'US', [
    { id: 'boiler', name: 'Boiler repair' },
  ]);
  expect(mentions).toMatchObject([{ service }]);
});
