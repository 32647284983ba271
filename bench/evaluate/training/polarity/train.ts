// Trains the polarity net, in a fixed order with fixed random numbers: the same examples and vectors give
// the same weights.

import { numberOfWord, SPECIAL_WORDS } from '../../../../src/insights/polarity/net.ts';
import type { PolarityExample } from './examples.ts';
import { Network } from './network.ts';
import { Random } from './random.ts';

const SEED = 1;
const BATCH = 32;
const RATE = 0.002;
/** Steps of a growing rate at the beginning. */
const WARM_UP = 200;
/** Share of the words that are replaced by the unknown word, and of the things that are as a whole, so that
 * the net does not depend on single words and learns what to do about things that it does not know. */
const REPLACED_WORDS = 0.03;
const REPLACED_THINGS = 0.2;

export interface Training {
  readonly words: readonly string[];
  /** The GloVe vectors of the words, one row each. */
  readonly vectors: Float32Array;
  readonly rounds: number;
  /** Called after each round with the mean loss. */
  readonly onRound: (round: number, loss: number) => void;
}

export function trainNetwork(
  examples: readonly PolarityExample[],
  { words, vectors, rounds, onRound }: Training,
): Network {
  const random = new Random(SEED);
  const network = new Network(vectors, random);
  const known = new Map(words.map((word, index) => [word, index + SPECIAL_WORDS.first]));
  const numbered = examples.map(({ input, label }) => ({
    input,
    label,
    numbers: input.words.map((word) => numberOfWord(known, word)),
  }));
  const steps = rounds * Math.ceil(numbered.length / BATCH);
  let number = 0;
  for (let round = 1; round <= rounds; round += 1) {
    random.shuffle(numbered);
    let loss = 0;
    for (let from = 0; from < numbered.length; from += BATCH) {
      const batch = numbered.slice(from, from + BATCH).map((example) => ({
        ...example,
        numbers: withReplacements(example.numbers, example.input, random),
      }));
      const seen = new Set(batch.flatMap(({ numbers }) => numbers));
      network.embedding.project(seen);
      for (const { input, label, numbers } of batch) loss += network.learn(input, numbers, label);
      number += 1;
      const rate = RATE * Math.min(1, number / WARM_UP) * (1 - number / (steps + 1));
      network.update(seen, { rate: rate, number });
    }
    onRound(round, loss / numbered.length);
  }
  network.embedding.project(Array.from({ length: network.embedding.rows }, (_, word) => word));
  return network;
}

function withReplacements(
  numbers: readonly number[],
  { from, to }: PolarityExample['input'],
  random: Random,
): number[] {
  const isThingReplaced = random.next() < REPLACED_THINGS;
  return numbers.map((number, at) => {
    const isReplaced = random.next() < REPLACED_WORDS;
    return isReplaced || (isThingReplaced && at >= from && at < to)
      ? SPECIAL_WORDS.unknown
      : number;
  });
}
