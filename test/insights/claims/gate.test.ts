// The functions of the gate, and the shipped gate: what supports a claim never makes it less probable.

import { describe, expect, test } from 'vitest';
import type { AspectClasses } from '../../../src/insights/claims/classes.ts';
import {
  neutralFeatures,
  peaksOf,
  probabilityOf,
  problemFeatures,
  signedFeatures,
} from '../../../src/insights/claims/gate.ts';
import { OPINION } from '../../../src/insights/claims/features.ts';
import { featuresOfAspect } from '../../../src/insights/claims/judged-review.ts';
import { MODEL_FILE } from '../../../src/insights/claims/model.ts';

const { signed, neutral, problem } = MODEL_FILE().gate;
const WEAK = { ...peaksOf([-6]), cue: 0, judged: 0, rival: 0, bare: 0 };
const UNTOLD = { pattern: 0, fact: 0, clue: 0, denied: 0, complaint: 0 };
const CONTEXTS = [1, 2, 3, 4, 5].flatMap((rating) =>
  [1, 3, 12, 40].map((sentences) => ({ stars: (rating - 3) / 2, sentences })),
);

describe.each(CONTEXTS)('in a review with %o', (context) => {
  /** One telling sentence among others that say nothing. */
  const side = (logit: number, cue = 0, { judged = 0, rival = 0, bare = 0 } = {}) => ({
    ...peaksOf([logit, ...Array.from({ length: context.sentences - 1 }, () => -7)]),
    cue,
    judged,
    rival,
    bare,
  });
  const praise = (own: ReturnType<typeof side>, other: typeof own = WEAK, name = 0) =>
    probabilityOf(signedFeatures(own, other, name, context), signed);
  const rising = (probability: (logit: number) => number) => {
    const values = [-5, -3, -1, 0, 1, 3, 5, 7].map(probability);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values.at(-1)! - values[0]!).toBeGreaterThan(0.1);
  };

  test('a more telling sentence makes praise, neutral statement and problem more probable', () => {
    rising((logit) => praise(side(logit)));
    rising((logit) => probabilityOf(neutralFeatures(side(logit), WEAK, WEAK, context), neutral));
    rising((logit) => probabilityOf(problemFeatures(side(logit), UNTOLD, context), problem));
  });

  test('a pattern that says it makes it more probable, one that says the opposite less', () => {
    expect(praise(side(0, 1))).toBeGreaterThan(praise(side(0)));
    expect(praise(side(0), { ...WEAK, cue: 1 })).toBeLessThan(praise(side(0)));
    expect(praise(side(0, 0, { judged: 1 }))).toBeGreaterThan(praise(side(0)));
    expect(praise(side(0, 0, { bare: 1 }))).toBeLessThan(praise(side(0)));
    expect(praise(side(0, 0, { rival: -2 }))).toBeLessThan(praise(side(0)));
    const told = (values: object) =>
      probabilityOf(problemFeatures(side(0), { ...UNTOLD, ...values }, context), problem);
    expect(told({ pattern: 1 })).toBeGreaterThan(told({}));
    // Of a review with four or five stars, a problem without a complaint is somebody else's.
    const [calm, angry] = [told({ complaint: -5 }), told({ complaint: 3 })];
    if (context.stars > 0) expect(angry).toBeGreaterThan(calm);
    else expect(angry).toBe(calm);
  });
});

test('complaint has the probability of praise where the sides are exchanged and the stars mirrored', () => {
  const [told, denied, named] = [1, 2, 3];
  const classes: AspectClasses = {
    aspect: 'food',
    praise: [0],
    complaint: [1],
    neutral: [2],
    evidence: { praise: [told], complaint: [denied], name: [named] },
    rivals: { praise: [3], complaint: [4] },
  };
  const of = (rows: readonly number[][], rating: number, found: readonly number[]) =>
    featuresOfAspect(classes, {
      logits: rows.map((row) => Float64Array.from(row)),
      rating,
      found: rows.map(() => new Set(found)),
    });
  const one = of(
    [
      [3, -2, 0, 4, -4],
      [1, -1, 0, 0, 0],
    ],
    5,
    [told, named],
  );
  const mirrored = of(
    [
      [-2, 3, 0, -4, 4],
      [-1, 1, 0, 0, 0],
    ],
    1,
    [denied, named],
  );
  // What names the aspect in its sentence has no rival; what does not has the praise of others there.
  expect([one.praise.at(-2), one.complaint.at(-2)]).toEqual([0, 0]);
  expect(of([[3, -2, 0, 4, -4]], 5, []).praise.slice(-3)).toEqual([0, -1, 0]);
  expect(of([[3, -2, 0, 4, -4]], 5, [named, OPINION.praise]).praise.slice(-3)).toEqual([1, 0, 0]);
  expect(mirrored.complaint).toEqual(one.praise);
  expect(mirrored.praise).toEqual(one.complaint);
  expect(one.praise).not.toEqual(one.complaint);
  expect(
    of(
      [
        [3, -2, 0, 4, -4],
        [1, -1, 0, 0, 0],
      ],
      1,
      [told, named],
    ).praise,
  ).not.toEqual(one.praise);
});

describe('the gate', () => {
  test('sees the largest and the second largest logit, and that any sentence tells it', () => {
    const { first, second, any } = peaksOf([0, -2, 1]);
    expect([first, second]).toEqual([1, 0]);
    expect(peaksOf([1, -2, 0])).toEqual({ first, second, any });
    const none = 0.5 * (1 - 1 / (1 + Math.exp(2))) * (1 - 1 / (1 + Math.exp(-1)));
    expect(any).toBeCloseTo(Math.log((1 - none) / none));
  });

  test('lets no logit count more than 8', () => {
    expect(peaksOf([50, -50])).toMatchObject({ first: 8, second: -8, any: 8 });
  });

  test('is a logistic function of its features', () => {
    expect(probabilityOf([2, 3], [1, -1, 1])).toBeCloseTo(0.5);
    expect(probabilityOf([2, 1], [1, -1, 1])).toBeCloseTo(1 / (1 + Math.exp(-2)));
  });
});
