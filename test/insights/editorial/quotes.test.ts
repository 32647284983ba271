import { describe, expect, test } from 'vitest';
import { findQuotes, pullQuoteOf } from '../../../src/insights/editorial/quotes.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import type { IndexedMention } from '../../../src/insights/aggregate/mentions.ts';
import { entityOf } from '../../../src/insights/aggregate/tally.ts';
import type { ReviewInsights, Sentiment } from '../../../src/model/insights.ts';
import { NOTHING } from '../../support/by-hand.ts';
import { review, ulidOf } from '../../support/reviews.ts';

const quotes = (text: string) =>
  findQuotes(annotateText(text), []).map(({ start, end }) => text.slice(start, end));

const GOOD = 'They were wonderful and left the kitchen spotless.';

describe('a quotable sentence', () => {
  test('is complete, has an opinion, and is verbatim', () => {
    expect(quotes(`We called. ${GOOD} The end.`)).toEqual([GOOD]);
  });

  test.each([
    ['a question', 'Were they wonderful and was the kitchen spotless?'],
    ['without an end', 'They were wonderful and left the kitchen spotless'],
    ['without an opinion', 'They came on Tuesday and went on Wednesday at noon.'],
    ['begun in the middle', 'they were wonderful and left the kitchen spotless.'],
    ['too short', 'They were wonderful.'],
    ['too long', `They were wonderful ${'and kind '.repeat(30)}to us.`],
    ['with quotation marks', 'They were wonderful and said "spotless" of the kitchen.'],
    ['shouted', 'THEY WERE WONDERFUL AND LEFT THE KITCHEN SPOTLESS.'],
    ['with a bracket left open', 'They were wonderful (and left the kitchen spotless.'],
  ])('is not one %s', (_, text) => {
    expect(quotes(text)).toEqual([]);
  });
});

describe('the pull quote', () => {
  const insights = (sentiment: Sentiment): ReviewInsights => ({
    score: 0,
    sentiment,
    ...NOTHING,
  });
  const give = (number: number, text: string, sentiment: Sentiment, about: string[] = []) => {
    const rating = sentiment === 'negative' ? 1 : 5;
    const one = review({ id: ulidOf(number), text, rating });
    const aspects = about.map((id) => ({ id, start: 0, end: text.length }));
    return {
      review: one,
      analysis: { quotes: findQuotes(annotateText(text), aspects) },
      entry: [one.id, insights(sentiment)] as const,
    };
  };
  const aspect = (id: string, positive: number) => {
    const mention = { id, sentiment: 'positive' as const, phrase: 'x' };
    const indexed = {
      review: review({}),
      entry: insights('positive'),
      mention,
      phraseScore: 1,
      isForeign: false,
    };
    return {
      ...entityOf(
        id,
        id,
        Array.from({ length: positive }, (): IndexedMention => indexed),
      ),
      label: id,
    };
  };
  const pull = (all: ReturnType<typeof give>[], aspects: ReturnType<typeof aspect>[] = []) =>
    pullQuoteOf(all, new Map(all.map(({ entry }) => entry)), aspects);

  test('is null if no review has one', () => {
    expect(pull([])).toBeNull();
    expect(pull([give(1, 'Good.', 'positive')])).toBeNull();
  });

  test('is of the sentiment that most reviews have', () => {
    const bad = 'The kitchen was terrible and the bill was a disaster.';
    const reviews = [give(3, GOOD, 'positive'), give(2, bad, 'negative'), give(1, bad, 'negative')];
    expect(pull(reviews)?.quote).toBe(bad);
    expect(pull(reviews.slice(0, 1))).toEqual({ quote: GOOD, reviewId: ulidOf(3) });
  });

  test('is not the complaint of a review that praises', () => {
    const both = `The kitchen was terrible before, a disaster to see. ${GOOD}`;
    expect(pull([give(1, both, 'positive')])?.quote).toBe(GOOD);
    const only = 'The kitchen was terrible before, a disaster to see.';
    expect(pull([give(1, only, 'positive')])).toBeNull();
  });

  test('is about what most reviews speak about', () => {
    const other = 'They were wonderful and found the garage splendid.';
    const reviews = [
      give(2, GOOD, 'positive', ['cleanliness']),
      give(1, other, 'positive', ['garages']),
    ];
    expect(pull(reviews, [aspect('garages', 9), aspect('cleanliness', 1)])?.quote).toBe(other);
    expect(pull(reviews, [aspect('garages', 1), aspect('cleanliness', 9)])?.quote).toBe(GOOD);
  });
});
