// Trains the learned model: logistic regression for praise of and complaint about every aspect. If a text of
// several sentences praises an aspect, one sentence does; training determines which one.

import { annotateText } from '../../../src/insights/text/annotate.ts';
import { FeatureExtractor, MOST_WORDS, wordsOf } from '../../../src/insights/learned/features.ts';
import { type ModelFile, weightOf } from '../../../src/insights/learned/model.ts';
import type { AnnotatedText } from '../../../src/insights/text/annotate.ts';
import { LARGEST_WEIGHT } from '../../../src/insights/learned/weights.ts';
import { encodeWeights } from './encode.ts';

export interface Example {
  readonly text: string;
  readonly aspects: readonly { readonly id: string; readonly sentiment: string }[];
  /** Not used for these aspects, neither as positive nor as negative example. */
  readonly optional_aspects: readonly string[];
}

/** The least number of examples that have a word or feature. */
const MIN_EXAMPLES = 2;
const ROUNDS = 60;
/** The first rounds use all sentences of a positive example instead of the best one. */
const BLIND_ROUNDS = 3;
const RATE = 0.3;
const DECAY = 0.02;
/** Weight of positive examples, which are fewer. */
const WEIGHT_OF_POSITIVE = 4;
const FIRST_BIAS = -3;
/** Features are dropped if their largest weight is below this share of the largest of all. */
const LEAST_SHARE = 0.1;
/** The most weights of a model, so that its file stays below 600 KB: those of the strongest features. */
const MOST_WEIGHTS = 760_000;

interface Prepared {
  readonly example: Example;
  /** The features of each sentence, by index. */
  readonly sentences: readonly Int32Array[];
  readonly all: Int32Array;
}

export function train(examples: readonly Example[], aspects: readonly string[]): ModelFile {
  const annotatedTexts = examples.map(({ text }) => annotateText(text));
  const words = frequent(annotatedTexts.map((annotated) => wordsOf(annotated)));
  if (words.length > MOST_WORDS) throw new Error(`too many words: ${words.length}`);
  const extractor = new FeatureExtractor(new Map(words.map((word, index) => [word, index])));
  const featuresOfTexts = annotatedTexts.map((annotated) =>
    featuresOfSentences(extractor, annotated),
  );
  const features = frequent(featuresOfTexts.flat()).toSorted((a, b) => a - b);
  const indexOf = new Map(features.map((feature, index) => [feature, index]));
  const prepared = examples.map((example, index): Prepared => {
    const sentences = featuresOfTexts[index]!.map((sentence) =>
      Int32Array.from(sentence.flatMap((feature) => indexOf.get(feature) ?? [])),
    );
    const all = new Set(sentences.flatMap((sentence) => [...sentence]));
    return { example, sentences, all: Int32Array.from(all) };
  });
  const classes = aspects.flatMap((aspect) =>
    ['positive', 'negative'].map((sentiment) =>
      trainClass(prepared, features.length, aspect, sentiment),
    ),
  );
  return fileOf(aspects, words, features, classes);
}

function featuresOfSentences(extractor: FeatureExtractor, annotated: AnnotatedText): number[][] {
  return annotated.sentences.map(({ from, to }) => {
    const features = new Set<number>();
    extractor.extract(annotated, from, to, (feature) => void features.add(feature));
    return [...features];
  });
}

/** The elements that are in at least MIN_EXAMPLES lists. */
function frequent<T>(lists: readonly (readonly T[])[]): T[] {
  const counts = new Map<T, number>();
  for (const list of lists) {
    for (const one of new Set(list)) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= MIN_EXAMPLES).map(([one]) => one);
}

interface Trained {
  readonly weights: Float64Array;
  readonly bias: number;
}

/** Gradient descent with a learning rate per weight (AdaGrad), in the order of the examples. */
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
  const scoreOf = (features: Int32Array) => {
    let sum = 0;
    for (let index = 0; index < features.length; index += 1) sum += weights[features[index]!]!;
    return bias + sum * weightOf(features.length);
  };
  const learn = (features: Int32Array, isMeant: boolean) => {
    const likely = 1 / (1 + Math.exp(-scoreOf(features)));
    const error = isMeant ? (likely - 1) * WEIGHT_OF_POSITIVE : likely;
    squaresOfBias += error * error;
    bias -= (RATE * error) / Math.sqrt(squaresOfBias);
    const factor = weightOf(features.length);
    for (let index = 0; index < features.length; index += 1) {
      const at = features[index]!;
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
  const kept = features
    .map((feature, index) => ({ feature, index, weight: largestOf(index) }))
    .filter(({ weight }) => weight >= largest * LEAST_SHARE)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MOST_WEIGHTS / classes.length)
    .toSorted((a, b) => a.index - b.index);
  const scale = largest / LARGEST_WEIGHT;
  const steps = kept.map(({ index }) =>
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
    weights: encodeWeights(steps),
    biases: classes.map(({ bias }) => Math.round(bias * 1000) / 1000),
  };
}
