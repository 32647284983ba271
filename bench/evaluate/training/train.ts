// Trains the learned layer: logistic regression for praise and complaint of every aspect. A text of several
// sentences that praises an aspect praises it in one of them; which one is worked out while training.

import { annotateText } from '../../../src/insights/text/annotate.ts';
import { FeatureReader, MOST_WORDS, wordsOf } from '../../../src/insights/learned/features.ts';
import { type ModelFile, weightOf } from '../../../src/insights/learned/model.ts';
import type { AnnotatedText } from '../../../src/insights/text/annotate.ts';

export interface Example {
  readonly text: string;
  readonly aspects: readonly { readonly id: string; readonly sentiment: string }[];
  /** Neither taught nor untaught. */
  readonly optional_aspects: readonly string[];
}

/** Rarer words and features teach nothing. */
const FEWEST = 2;
const ROUNDS = 60;
/** In the first rounds it is not asked which sentence is meant. */
const BLIND_ROUNDS = 3;
const RATE = 0.3;
const DECAY = 0.02;
/** What an example of a class weighs beside one that is of another: they are few. */
const WEIGHT_OF_POSITIVE = 4;
const FIRST_BIAS = -3;
/** Weights whose largest is below this share of the largest of all are left out. */
const LEAST_SHARE = 0.02;
const LARGEST_STEP = 127;

interface Prepared {
  readonly example: Example;
  /** Of each sentence, as indices of features. */
  readonly sentences: readonly (readonly number[])[];
  readonly all: readonly number[];
}

export function train(examples: readonly Example[], aspects: readonly string[]): ModelFile {
  const annotatedTexts = examples.map(({ text }) => annotateText(text));
  const words = frequent(annotatedTexts.map((annotated) => wordsOf(annotated)));
  if (words.length > MOST_WORDS) throw new Error(`too many words: ${words.length}`);
  const reader = new FeatureReader(new Map(words.map((word, index) => [word, index])));
  const read = annotatedTexts.map((annotated) => featuresOfSentences(reader, annotated));
  const features = frequent(read.flat()).toSorted((a, b) => a - b);
  const indexOf = new Map(features.map((feature, index) => [feature, index]));
  const prepared = examples.map((example, index): Prepared => {
    const sentences = read[index]!.map((sentence) =>
      sentence.flatMap((feature) => indexOf.get(feature) ?? []),
    );
    return { example, sentences, all: [...new Set(sentences.flat())] };
  });
  const classes = aspects.flatMap((aspect) =>
    ['positive', 'negative'].map((sentiment) =>
      trainClass(prepared, features.length, aspect, sentiment),
    ),
  );
  return fileOf(aspects, words, features, classes);
}

function featuresOfSentences(reader: FeatureReader, annotated: AnnotatedText): number[][] {
  return annotated.sentences.map(({ from, to }) => {
    const features = new Set<number>();
    reader.read(annotated, from, to, (feature) => void features.add(feature));
    return [...features];
  });
}

/** What stands in at least so many of the lists. */
function frequent<T>(lists: readonly (readonly T[])[]): T[] {
  const counts = new Map<T, number>();
  for (const list of lists) {
    for (const one of new Set(list)) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= FEWEST).map(([one]) => one);
}

interface Trained {
  readonly weights: Float64Array;
  readonly bias: number;
}

/** Gradient descent with a rate for each weight (AdaGrad), in the order of the examples. */
function trainClass(
  prepared: readonly Prepared[],
  size: number,
  aspect: string,
  sentiment: string,
): Trained {
  const weights = new Float64Array(size);
  const squares = new Float64Array(size);
  let bias = FIRST_BIAS;
  let squaresOfBias = 1;
  const scoreOf = (features: readonly number[]) =>
    bias + features.reduce((sum, at) => sum + weights[at]!, 0) * weightOf(features.length);
  const learn = (features: readonly number[], isMeant: boolean) => {
    const likely = 1 / (1 + Math.exp(-scoreOf(features)));
    const error = isMeant ? (likely - 1) * WEIGHT_OF_POSITIVE : likely;
    squaresOfBias += error * error;
    bias -= (RATE * error) / Math.sqrt(squaresOfBias);
    const factor = weightOf(features.length);
    for (const at of features) {
      const gradient = error * factor + DECAY * weights[at]!;
      squares[at]! += gradient * gradient;
      weights[at]! -= (RATE * gradient) / Math.sqrt(squares[at]! + 0.1);
    }
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { example, sentences, all } of prepared) {
      if (example.optional_aspects.includes(aspect)) continue;
      const isMeant = example.aspects.some(
        ({ id, sentiment: how }) => id === aspect && how === sentiment,
      );
      if (!isMeant) for (const sentence of sentences) learn(sentence, false);
      else if (round < BLIND_ROUNDS) learn(all, true);
      else learn(best(sentences, scoreOf), true);
    }
  }
  return { weights, bias };
}

function best<T>(all: readonly T[], scoreOf: (one: T) => number): T {
  return all.reduce((chosen, one) => (scoreOf(one) > scoreOf(chosen) ? one : chosen));
}

function fileOf(
  aspects: readonly string[],
  words: readonly string[],
  features: readonly number[],
  classes: readonly Trained[],
): ModelFile {
  const largestOf = (index: number) =>
    Math.max(...classes.map(({ weights }) => Math.abs(weights[index]!)));
  const largest = Math.max(...features.map((_, index) => largestOf(index)));
  const kept = features.flatMap((feature, index) =>
    largestOf(index) >= largest * LEAST_SHARE ? [{ feature, index }] : [],
  );
  const scale = largest / LARGEST_STEP;
  const bytes = kept.flatMap(({ index }) =>
    classes.map(({ weights }) => Math.round(weights[index]! / scale)),
  );
  return {
    about: 'Made by `npm run train` of bench/evaluate/training; do not edit.',
    aspects,
    words: words.join(' '),
    features: kept
      .map(({ feature }, at) => (feature - (kept[at - 1]?.feature ?? 0)).toString(36))
      .join(' '),
    scale,
    weights: Buffer.from(Int8Array.from(bytes).buffer).toString('base64'),
    biases: classes.map(({ bias }) => Math.round(bias * 1000) / 1000),
  };
}
