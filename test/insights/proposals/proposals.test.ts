// What a language model is asked, and what of its answer counts.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildAnalyser } from '../../../src/insights/analyse.ts';
import type { Proposal } from '../../../src/insights/claims/claims.ts';
import { AnswerError, parseClaims, readAnswer } from '../../../src/insights/proposals/answer.ts';
import { proposalKeyOf, writeMessages } from '../../../src/insights/proposals/prompt.ts';
import type { Review } from '../../../src/model/review.ts';
import { BUSINESS, review } from '../../support/reviews.ts';

const VERTICAL = 'home_services';
const TEXT = 'The invoice came to 480 although the quote had said 300. The cat liked him.';
const BILL = 'The invoice came to 480 although the quote had said 300.';
const analyse = buildAnalyser({ ...BUSINESS, vertical: VERTICAL });

const answer = (claims: readonly unknown[], number = 1) =>
  JSON.stringify({ reviews: [{ review: number, claims }] });
const read = (content: string, reviews: readonly Review[] = [review({ text: TEXT })]) =>
  Object.fromEntries(readAnswer(content, VERTICAL, reviews));
const claim = (values: object = {}) => ({
  aspect: 'transparency',
  sentiment: 'negative',
  quote: BILL,
  ...values,
});

test('the prompt has the aspects of the vertical, the stars and the texts, and no author, date or reply', () => {
  const asked = review({ rating: 2, text: `${TEXT}\n"}]` });
  const messages = writeMessages(VERTICAL, [asked, review({ text: 'x'.repeat(5_000) })]);
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(messages[0]?.content).toContain('\npunctuality: ');
  expect(JSON.parse(messages[1]?.content ?? '')).toEqual([
    { review: 1, stars: 2, text: asked.text },
    { review: 2, stars: 5, text: 'x'.repeat(4_000) },
  ]);
  expect(JSON.stringify(messages)).not.toContain(asked.author);
  expect(JSON.stringify(messages)).not.toContain(asked.date);
});

test('a key changes with what is asked, and with nothing else', () => {
  const one = review({ text: TEXT });
  const keyOf = (values: Partial<Review>, vertical = VERTICAL) =>
    proposalKeyOf(vertical, { ...one, ...values });
  expect(keyOf({ author: 'Someone', date: '2020-01-01' })).toBe(keyOf({}));
  const keys = [keyOf({}), keyOf({ rating: 1 }), keyOf({ text: 'x' }), keyOf({}, 'restaurants')];
  expect(new Set(keys).size).toBe(4);
});

describe('an answer', () => {
  test('is read as claims with places in the text', () => {
    const claims = read(answer([claim()]));
    expect(claims).toEqual({
      0: [{ aspect: 'transparency', sentiment: 'negative', start: 0, end: BILL.length }],
    });
    expect(parseClaims(JSON.stringify(claims[0]))).toEqual(claims[0]);
  });

  test.each([
    ['in a code block', `Here you are:\n\`\`\`json\n${answer([claim()])}\n\`\`\`\nAnything else?`],
    ['with more keys', answer([claim({ confidence: 0.9 })])],
    ['beside claims that are not', answer([null, 7, {}, claim({ quote: 5 }), claim()])],
    ['given twice', answer([claim(), claim({ sentiment: 'positive' })])],
  ])('counts %s', (_, content) => {
    expect(read(content)[0]).toHaveLength(1);
  });

  test.each([
    ['of an unknown aspect', { aspect: 'smell' }],
    ['of an inherited name', { aspect: '__proto__' }],
    ['of an unknown sentiment', { sentiment: 'mixed' }],
    ['with a quote that is not in the text', { quote: 'The invoice came to 500' }],
    ['with a quote in other letters', { quote: BILL.toUpperCase() }],
    ['with too short a quote', { quote: 'The' }],
    ['with an empty quote', { quote: '  ' }],
  ])('leaves out a claim %s', (_, values) => {
    expect(read(answer([claim(values)]))).toEqual({ 0: [] });
  });

  test.each([
    ['dissatisfied with the bill', 'satisfied with the bill', 'dissatisfied with the bill'],
    ['the bill was unfair, they say', 'bill was unfai', 'bill was unfair'],
    ['it was 1480 dollars', '480 doll', '1480 dollars'],
    ['so \u{1F600} fair', '\uDE00 fair', '\u{1F600} fair'],
    ['fair \u{1F600} so', 'fair \uD83D', 'fair \u{1F600}'],
    ['re\u0301sume\u0301 of costs', 'sume', 're\u0301sume\u0301'],
    [
      '\u65E5\u672C\u8A9E\u306E\u8ACB\u6C42',
      '\u672C\u8A9E\u306E\u8ACB',
      '\u672C\u8A9E\u306E\u8ACB',
    ],
  ])('about %j has the quote %j as the whole words %j', (text, quote, whole) => {
    const [found] = read(answer([claim({ quote })]), [review({ text })])[0] ?? [];
    expect(text.slice(found?.start, found?.end)).toBe(whole);
  });

  test('does not turn a complaint into praise by a part of a word', () => {
    const one = review({ rating: 4, text: 'I was dissatisfied with how they did the invoice.' });
    const praise = claim({ sentiment: 'positive', quote: 'satisfied with how they did' });
    const claims = readAnswer(answer([praise]), VERTICAL, [one]).get(0) ?? [];
    expect(claims).toHaveLength(1);
    const [found] = claims;
    expect(one.text?.slice(found?.start, found?.end)).toBe('dissatisfied with how they did');
  });

  test('is read in no time if its review is one endless word', () => {
    const text = 'x'.repeat(1_000_000);
    expect(read(answer([claim({ quote: 'xxxxx' })]), [review({ text })])).toEqual({ 0: [] });
  });

  test('leaves out quotes that are too long to show, reviews that were not asked, and repeated ones', () => {
    const long = 'The bill is wrong. '.repeat(20);
    expect(read(answer([claim({ quote: long })]), [review({ text: long })])).toEqual({ 0: [] });
    expect(read(answer([claim()], 2))).toEqual({});
    expect(read(answer([claim()], 0))).toEqual({});
    const twice = {
      reviews: [
        { review: 1, claims: [] },
        { review: 1, claims: [claim()] },
      ],
    };
    expect(read(JSON.stringify(twice))).toEqual({ 0: [] });
  });

  test.each([
    ['no JSON', 'I cannot help with that.'],
    ['JSON that ends too soon', answer([claim()]).slice(0, -3)],
    ['nothing', ''],
    ['another form', '{"claims":[]}'],
    ['a list', '[1]'],
  ])('that is %s cannot be used', (_, content) => {
    expect(() => read(content)).toThrow(AnswerError);
  });

  test('whatever it is, claims have an aspect of the vertical and a quote of the text', () => {
    const any = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .array(
          fc.record({
            aspect: fc.constantFrom('pricing', 'transparency', 'toString', 'x'),
            sentiment: fc.constantFrom('positive', 'negative', 'mixed'),
            quote: fc.oneof(fc.string(), fc.constantFrom('invoice', 'cat liked', TEXT)),
          }),
        )
        .map((claims) => answer(claims)),
    );
    fc.assert(
      fc.property(any, (content) => {
        try {
          for (const { aspect, start, end } of read(content)[0] ?? []) {
            expect(['pricing', 'transparency']).toContain(aspect);
            expect(end - start).toBeGreaterThanOrEqual(4);
            expect(end).toBeLessThanOrEqual(TEXT.length);
          }
        } catch (error) {
          if (!(error instanceof AnswerError)) throw error;
        }
      }),
    );
  });
});

