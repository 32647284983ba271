// Means with their variance, and the 95% margin of their difference.

import { Z } from '../../model/leaning.ts';

export interface Moments {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
}

export function momentsOf(values: readonly number[]): Moments {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { count, mean, variance: count > 1 ? squares / (count - 1) : 0 };
}

/** Half the width of Welch's interval of the difference of two means, each of at least two values. */
export function welchMargin(a: Moments, b: Moments): number {
  const [one, other] = [a.variance / a.count, b.variance / b.count];
  const error = one + other;
  if (error === 0) return 0;
  const degreesOfFreedom = error ** 2 / (one ** 2 / (a.count - 1) + other ** 2 / (b.count - 1));
  return studentQuantile(degreesOfFreedom) * Math.sqrt(error);
}

/** The 97.5% quantile of Student's t distribution by the Cornish-Fisher expansion, accurate to 0.01 from
 * four degrees of degreesOfFreedom on. */
function studentQuantile(degreesOfFreedom: number): number {
  const first = (Z ** 3 + Z) / 4;
  const second = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96;
  const third = (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384;
  return (
    Z + first / degreesOfFreedom + second / degreesOfFreedom ** 2 + third / degreesOfFreedom ** 3
  );
}
