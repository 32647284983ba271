import { describe, expect, test } from 'vitest';
import { findPrices } from '../../../../src/insights/entities/prices/prices.ts';
import { annotateText } from '../../../support/annotate-text.ts';
import { growth, LINEAR } from '../../../support/growth.ts';

const prices = (text: string) =>
  findPrices(annotateText(text)).map(({ kind, sign, amount }) => `${kind} ${sign}${amount}`);

describe('a price', () => {
  test.each([
    ['The bill was $268.', ['paid $268']],
    ['I paid £1,279.43 in the end.', ['paid £1279.43']],
    ['Replaced the valve in an hour, $240.', ['paid $240']],
    ['He came within the hour. $395.', ['paid $395']],
    ["I felt the pipe so I'd believe him. $1,685, and worth it.", ['paid $1685']],
    ['It ran us about $150 an hour.', ['paid $150']],
    ['They charged me €90 to come look.', ['paid €90']],
    ['Quoted $650 and charged $1,120.', ['quoted $650', 'paid $1120']],
    ['She wrote a quote for $610, no pressure.', ['quoted $610']],
    ['It was $99 three years ago, now $179.', ['paid $179']],
    ['Leak fixed for $150, less than I was afraid of.', ['paid $150']],
    ['Tune-up, $139. He said get other quotes.', ['paid $139']],
    ['Quote said "up to $900", the bill said "$640".', ['quoted $900', 'paid $640']],
    ['Cost: $6,430 for all the plumbing labor.', ['paid $6430']],
    ['$475 labor to swap it. $98 toilet fix.', ['paid $475', 'paid $98']],
    ['We paid $200. Yes, $200.', ['paid $200']],
    ['It was quick. For $129? Maybe.', ['paid $129']],
    ['Billed TWICE for the same boiler cleaning, $189 x 2.', ['paid $189']],
  ])('in %j is %j', (text, expected) => {
    expect(prices(text)).toEqual(expected);
  });

  test.each([
    ['of another company', 'The other company charged $900. A second opinion said $400.'],
    ['that was only expected', 'I was braced for $500.'],
    ['that was offered', 'They offered $100 for the scratch.'],
    ['that is a difference', 'It was $300 less than the others.'],
    ['of a discount', 'We got $50 off with a coupon.'],
    ['that was not paid', 'I will not pay $300. I am refusing to pay $73.'],
    ['that was refunded', 'It took three calls to get the $89 reversed.'],
    ['among several', 'Three ways to do it: $185, $560, $900.'],
    ['among options', 'He gave me choices on paper. The leak only, $185.'],
    ['of a taxi', 'We had to pay $70 for a taxi home.'],
    ['in a question', 'Would you pay $300?'],
    ['under a condition', 'If it had cost $300 I would have laughed.'],
    ['that is too small or too large', 'It cost $1.10. It cost $9,999,999.'],
    ['without a currency', 'The bill was 268.'],
    ['in another notation', 'The bill was €1.200,50.'],
  ])('%s is left out', (_, text) => {
    expect(prices(text)).toEqual([]);
  });

  test('has its verbatim sentence', () => {
    const text = 'Nice. The bill was $268, fair enough. Thanks.';
    const [price] = findPrices(annotateText(text));
    expect(text.slice(price?.start, price?.end)).toBe('The bill was $268, fair enough.');
    expect(text.slice(price?.at)).toMatch(/^268/);
  });

  test('takes linear time to find', () => {
    const work = (text: string) => findPrices(annotateText(text));
    expect(growth(3_000, (count) => 'paid $20, '.repeat(count), work)).toBeLessThan(LINEAR);
  });
});
