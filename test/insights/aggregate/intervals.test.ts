import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentsOf, welchMargin } from '../../../src/insights/aggregate/intervals.ts';
import { shareInterval } from '../../../src/model/leaning.ts';

describe("Wilson's interval of a share", () => {
  // From Newcombe 1998, "Two-sided confidence intervals for the single proportion", method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i is %f to %f', (part, total, low, high) => {
    expect(shareInterval(part, total).low).toBeCloseTo(low, 4);
    expect(shareInterval(part, total).high).toBeCloseTo(high, 4);
  });

  test('of no cases is 0 to 1', () => {
    expect(shareInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });

  test('contains the share and stays within 0 and 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (total, share) => {
          const part = Math.round(total * share);
          const { low, high } = shareInterval(part, total);
          expect(low).toBeGreaterThanOrEqual(0);
          expect(low).toBeLessThanOrEqual(part / total + 1e-9);
          expect(high).toBeGreaterThanOrEqual(part / total - 1e-9);
          expect(high).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe("Welch's interval of a difference of means", () => {
  test('is that of the t distribution', () => {
    // Equal variances of 2.5 and five values each: 8 degrees of freedom, t = 2.306.
    const five = momentsOf([1, 2, 3, 4, 5]);
    expect(five).toEqual({ count: 5, mean: 3, variance: 2.5 });
    expect(welchMargin(five, five)).toBeCloseTo(2.306, 2);
  });

  test('is 0 without variance', () => {
    expect(welchMargin(momentsOf([4, 4]), momentsOf([5, 5]))).toBe(0);
  });
});
