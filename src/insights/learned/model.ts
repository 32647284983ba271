// A linear model of aspects: how likely a stretch of text praises each aspect, or complains of it, by its
// features. What it was trained on and how stands in bench/evaluate/training; here it is read and asked.

import type { Reading } from '../reading.ts';
import { FeatureReader } from './features.ts';

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
  readonly #rowOf: ReadonlyMap<number, number>;
  readonly #weights: Int8Array;
  readonly #biases: readonly number[];
  readonly #scale: number;

  constructor({ aspects, words, features, weights, biases, scale }: ModelFile) {
    this.aspects = aspects;
    this.#reader = new FeatureReader(
      new Map(words.split(' ').map((word, number) => [word, number])),
    );
    let feature = 0;
    this.#rowOf = new Map(
      features.split(' ').map((step, row) => [(feature += Number.parseInt(step, 36)), row]),
    );
    this.#weights = new Int8Array(Buffer.from(weights, 'base64'));
    this.#biases = biases;
    this.#scale = scale;
  }

  /** The odds of every aspect for the tokens [from, to), in the order of `aspects`. */
  oddsOf(reading: Reading, from: number, to: number): Odds[] {
    const classes = this.#biases.length;
    const sums = new Float64Array(classes);
    let count = 0;
    for (const feature of this.#reader.featuresOf(reading, from, to)) {
      const row = this.#rowOf.get(feature);
      if (row === undefined) continue;
      count += 1;
      for (let index = 0; index < classes; index += 1) {
        sums[index]! += this.#weights[row * classes + index] as number;
      }
    }
    const factor = weightOf(count) * this.#scale;
    const likely = (index: number) =>
      1 / (1 + Math.exp(-((this.#biases[index] as number) + (sums[index] as number) * factor)));
    return this.aspects.map((_, index) => ({
      praise: likely(index * 2),
      complaint: likely(index * 2 + 1),
    }));
  }
}
