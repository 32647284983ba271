// Rounds: compared subjects take turns, so that other load on the machine affects all of them.

import { median, ratios } from './statistics.ts';

/** Measures all subjects in each round, after one warm-up round. Returns results by subject. */
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

/** The median of the rounds' ratios, and their range, as two table cells. */
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

/** The note for these two cells. */
export const RATIO_NOTE = 'the median of the rounds, then the minimum and maximum';
