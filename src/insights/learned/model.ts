// A linear model of aspects: how likely a part of a text praises each aspect or complains about it, by its
// features. It is trained in bench/evaluate/training.

import type { AnnotatedText } from '../text/annotate.ts';
import { FeatureExtractor } from './features.ts';
import { NumberIndex } from './number-index.ts';
import { decodeWeights } from './weights.ts';

/** A stored model, made by `npm run train`. */
export interface ModelFile {
  readonly about: string;
  /** The aspects. Each has two classes, praise and complaint, in this order. */
  readonly aspects: readonly string[];
  /** All words and word classes, separated by spaces; a word's number is its index. */
  readonly words: string;
  /** Features in ascending order, each as the difference from the one before, in base 36. */
  readonly features: string;
  /** Factor of the weights. */
  readonly scale: number;
  /** The weights of all classes for each feature (weights.ts). */
  readonly weights: string;
  /** The bias of each class. */
  readonly biases: readonly number[];
}

/** How likely a part of a text praises an aspect or complains about it, 0 to 1 each. */
export interface Odds {
  readonly praise: number;
  readonly complaint: number;
}

/** Below this number of features their weight does not grow any more. */
const MIN_FEATURES = 6;
const STEEPNESS = 3;

/** The weight of each feature of a part of a text, by their number. */
export function weightOf(count: number): number {
  return STEEPNESS / Math.sqrt(Math.max(MIN_FEATURES, count));
}

export class Model {
  readonly aspects: readonly string[];
  /** From this probability on a sentence can mention an aspect without a cue. */
  readonly likely: number;
  readonly #shortTexts: number;
  readonly #extractor: FeatureExtractor;
  readonly #rows: NumberIndex;
  readonly #weights: Int8Array;
  readonly #biases: Float64Array;
  readonly #scale: number;
  /** The last pass that saw each feature, so that it counts once per pass. */
  readonly #seenIn: Uint32Array;
  #pass = 0;

  /** @param shortTexts up to how many sentences `likely` holds */
  constructor(
    { aspects, words, features, weights, biases, scale }: ModelFile,
    likely: number,
    shortTexts = Number.POSITIVE_INFINITY,
  ) {
    this.aspects = aspects;
    this.likely = likely;
    this.#shortTexts = shortTexts;
    this.#extractor = new FeatureExtractor(
      new Map(words.split(' ').map((word, number) => [word, number])),
    );
    let feature = 0;
    const numbers = features.split(' ').map((step) => (feature += Number.parseInt(step, 36)));
    this.#rows = new NumberIndex(numbers);
    this.#seenIn = new Uint32Array(numbers.length);
    this.#weights = decodeWeights(weights, numbers.length, biases.length);
    this.#biases = Float64Array.from(biases);
    this.#scale = scale;
  }

  /** `likely` in a text of several sentences: of many sentences some are likely by accident. */
  likelyIn(sentences: number): number {
    return 1 - (1 - this.likely) * Math.min(1, this.#shortTexts / sentences) ** 2;
  }

  /** The odds of every aspect for the tokens [from, to), in the order of `aspects`. */
  oddsOf(annotated: AnnotatedText, from: number, to: number): Odds[] {
    const classes = this.#biases.length;
    const sums = new Int32Array(classes);
    const weights = this.#weights;
    let count = 0;
    this.#pass = (this.#pass + 1) >>> 0;
    this.#extractor.extract(annotated, from, to, (feature) => {
      const row = this.#rows.indexOf(feature);
      if (row < 0 || this.#seenIn[row] === this.#pass) return;
      this.#seenIn[row] = this.#pass;
      count += 1;
      for (let index = 0, at = row * classes; index < classes; index += 1, at += 1) {
        sums[index]! += weights[at] as number;
      }
    });
    const factor = weightOf(count) * this.#scale;
    const likely = (index: number) =>
      1 / (1 + Math.exp(-((this.#biases[index] as number) + (sums[index] as number) * factor)));
    return this.aspects.map((_, index) => ({
      praise: likely(index * 2),
      complaint: likely(index * 2 + 1),
    }));
  }
}
