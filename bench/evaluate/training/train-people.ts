// Trains the model of names: a logistic regression over the features of a name.

import { weightOf } from '../../../src/insights/claims/model.ts';
import { FEATURES } from '../../../src/insights/entities/names/features.ts';
import type { NamesModel } from '../../../src/insights/entities/names/model.ts';
import type { NameExample, NameSet } from './people-examples.ts';
import { Random } from './random.ts';

/** The least number of names that have a feature. */
const MIN_EXAMPLES = 3;
const ROUNDS = 12;
const RATE = 0.15;
const DECAY = 0.001;
const SEED = 5;
const LARGEST_WEIGHT = 127;

export function trainNames(sets: readonly NameSet[]): NamesModel {
  const names = sets.flatMap(({ isReal, reviews }) =>
    reviews.flatMap((review) => review.names.map((name) => ({ ...name, isReal }))),
  );
  const weights = fit(names.filter(({ holds }) => holds !== null)).subarray(0, FEATURES);
  const scale = weights.reduce((most, one) => Math.max(most, Math.abs(one)), 0) / LARGEST_WEIGHT;
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale));
  return {
    about: 'Made by `npm run train` of bench/evaluate/training; do not edit.',
    scale,
    weights: Buffer.from(bytes.buffer).toString('base64'),
  };
}

/** Gradient descent with a learning rate for each weight (AdaGrad), in a random order that is the same each time. */
function fit(names: readonly (NameExample & Pick<NameSet, 'isReal'>)[]): Float64Array {
  const counts = new Uint32Array(FEATURES);
  for (const { features } of names) for (const feature of features) counts[feature]! += 1;
  // The last weight is of written reviews, which name people more often: what it learns is not used.
  const weights = new Float64Array(FEATURES + 1);
  const squares = new Float64Array(FEATURES + 1).fill(0.1);
  const order = names.map(({ holds, features, isReal }) => ({
    holds: holds === true ? 1 : 0,
    factor: weightOf(features.length),
    features: [
      ...features.filter((feature) => counts[feature]! >= MIN_EXAMPLES),
      ...(isReal ? [] : [FEATURES]),
    ],
  }));
  const random = new Random(SEED);
  for (let round = 0; round < ROUNDS; round += 1) {
    random.shuffle(order);
    for (const { holds, factor, features } of order) {
      let sum = 0;
      for (const feature of features) sum += weights[feature]!;
      const error = 1 / (1 + Math.exp(-sum * factor)) - holds;
      for (const feature of features) {
        const gradient = error * factor + DECAY * weights[feature]!;
        squares[feature]! += gradient * gradient;
        weights[feature]! -= (RATE * gradient) / Math.sqrt(squares[feature]!);
      }
    }
  }
  return weights;
}
