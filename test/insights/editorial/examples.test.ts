// The prose of whole businesses: what holds of every sentence, whatever the reviews say.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { inQuotes } from '../../../src/insights/editorial/prose.ts';
import { buildAnalyser } from '../../../src/insights/analyse.ts';
import { deriveFromAnalyses } from '../../../src/insights/derive.ts';
import { businessSchema } from '../../../src/model/business.ts';
import type { Insights } from '../../../src/model/insights.ts';
import { DEFAULT_PEOPLE } from '../../../src/model/people.ts';
import type { Review } from '../../../src/model/review.ts';
import { review, ulidOf } from '../../support/reviews.ts';

const FOLDER = new URL('../../../examples/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

function load(prefix: string) {
  const file = JSON.parse(read(`${prefix}business.json`)) as Record<string, unknown>;
  delete file['$schema'];
  const business = businessSchema.parse(file);
  const rows = read(`${prefix}reviews.ndjson`).trim().split('\n');
  const reviews = rows.map((row, at) => {
    const { author, rating, date, text } = JSON.parse(row) as Review;
    return review({ id: ulidOf(at + 1), author, rating, date, text });
  });
  const analyse = buildAnalyser(business);
  const analysed = reviews.map((one) => ({ review: one, analysis: analyse(one) }));
  const insights = deriveFromAnalyses(analysed, business, DEFAULT_PEOPLE);
  return { business, reviews, analysed, insights };
}

const withoutQuotes = (text: string) => text.replaceAll(/“[^”]*”/g, '');

describe.each(['', 'clinic.', 'restaurant.'])('the prose of examples/%sbusiness.json', (prefix) => {
  let made: ReturnType<typeof load>;
  let insights: Insights;
  beforeAll(() => {
    made = load(prefix);
    ({ insights } = made);
  });

  const textOf = (id: string) => made.reviews.find((one) => one.id === id)?.text ?? '';

  test('does not depend on the order of the reviews', () => {
    const { analysed, business } = made;
    const again = deriveFromAnalyses(analysed.toReversed(), business, DEFAULT_PEOPLE);
    expect([again.summary, again.faq]).toEqual([insights.summary, insights.faq]);
  });

  test('has reviews behind every sentence, and every quote is from the first of them', () => {
    for (const { text, review_ids: ids } of insights.summary_sentences) {
      expect([text, ids.length > 0]).toEqual([text, true]);
      for (const [, quote = ''] of text.matchAll(/“([^”]*)”/g))
        expect(inQuotes(textOf(ids[0]!))).toContain(quote);
    }
    for (const { answer, review_ids: ids } of insights.faq) {
      for (const [, quote = ''] of answer.matchAll(/“([^”]*)”/g))
        expect(ids.some((id) => inQuotes(textOf(id)).includes(quote))).toBe(true);
    }
  });

  test('has no statistics, no long lists, and no sentence that begins like the one before', () => {
    const [, ...sentences] = insights.summary_sentences.map(({ text }) => withoutQuotes(text));
    for (const sentence of sentences) {
      expect(sentence).not.toMatch(/\bof the \d|%|\(\d/);
      expect(sentence).not.toMatch(/(?:, [^,]+){3,} (?:and|or) /);
    }
    const beginnings = sentences.map((sentence) => sentence.split(' ').slice(0, 2).join(' '));
    expect(beginnings.filter((one, at) => one === beginnings[at - 1])).toEqual([]);
  });

  test('agrees with itself on aspects and people', () => {
    const strengths = insights.summary.split('\n\n')[1] ?? '';
    const praised = insights.aspects.filter((one) => one.positive_count > 2 * one.negative_count);
    expect(praised.length).toBeGreaterThan(0);
    expect(strengths).not.toMatch(/often (?:late|slow|not)/);
    const [, people = ''] = /Ask for ([^.]*(?:Dr\.[^.]*)?)\./.exec(insights.summary) ?? [];
    const asked = insights.faq.find(({ question }) => question === 'Who should I ask for?');
    for (const { name, score } of insights.entities.technicians) {
      if (!people.includes(name)) continue;
      expect(score).toBeGreaterThan(0);
      expect(asked?.answer).toContain(name);
    }
  });
});
