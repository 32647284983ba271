// Invariants of the insights of any reviews, and generators of reviews with something to find.

import fc from 'fast-check';
import { expect } from 'vitest';
import { type Insights, insightsSchema } from '../../src/model/insights.ts';
import type { Review } from '../../src/model/review.ts';
import { anyReview, anyText } from './reviews.ts';

const ENTITIES = ['technicians', 'services', 'problems', 'service_areas'] as const;

interface Counted {
  readonly id: string;
  readonly mention_count: number;
  readonly top_phrases: readonly string[];
  readonly quotes: Insights['aspects'][number]['quotes'];
  readonly example_review_ids: readonly string[];
}

/** Expects counts to be sums of the entries of reviews, and every phrase and quote to be in its review. */
export function expectGrounded(reviews: readonly Review[], insights: Insights): void {
  expect(insightsSchema.parse(insights)).toEqual(insights);
  const textOf = new Map(reviews.map(({ id, text }) => [id, text ?? '']));
  expect(Object.keys(insights.per_review).toSorted()).toEqual([...textOf.keys()].toSorted());
  expectMentions(insights, 'aspects', insights.aspects, textOf);
  for (const list of ENTITIES) expectMentions(insights, list, insights.entities[list], textOf);
  expectTopics(insights);
  expectFigures(reviews, insights);
  expectEditorial(insights, textOf);
}

function expectMentions(
  insights: Insights,
  list: (typeof ENTITIES)[number] | 'aspects',
  tallied: readonly Counted[],
  textOf: ReadonlyMap<string, string>,
): void {
  const entries = Object.entries(insights.per_review).flatMap(([id, one]) =>
    one[list].map((mention) => ({ ...mention, reviewId: id })),
  );
  for (const { phrase, reviewId } of entries) {
    expect(phrase).not.toBe('');
    expect(textOf.get(reviewId)).toContain(phrase);
  }
  expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(tallied.map(({ id }) => id)));
  for (const one of tallied) {
    const own = entries.filter(({ id }) => id === one.id);
    const count = (sentiment: string) =>
      own.filter((entry) => entry.sentiment === sentiment).length;
    expect(one).toMatchObject({
      mention_count: own.length,
      positive_count: count('positive'),
      neutral_count: count('neutral'),
      negative_count: count('negative'),
    });
    // One entry per entity and review.
    expect(new Set(own.map(({ reviewId }) => reviewId)).size).toBe(own.length);
    const phrases = new Set(own.map(({ phrase }) => phrase));
    expect(one.top_phrases.every((phrase) => phrases.has(phrase))).toBe(true);
    const examples = one.example_review_ids.map((id) => textOf.get(id) ?? '');
    for (const phrase of one.top_phrases) {
      expect(examples.some((text) => text.includes(phrase))).toBe(true);
    }
    for (const { review_id: id, sentiment, text } of one.quotes) {
      expect(own).toContainEqual(
        expect.objectContaining({ reviewId: id, sentiment, phrase: text }),
      );
    }
    const ids = new Set(own.map(({ reviewId }) => reviewId));
    expect(one.example_review_ids.every((id) => ids.has(id))).toBe(true);
  }
}

function expectTopics({ topics, per_review: perReview }: Insights): void {
  const having = (topic: string) =>
    Object.keys(perReview).filter((id) => perReview[id]?.topics.includes(topic));
  expect(new Set(Object.values(perReview).flatMap((one) => one.topics))).toEqual(
    new Set(topics.map(({ id }) => id)),
  );
  for (const { id, mention_count: count, quotes, example_review_ids: examples } of topics) {
    expect(having(id)).toHaveLength(count);
    for (const quote of quotes) {
      const { aspects = [] } = perReview[quote.review_id] ?? {};
      expect(having(id)).toContain(quote.review_id);
      expect(aspects.map(({ phrase }) => phrase)).toContain(quote.text);
    }
    expect(having(id)).toEqual(expect.arrayContaining(examples));
  }
}

function expectFigures(reviews: readonly Review[], insights: Insights): void {
  const { positive_pct, neutral_pct, negative_pct } = insights.overall_sentiment;
  const parts = [positive_pct, neutral_pct, negative_pct].map((part) =>
    Math.round((part ?? 0) * 10),
  );
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(reviews.length === 0 ? 0 : 1000);
  const months = insights.temporal.monthly;
  expect(months.reduce((sum, month) => sum + month.review_count, 0)).toBe(reviews.length);
  expect(months.map(({ month }) => month)).toEqual(months.map(({ month }) => month).toSorted());
}

const QUOTED = /\u201c([^\u201d]*)\u201d/gu;

function expectEditorial(insights: Insights, textOf: ReadonlyMap<string, string>): void {
  for (const { answer, review_ids: ids } of insights.faq) {
    expect(ids).not.toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => textOf.has(id))).toBe(true);
    for (const [, quote = ''] of answer.matchAll(QUOTED)) {
      expect(ids.some((id) => textOf.get(id)?.includes(quote))).toBe(true);
    }
  }
  for (const [, quote = ''] of insights.summary.matchAll(QUOTED)) {
    expect([...textOf.values()].some((text) => text.includes(quote))).toBe(true);
  }
  const { pull_quote: quote, pull_quote_review_id: id } = insights;
  expect(quote === null).toBe(id === null);
  if (id !== null) expect(textOf.get(id)).toContain(quote);
}

const SENTENCES = [
  'Mike was wonderful and on time.',
  'Thanks to Rosa, all works again.',
  'Rosa has the key.',
  'Theo Grant fixed the boiler in Bath.',
  'Theo',
  'My husband Theo was glad.',
  'He was two hours late.',
  'The price was fair but the office was rude.',
  'Confusing signage.',
  'The signage was confusing.',
  'Our heat pump hums.',
  'A heat pump like no other.',
  'The drain still leaks and nobody called back.',
  'They left the kitchen spotless, it was a great job.',
  'Would not call them again.',
  'What a terrible mess they left behind in the hall.',
];

/** Texts that name people, complain, praise and repeat each other. */
export const anyTellingReview: fc.Arbitrary<Review> = fc
  .tuple(
    anyReview,
    fc.option(
      fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...SENTENCES) }, anyText), {
        minLength: 1,
        maxLength: 5,
      }),
      { freq: 8 },
    ),
  )
  .map(([review, sentences]) => ({ ...review, text: sentences?.join(' ') ?? null }));

/** Reviews with such texts and different ids. */
export function anyTellingReviews(maxLength = 40): fc.Arbitrary<Review[]> {
  return fc.uniqueArray(anyTellingReview, { maxLength, selector: ({ id }) => id });
}
