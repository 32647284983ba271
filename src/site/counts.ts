// Totals of the log's counts.

import type { Counts } from '../log/entries.ts';

/** Reviews with 1 to 5 stars, from all sources. */
export function starsOf(counts: Counts): number[] {
  return [0, 1, 2, 3, 4].map((star) => sum(Object.values(counts).map((each) => each[star] ?? 0)));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
