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
