// Rounds: what is compared takes turns, so that all had the same machine at the same time.

import { median, ratios } from './statistics.ts';

/** Measures all in turns, so many times and once before that to warm up; the results are by subject. */
export async function takeRounds<Subject, Result>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject, round: number) => Promise<Result>,
): Promise<Map<Subject, Result[]>> {
  const results = new Map<Subject, Result[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const subject of subjects) {
      const result = await measure(subject, round);
      if (round > 0) results.get(subject)?.push(result);
    }
  }
  return results;
}

/** The median of the ratios of rounds, and the least and the greatest, as two cells of a table. */
export function showRatios(
  ours: readonly number[],
  theirs: readonly number[],
  digits = 2,
): [ratio: string, spread: string] {
  const each = ratios(ours, theirs);
  const show = (value: number) =>
    value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return [show(median(each)), `${show(Math.min(...each))} to ${show(Math.max(...each))}`];
}

/** How to read those two cells. */
export const RATIO_NOTE = 'the median of those of the rounds, then the least and the greatest';
