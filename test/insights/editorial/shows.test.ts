import { expect, test } from 'vitest';
import asked from '../../../src/insights/editorial/asked.json' with { type: 'json' };
import questions from '../../../src/insights/editorial/questions.json' with { type: 'json' };
import { isTwoSided } from '../../../src/insights/editorial/shows.ts';

test('a phrase with praise and blame is two-sided', () => {
  expect(isTwoSided('positive', 'Great food, terrible service.')).toBe(true);
  expect(isTwoSided('negative', 'The seat is thin and OK for an hour.')).toBe(true);
  expect(isTwoSided('negative', 'The service was not good.')).toBe(false);
  expect(isTwoSided('positive', 'Would be nice to have a pool and a sauna.')).toBe(true);
  expect(isTwoSided('positive', 'It would have been perfect with a lift.')).toBe(true);
  expect(isTwoSided('positive', 'We would come again, the pool is nice.')).toBe(false);
});

test('the questions refer to aspects that exist, and their words are patterns', () => {
  const all = Object.values(asked.verticals).flat() as readonly Readonly<Record<string, unknown>>[];
  for (const { aspects, leads, words = '' } of all) {
    expect(leads).toHaveLength(5);
    expect(Object.keys(questions.aspects)).toEqual(expect.arrayContaining(aspects as string[]));
    expect(() => new RegExp(String(words), 'iu')).not.toThrow();
  }
});
