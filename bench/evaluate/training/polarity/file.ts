// From the training data to the file of the polarity net.

import type { PolarityFile } from '../../../../src/insights/polarity/net.ts';
import { polarityExamples } from './examples.ts';
import { fileOf } from './store.ts';
import { trainNetwork } from './train.ts';
import { type GloveVectors, rowsOf } from './vectors.ts';
import { vocabularyOf } from './vocabulary.ts';

const ROUNDS = 8;

export function trainPolarity(
  folder: string,
  glove: GloveVectors,
  log: (line: string) => void,
): PolarityFile {
  const examples = polarityExamples(folder);
  const words = vocabularyOf(examples, glove);
  log(`${examples.length} examples, ${words.length} words`);
  const network = trainNetwork(examples, {
    words,
    vectors: rowsOf(words, glove),
    rounds: ROUNDS,
    onRound: (round, loss) => log(`round ${round}: ${loss.toFixed(3)}`),
  });
  return fileOf(network, words);
}
