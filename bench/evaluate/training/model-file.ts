// The content of the model file: the weights that matter, rounded to 8 bits.

import type { GateFile } from '../../../src/insights/claims/gate.ts';
import type { ModelFile } from '../../../src/insights/claims/model.ts';
import type { Trained } from './train.ts';

const LARGEST_WEIGHT = 127;
/** Smaller weights are dropped. */
const LEAST_WEIGHT = 0.25;

export function modelFileOf(
  { classes, features, weights, biases }: Trained,
  gate: GateFile,
): ModelFile {
  const size = classes.length;
  const scale =
    weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / LARGEST_WEIGHT;
  const kept = {
    features: [] as number[],
    counts: [] as number[],
    columns: [] as number[],
    weights: [] as number[],
  };
  features.forEach((feature, row) => {
    const before = kept.columns.length;
    for (let one = 0; one < size; one += 1) {
      const weight = weights[row * size + one]!;
      if (Math.abs(weight) < LEAST_WEIGHT) continue;
      kept.columns.push(one);
      kept.weights.push(Math.round(weight / scale));
    }
    if (kept.columns.length === before) return;
    kept.features.push(feature);
    kept.counts.push(kept.columns.length - before);
  });
  return {
    about: 'Made by `npm run train` of bench/evaluate/training; do not edit.',
    classes,
    features: base64(Uint32Array.from(kept.features).buffer),
    counts: base64(Uint8Array.from(kept.counts).buffer),
    columns: base64(Uint8Array.from(kept.columns).buffer),
    weights: base64(Int8Array.from(kept.weights).buffer),
    scale,
    biases: Object.fromEntries(
      Object.entries(biases).map(([vertical, values]) => [
        vertical,
        [...values].map((value) => Math.round(value * 1e3) / 1e3),
      ]),
    ),
    gate,
  };
}

function base64(buffer: ArrayBuffer): string {
  return Buffer.from(buffer).toString('base64');
}
