// The vectors of words: their GloVe vectors projected to fewer dimensions, plus a learned difference for
// each word. The projection is learned too, so words that training texts lack get useful vectors.

import { SIZES, SPECIAL_WORDS } from '../../../../src/insights/polarity/net.ts';
import { Parameter, type Step } from './parameter.ts';
import type { Random } from './random.ts';

const D = SIZES.vector;
/** Dimensions of a GloVe vector. */
export const GLOVE = 100;

export class Embedding {
  /** The vectors of all words, up to date for those of the last `project`. */
  readonly vectors: Float32Array;
  readonly #glove: Float32Array;
  readonly #projection: Parameter;
  readonly #differences: Parameter;
  readonly #gradient: Float32Array;

  /** `glove` has a row for each word behind the special ones. */
  constructor(glove: Float32Array, random: Random) {
    const rows = glove.length / GLOVE + SPECIAL_WORDS.first;
    this.#glove = glove;
    this.#projection = new Parameter(GLOVE * D, 0.08, random);
    this.#differences = new Parameter(rows * D, 0, random);
    for (let at = 0; at < SPECIAL_WORDS.first * D; at += 1) {
      this.#differences.values[at] = random.gauss(0.1);
    }
    this.vectors = new Float32Array(rows * D);
    this.#gradient = new Float32Array(rows * D);
  }

  get rows(): number {
    return this.vectors.length / D;
  }

  /** Computes the vectors of some words. */
  project(words: Iterable<number>): void {
    const projection = this.#projection.values;
    for (const word of words) {
      const vector = this.#differences.values.slice(word * D, (word + 1) * D);
      this.#gloveOf(word).forEach((value, k) => {
        for (let d = 0; d < D; d += 1) vector[d]! += value * projection[k * D + d]!;
      });
      this.vectors.set(vector, word * D);
    }
  }

  /** The GloVe vector of a word; empty for the special ones. */
  #gloveOf(word: number): Float32Array {
    const row = word - SPECIAL_WORDS.first;
    return row < 0 ? new Float32Array(0) : this.#glove.subarray(row * GLOVE, (row + 1) * GLOVE);
  }

  addGradient(word: number, d: number, value: number): void {
    this.#gradient[word * D + d]! += value;
  }

  /** Updates the projection and the differences of the words of a batch. */
  update(words: Iterable<number>, step: Step): void {
    const projection = this.#projection.gradient;
    for (const word of words) {
      const own = this.#gradient.subarray(word * D, (word + 1) * D);
      this.#gloveOf(word).forEach((value, k) => {
        for (let d = 0; d < D; d += 1) projection[k * D + d]! += value * own[d]!;
      });
      this.#differences.gradient.set(own, word * D);
      // Differences learn slowly, so that words stay close to similar ones that training texts lack.
      this.#differences.update({ ...step, rate: step.rate * 0.3 }, word * D, (word + 1) * D);
      own.fill(0);
    }
    this.#projection.update(step);
  }
}
