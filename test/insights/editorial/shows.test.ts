import { expect, test } from 'vitest';
import asked from '../../../src/insights/editorial/asked.json' with { type: 'json' };
import questions from '../../../src/insights/editorial/questions.json' with { type: 'json' };
import type { ReviewInsights } from '../../../src/model/insights.ts';
import { isTwoSided, shows } from '../../../src/insights/editorial/shows.ts';

test('a phrase with praise and blame is two-sided', () => {
  expect(isTwoSided('positive', 'Great food, terrible service.')).toBe(true);
  expect(isTwoSided('negative', 'The seat is thin and OK for an hour.')).toBe(true);
  expect(isTwoSided('negative', 'The service was not good.')).toBe(false);
  expect(isTwoSided('positive', 'Would be nice to have a pool and a sauna.')).toBe(true);
  expect(isTwoSided('positive', 'It would have been perfect with a lift.')).toBe(true);
  expect(isTwoSided('positive', 'We would come again, the pool is nice.')).toBe(false);
});

test('a phrase shows what is said of a service only if it praises or blames something itself', () => {
  const none = {
    score: 0,
    sentiment: 'negative',
    technicians: [],
    services: [],
    problems: [],
    service_areas: [],
    topics: [],
    aspects: [],
  } as const;
  const about = (phrase: string, own: Partial<ReviewInsights> = {}, isForeign = false) => ({
    entry: { ...none, ...own } as ReviewInsights,
    mention: { id: 'haircut', sentiment: 'negative' as const, phrase },
    phraseScore: 1,
    aspectScores: [],
    isForeign,
  });
  const shown = (...given: Parameters<typeof about>) =>
    shows('services', about(...given), 'negative', true);
  expect(shown('I came here for my haircut for a year.')).toBe(false);
  expect(shown('The worst haircut I ever had.')).toBe(true);
  const drove = 'Wir sind für das Fondue extra hergefahren.';
  expect(shown(drove, {}, true)).toBe(false);
  const aspects = [{ id: 'food', sentiment: 'negative' as const, phrase: 'Fades Fondue.' }];
  expect(shown('Fades Fondue.', { aspects }, true)).toBe(true);
});

test('the questions refer to aspects that exist, and their words are patterns', () => {
  const all = Object.values(asked.verticals).flat() as readonly Readonly<Record<string, unknown>>[];
  for (const { aspects, leads, words = '' } of all) {
    expect(leads).toHaveLength(5);
    expect(Object.keys(questions.aspects)).toEqual(expect.arrayContaining(aspects as string[]));
    expect(() => new RegExp(String(words), 'iu')).not.toThrow();
  }
});