describe('a claim', () => {
  const aspectsOf = (values: Partial<Review>, ...claims: readonly Partial<Proposal>[]) => {
    const one = review({ text: TEXT, ...values });
    const whole = { aspect: 'transparency', start: 0, end: one.text?.length ?? 0 };
    return analyse(
      one,
      claims.map((each) => ({ ...whole, sentiment: 'negative' as const, ...each })),
    ).aspects;
  };
  const FACT = 'The invoice had a picture of a boat on it, and the second page was blue.';

  test('that the sentence model is not sure of counts by what a language model says, with its quote', () => {
    expect(aspectsOf({ text: FACT, rating: 2 })).toEqual([]);
    expect(aspectsOf({ text: FACT, rating: 2 }, {})).toEqual([
      expect.objectContaining({ id: 'transparency', sentiment: 'negative', phraseScore: 0.5 }),
    ]);
  });

  test('is less sure where a language model read the review and does not make it', () => {
    const text = 'The price was fair. They left a terrible mess.';
    const analysed = (proposals?: readonly Proposal[]) =>
      analyse(review({ rating: 2, text }), proposals).aspects.find(({ id }) => id === 'pricing');
    const sure = analysed()?.confidence ?? 0;
    expect(sure).toBeGreaterThan(0.6);
    expect(analysed([])?.confidence ?? 0).toBeLessThan(sure);
    const said = { aspect: 'pricing', sentiment: 'positive', start: 0, end: 19 } as const;
    expect(analysed([said])?.confidence).toBeGreaterThanOrEqual(sure);
  });

  test('may quote marks behind the last word of a long sentence', () => {
    const text = `${'We waited and waited for the price of it '.repeat(8)}!!!!!!`;
    const [one] = aspectsOf({ text, rating: 1 }, { start: text.length - 6 });
    expect(one?.end).toBeLessThanOrEqual(text.length);
  });

  test('does not count against the stars of a review that says nothing of the kind', () => {
    const text = 'The dog slept on the second step, and the sky was blue.';
    expect(aspectsOf({ text, rating: 5 }, { sentiment: 'negative' })).toEqual([]);
  });

  test('in another language counts if the stars agree', () => {
    const text = 'Il conto alla fine era quasi il doppio del preventivo che ci avevano dato prima.';
    expect(aspectsOf({ text, rating: 1 }, {})).toHaveLength(1);
    expect(aspectsOf({ text, rating: 5 }, {})).toEqual([]);
    expect(aspectsOf({ text, rating: 3 }, { sentiment: 'neutral' })).toEqual([]);
  });
});
