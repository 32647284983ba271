// Encodes weights for a model file (src/insights/learned/weights.ts).

import {
  ALPHABET,
  FIRST_RUN,
  LARGEST_WEIGHT,
  LONGEST_RUN,
} from '../../../src/insights/learned/weights.ts';

/** @param rows integers from -LARGEST_WEIGHT to LARGEST_WEIGHT */
export function encodeWeights(rows: readonly (readonly number[])[]): string {
  return rows.map(encodeRow).join('');
}

function encodeRow(weights: readonly number[]): string {
  const frequent = mostFrequent(weights);
  let text = ALPHABET[frequent + LARGEST_WEIGHT] as string;
  let run = 0;
  const endRun = () => {
    if (run > 0) text += ALPHABET[FIRST_RUN + run - 1] as string;
    run = 0;
  };
  for (const weight of weights) {
    if (weight === frequent && run < LONGEST_RUN) {
      run += 1;
      continue;
    }
    endRun();
    if (weight === frequent) run = 1;
    else text += ALPHABET[weight + LARGEST_WEIGHT] as string;
  }
  endRun();
  return text;
}

function mostFrequent(weights: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const weight of weights) counts.set(weight, (counts.get(weight) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
