// Statistics of measurements.

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** A quantile with linear interpolation. @throws without values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const index = (sorted.length - 1) * share;
  const low = sorted[Math.floor(index)];
  const high = sorted[Math.ceil(index)];
  if (low === undefined || high === undefined) throw new Error('expected measurements, got none');
  return low + (high - low) * (index - Math.floor(index));
}

/** Ratios of pairs that were measured in the same round. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
}

/** A slope, and the interval that contains it with 95% probability. */
export interface Slope {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

/** The slope of a line through points by least squares. @throws without two different x */
export function slopeOf(xs: readonly number[], ys: readonly number[]): Slope {
  const n = xs.length;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / n;
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const spread = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  if (!(spread > 0)) throw new Error('expected points with different x');
  const slope = xs.reduce((sum, x, at) => sum + (x - meanX) * ((ys[at] ?? 0) - meanY), 0) / spread;
  const left = xs.reduce((sum, x, at) => {
    const expected = meanY + slope * (x - meanX);
    return sum + ((ys[at] ?? 0) - expected) ** 2;
  }, 0);
  // The normal distribution is close enough for the dozens of points that are measured.
  const margin = 1.96 * Math.sqrt(left / Math.max(n - 2, 1) / spread);
  return { slope, low: slope - margin, high: slope + margin };
}
