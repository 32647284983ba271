// Many measurements to few numbers.

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that a share of all does not exceed, between the two nearest where it falls between. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)];
  const high = sorted[Math.ceil(place)];
  if (low === undefined || high === undefined) throw new Error('nothing was measured');
  return low + (high - low) * (place - Math.floor(place));
}

/** Ratios of what was measured in pairs: both of a pair had the same machine at the same time. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
}
