// A linear model of aspects: how likely a stretch of text praises each aspect, or complains of it, by its
// features. What it was trained on and how stands in bench/evaluate/training; here it is read and asked.

import type { AnnotatedText } from '../text/annotate.ts';
import { FeatureReader } from './features.ts';
import { NumberIndex } from './number-index.ts';

/** A model as it is stored: made by `npm run train`. */
export interface ModelFile {
  readonly about: string;
  /** The aspects; each has a weight for praise and one for complaint, in this order. */
  readonly aspects: readonly string[];
  /** All words and classes, parted by blanks; a word's number is its place. */
  readonly words: string;
  /** Features in rising order, each as its distance from the one before, in base 36. */
  readonly features: string;
  /** What a step of a weight is worth. */
  readonly scale: number;
  /** For each feature the weights of all classes as signed bytes, in base 64. */
  readonly weights: string;
  /** Of each class. */
  readonly biases: readonly number[];
}

/** How likely a stretch of text is to speak of an aspect, 0 to 1 each. */
export interface Odds {
  readonly praise: number;
  readonly complaint: number;
}

/** With fewer features than this each of them does not weigh more. */
const FEWEST = 6;
const STEEPNESS = 3;

/** What the features of a stretch of text weigh, by how many they are. */
export function weightOf(count: number): number {
  return STEEPNESS / Math.sqrt(Math.max(FEWEST, count));
}

export class Model {
  readonly aspects: readonly string[];
  readonly #reader: FeatureReader;
  readonly #rows: NumberIndex;
  readonly #weights: Int8Array;
  readonly #biases: Float64Array;
  readonly #scale: number;
  /** The pass in which each feature was last seen, so that it counts once in each. */
  readonly #seenIn: Uint32Array;
  #pass = 0;

  constructor({ aspects, words, features, weights, biases, scale }: ModelFile) {
    this.aspects = aspects;
    this.#reader = new FeatureReader(
      new Map(words.split(' ').map((word, number) => [word, number])),
    );
    let feature = 0;
    const numbers = features.split(' ').map((step) => (feature += Number.parseInt(step, 36)));
    this.#rows = new NumberIndex(numbers);
    this.#seenIn = new Uint32Array(numbers.length);
    this.#weights = new Int8Array(Buffer.from(weights, 'base64'));
    this.#biases = Float64Array.from(biases);
    this.#scale = scale;
  }

  /** For the tokens [from, to) the odds of every aspect, in the order of `aspects`. */
  oddsOf(annotated: AnnotatedText, from: number, to: number): Odds[] {
    const classes = this.#biases.length;
    const sums = new Int32Array(classes);
    const weights = this.#weights;
    let count = 0;
    this.#pass = (this.#pass + 1) >>> 0;
    this.#reader.read(annotated, from, to, (feature) => {
      const row = this.#rows.placeOf(feature);
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
