// Chooses the words that the polarity net knows: those of the training texts, those of the lexicon, and the
// most frequent words of GloVe.

import { LEXICON } from '../../../../src/insights/sentiment/lexicon.ts';
import type { PolarityExample } from './examples.ts';
import type { GloveVectors } from './vectors.ts';

const MOST_WORDS = 12_500;
/** The least number of training examples that have a word. */
const MIN_EXAMPLES = 2;
const PLAIN = /^[a-z']+$/;

export function vocabularyOf(
  examples: readonly PolarityExample[],
  { words, vectors }: GloveVectors,
): string[] {
  const counts = new Map<string, number>();
  for (const { input } of examples) {
    for (const word of new Set(input.words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const seen = [...counts].filter(([, count]) => count >= MIN_EXAMPLES).map(([word]) => word);
  const opinions = [...LEXICON.words.keys()].filter((word) => Object.hasOwn(vectors, word));
  return [...new Set([...seen, ...opinions, ...words].filter((word) => PLAIN.test(word)))].slice(
    0,
    MOST_WORDS,
  );
}
