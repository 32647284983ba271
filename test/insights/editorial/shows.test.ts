import { describe, expect, test } from 'vitest';
import asked from '../../../src/insights/editorial/asked.json' with { type: 'json' };
import questions from '../../../src/insights/editorial/questions.json' with { type: 'json' };
import { isTwoSided, showsAspect, showsProblem } from '../../../src/insights/editorial/shows.ts';
import words from '../../../src/insights/editorial/shows.json' with { type: 'json' };

describe('a phrase shows an aspect', () => {
  test.each([
    ['punctuality', 'positive', 'He came right when he said he would.', true],
    ['punctuality', 'positive', 'We are never on time ourselves.', false],
    ['punctuality', 'negative', 'Flight took off two hours late.', true],
    ['punctuality', 'negative', 'He was not late once.', false],
    ['food', 'positive', 'The food they brought us was delicious.', true],
    ['food', 'positive', 'We ate in the garden.', false],
    ['communication', 'negative', 'Nobody told us why.', true],
    ['communication', 'negative', 'The cabin looked so old and tired.', false],
    ['unknown', 'negative', 'Anything.', true],
    ['constructor', 'negative', 'Anything.', true],
  ] as const)('%s, %s: %s', (id, sentiment, phrase, expected) => {
    expect(showsAspect(id, sentiment, phrase)).toBe(expected);
  });
});

test.each([
  ['high-price', 'It is far too expensive for what it is.', true],
  ['mouldy-bread', 'The bread was mouldy.', true],
])('a phrase shows the problem %s: %s', (id, phrase, expected) => {
  expect(showsProblem(id, phrase)).toBe(expected);
});

test('a phrase with praise and blame is two-sided', () => {
  expect(isTwoSided('positive', 'Great food, terrible service.')).toBe(true);
  expect(isTwoSided('negative', 'The seat is thin and OK for an hour.')).toBe(true);
  expect(isTwoSided('negative', 'The service was not good.')).toBe(false);
});

test('every aspect has words that show it', () => {
  expect(Object.keys(words.aspects).toSorted()).toEqual(Object.keys(questions.aspects).toSorted());
});

test('the words of problems and questions refer to aspects that exist, and are patterns', () => {
  for (const pattern of Object.values(words.problems)) {
    const aspect = /^aspects\.(\w+)$/.exec(pattern)?.[1];
    if (aspect !== undefined) expect(Object.keys(words.aspects)).toContain(aspect);
  }
  const all = Object.values(asked.verticals).flat() as readonly Readonly<Record<string, unknown>>[];
  for (const { aspects, leads, good = '', bad = '' } of all) {
    expect(leads).toHaveLength(5);
    expect(Object.keys(questions.aspects)).toEqual(expect.arrayContaining(aspects as string[]));
    for (const pattern of [good, bad])
      expect(() => new RegExp(String(pattern), 'iu')).not.toThrow();
  }
});
