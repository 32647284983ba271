// Differences beyond chance: one test, and many together.

import { describe, expect, test } from 'vitest';
import { fisherExact, holdTogether } from '../../src/model/significance.ts';
import { findingsOf, type IndexedMention } from '../insights/editorial/findings.ts';
import { randomFrom } from '../support/random.ts';

type Named = NonNullable<IndexedMention['mentions']>[number];

describe("Fisher's exact test", () => {
  test.each([
    // The lady who tastes tea.
    [3, 4, 1, 4, 0.4857],
    [1, 10, 11, 14, 0.0028],
    [0, 20, 0, 30, 1],
    [10, 10, 0, 10, 0.0000108],
  ])('%i of %i against %i of %i', (part, total, otherPart, otherTotal, p) => {
    const found = fisherExact({ part, total }, { part: otherPart, total: otherTotal });
    expect(found).toBeCloseTo(p, 4);
    expect(fisherExact({ part: otherPart, total: otherTotal }, { part, total })).toBeCloseTo(p, 4);
  });
});

test("Holm's method keeps tests until the first that fails", () => {
  const tests = (...ps: number[]) => ps.map((p) => ({ p }));
  expect(holdTogether(tests(0.02, 0.001, 0.2))).toEqual(tests(0.001, 0.02));
  expect(holdTogether(tests(0.02, 0.03, 0.04))).toEqual([]);
  expect(holdTogether(tests(0.04))).toEqual(tests(0.04));
  expect(holdTogether([])).toEqual([]);
});

test('random halves of one set of reviews hardly ever show a change', () => {
  const draw = randomFrom(7);
  const aspects = Array.from({ length: 10 }, (_, at) => `aspect-${at}`);
  const problems = Array.from({ length: 20 }, (_, at) => `problem-${at}`);
  const splits = 60;
  let changed = 0;
  for (let split = 0; split < splits; split++) {
    const reviews = Array.from({ length: 120 }, (): IndexedMention => ({
      date: draw() < 0.5 ? '2024-05-01' : '2023-03-01',
      rating: 4,
      mentions: [
        ...aspects
          .filter(() => draw() < 0.4)
          .map((id): Named => ['aspects', id, draw() < 0.6 ? 'positive' : 'negative']),
        ...problems.filter(() => draw() < 0.15).map((id): Named => ['problems', id, 'negative']),
      ],
    }));
    if ((findingsOf(reviews).comparison?.changes.length ?? 0) > 0) changed += 1;
  }
  // Without a correction it is more than half of them.
  expect(changed).toBeLessThanOrEqual(splits * 0.1);
});
