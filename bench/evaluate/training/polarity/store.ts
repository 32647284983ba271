// Writes a trained polarity net as a file: a signed byte for each weight, and a scale for each column.

import {
  type PolarityFile,
  SHAPES,
  type StoredWeights,
  type WeightName,
} from '../../../../src/insights/polarity/net.ts';
import type { Network } from './network.ts';

const LARGEST_STEP = 127;

export function fileOf(network: Network, words: readonly string[]): PolarityFile {
  const stored = (name: WeightName, values: Float32Array) => quantise(values, SHAPES[name][1]);
  return {
    about:
      'Made by `npm run train:polarity`, with MAMS (see NOTICE) and GloVe vectors; do not edit.',
    words: words.join(' '),
    weights: {
      vectors: stored('vectors', network.embedding.vectors),
      marks: stored('marks', network.marks()),
      kernel: stored('kernel', network.kernel.values),
      bias: stored('bias', network.bias.values),
      distances: stored('distances', network.distances.values),
      clauses: stored('clauses', network.clauses.values),
      heads: stored('heads', network.heads.values),
      headsOfThing: stored('headsOfThing', network.headsOfThing.values),
      headsByDistance: stored('headsByDistance', network.headsByDistance.values),
      headsByClause: stored('headsByClause', network.headsByClause.values),
      output: stored('output', network.output.values),
      outputBias: stored('outputBias', network.outputBias.values),
    },
  };
}

function quantise(values: Float32Array, columns: number): StoredWeights {
  const largest = new Float64Array(columns);
  values.forEach((value, at) => {
    largest[at % columns] = Math.max(largest[at % columns]!, Math.abs(value));
  });
  const scales = Array.from(largest, (most) => Number((most / LARGEST_STEP).toPrecision(6)));
  const bytes = Int8Array.from(values, (value, at) => {
    const scale = scales[at % columns]!;
    return scale === 0
      ? 0
      : Math.max(-LARGEST_STEP, Math.min(LARGEST_STEP, Math.round(value / scale)));
  });
  return { scales, bytes: Buffer.from(bytes.buffer).toString('base64') };
}
