// The polarity net in training: the forward pass of src/insights/polarity/net.ts with dropout, and the
// gradients of all its weights. All sums run in a fixed order, so that training is reproducible.

import {
  CLAUSES,
  DISTANCES,
  MARKS,
  type PolarityInput,
} from '../../../../src/insights/polarity/input.ts';
import { SIZES } from '../../../../src/insights/polarity/net.ts';
import { Embedding } from './embedding.ts';
import { Parameter, type Step } from './parameter.ts';
import type { Random } from './random.ts';

const { vector: D, hidden: H, width: WIDTH, heads: HEADS } = SIZES;
const POOLED = HEADS * H + D;
const CLASSES = 3;
/** Share of the values that are dropped before the convolution, and before the output. */
const DROPPED_VECTORS = 0.15;
const DROPPED_POOLED = 0.3;

/** Marks are sums of three vectors: of the opinion, of the gap before the word, and of the thing. */
const OPINIONS = 5;
const GAPS = 5;

/** What the forward pass of one input computed, for its backward pass. */
interface Pass {
  readonly input: PolarityInput;
  readonly words: readonly number[];
  /** The vectors of the words with their marks, after dropout. */
  readonly vectors: Float32Array;
  readonly vectorMask: Float32Array;
  readonly hidden: Float32Array;
  readonly thing: Float32Array;
  readonly queries: Float32Array;
  readonly shares: readonly Float32Array[];
  readonly pooled: Float32Array;
  readonly pooledMask: Float32Array;
  readonly likely: Float64Array;
}

export class Network {
  readonly embedding: Embedding;
  readonly #random: Random;
  readonly #opinions: Parameter;
  readonly #gaps: Parameter;
  readonly #things: Parameter;
  readonly kernel: Parameter;
  readonly bias: Parameter;
  readonly distances: Parameter;
  readonly clauses: Parameter;
  readonly heads: Parameter;
  readonly headsOfThing: Parameter;
  readonly headsByDistance: Parameter;
  readonly headsByClause: Parameter;
  readonly output: Parameter;
  readonly outputBias: Parameter;

  constructor(glove: Float32Array, random: Random) {
    const matrix = (size: number, deviation: number) => new Parameter(size, deviation, random);
    this.#random = random;
    this.embedding = new Embedding(glove, random);
    this.#opinions = matrix(OPINIONS * D, 0.1);
    this.#gaps = matrix(GAPS * D, 0.1);
    this.#things = matrix(2 * D, 0.1);
    this.kernel = matrix(WIDTH * D * H, 1 / Math.sqrt(WIDTH * D));
    this.bias = matrix(H, 0);
    this.distances = matrix(DISTANCES * H, 0.05);
    this.clauses = matrix(CLAUSES * H, 0.05);
    this.heads = matrix(HEADS * H, 0.1);
    this.headsOfThing = matrix(HEADS * D * H, 0.03);
    this.headsByDistance = matrix(HEADS * DISTANCES, 0);
    this.headsByClause = matrix(HEADS * CLAUSES, 0);
    this.output = matrix(CLASSES * POOLED, 1 / Math.sqrt(POOLED));
    this.outputBias = matrix(CLASSES, 0);
  }

  /** The vectors of all marks. */
  marks(): Float32Array {
    const vectors = new Float32Array(MARKS * D);
    for (let mark = 0; mark < MARKS; mark += 1) {
      const [opinion, gap, thing] = partsOf(mark);
      for (let d = 0; d < D; d += 1) {
        vectors[mark * D + d] =
          this.#opinions.values[opinion + d]! +
          this.#gaps.values[gap + d]! +
          this.#things.values[thing + d]!;
      }
    }
    return vectors;
  }

  /** Adds the gradients of one example and returns its loss. `label` is 0, 1 or 2: positive, neutral, negative. */
  learn(input: PolarityInput, words: readonly number[], label: number): number {
    const pass = this.#forward(input, words);
    const pooled = this.#backwardOutput(pass, label);
    const thing = pooled.subarray(HEADS * H).slice();
    const hidden = this.#backwardHeads(pass, pooled, thing);
    const vectors = this.#backwardConvolution(pass, hidden);
    this.#backwardVectors(pass, vectors, thing);
    return -Math.log(Math.max(1e-9, pass.likely[label]!));
  }

  /** One step of Adam along the gradients, which are cleared. */
  update(words: Iterable<number>, step: Step): void {
    this.embedding.update(words, step);
    for (const parameter of [
      this.#opinions,
      this.#gaps,
      this.#things,
      this.kernel,
      this.bias,
      this.distances,
      this.clauses,
      this.heads,
      this.headsOfThing,
      this.headsByDistance,
      this.headsByClause,
      this.output,
      this.outputBias,
    ]) {
      parameter.update(step);
    }
  }

  #forward(input: PolarityInput, words: readonly number[]): Pass {
    const size = words.length;
    const vectorMask = this.#mask(size * D, DROPPED_VECTORS);
    const vectors = this.#vectors(input, words, vectorMask);
    const hidden = this.#convolve(input, vectors);
    const thing = new Float32Array(D);
    for (let at = input.from; at < input.to; at += 1) {
      for (let d = 0; d < D; d += 1) thing[d]! += vectors[at * D + d]! / (input.to - input.from);
    }
    const queries = this.#queries(thing);
    const shares = Array.from({ length: HEADS }, (_, head) =>
      this.#attention(input, head, queries, hidden),
    );
    const pooledMask = this.#mask(POOLED, DROPPED_POOLED);
    const pooled = new Float32Array(POOLED);
    shares.forEach((own, head) => {
      for (let at = 0; at < size; at += 1) {
        for (let h = 0; h < H; h += 1) pooled[head * H + h]! += own[at]! * hidden[at * H + h]!;
      }
    });
    pooled.set(thing, HEADS * H);
    for (let at = 0; at < POOLED; at += 1) pooled[at]! *= pooledMask[at]!;
    const likely = this.#classify(pooled);
    return {
      input,
      words,
      vectors,
      vectorMask,
      hidden,
      thing,
      queries,
      shares,
      pooled,
      pooledMask,
      likely,
    };
  }

  #mask(size: number, dropped: number): Float32Array {
    const mask = new Float32Array(size);
    for (let at = 0; at < size; at += 1) {
      mask[at] = this.#random.next() < dropped ? 0 : 1 / (1 - dropped);
    }
    return mask;
  }

  #vectors({ marks }: PolarityInput, words: readonly number[], mask: Float32Array): Float32Array {
    const vectors = new Float32Array(words.length * D);
    words.forEach((word, at) => {
      const [opinion, gap, thing] = partsOf(marks[at]!);
      for (let d = 0; d < D; d += 1) {
        const value =
          this.embedding.vectors[word * D + d]! +
          this.#opinions.values[opinion + d]! +
          this.#gaps.values[gap + d]! +
          this.#things.values[thing + d]!;
        vectors[at * D + d] = value * mask[at * D + d]!;
      }
    });
    return vectors;
  }

  #convolve({ distances, clauses }: PolarityInput, vectors: Float32Array): Float32Array {
    const size = vectors.length / D;
    const hidden = new Float32Array(size * H);
    const kernel = this.kernel.values;
    for (let at = 0; at < size; at += 1) {
      const [distance, clause, own] = [distances[at]! * H, clauses[at]! * H, at * H];
      for (let h = 0; h < H; h += 1) {
        hidden[own + h] =
          this.bias.values[h]! +
          this.distances.values[distance + h]! +
          this.clauses.values[clause + h]!;
      }
      forEachOffset(at, size, (other, offset) => {
        for (let d = 0; d < D; d += 1) {
          const value = vectors[other * D + d]!;
          if (value === 0) continue;
          const row = (offset * D + d) * H;
          for (let h = 0; h < H; h += 1) hidden[own + h]! += value * kernel[row + h]!;
        }
      });
      for (let h = 0; h < H; h += 1) if (hidden[own + h]! < 0) hidden[own + h] = 0;
    }
    return hidden;
  }

  #queries(thing: Float32Array): Float32Array {
    const queries = this.heads.values.slice();
    for (let row = 0; row < HEADS * D; row += 1) {
      const head = Math.floor(row / D) * H;
      const value = thing[row % D]!;
      for (let h = 0; h < H; h += 1)
        queries[head + h]! += value * this.headsOfThing.values[row * H + h]!;
    }
    return queries;
  }

  #attention(
    { distances, clauses }: PolarityInput,
    head: number,
    queries: Float32Array,
    hidden: Float32Array,
  ): Float32Array {
    const shares = Float32Array.from(distances, (distance, at) => {
      let score =
        this.headsByDistance.values[head * DISTANCES + distance]! +
        this.headsByClause.values[head * CLAUSES + clauses[at]!]!;
      for (let h = 0; h < H; h += 1) score += hidden[at * H + h]! * queries[head * H + h]!;
      return score;
    });
    const most = shares.reduce((a, b) => Math.max(a, b), -Infinity);
    let sum = 0;
    for (let at = 0; at < shares.length; at += 1) {
      shares[at] = Math.exp(shares[at]! - most);
      sum += shares[at]!;
    }
    return shares.map((share) => share / sum);
  }

  #classify(pooled: Float32Array): Float64Array {
    const scores = Float64Array.from(this.outputBias.values, (bias, index) => {
      let sum = bias;
      for (let at = 0; at < POOLED; at += 1)
        sum += pooled[at]! * this.output.values[index * POOLED + at]!;
      return sum;
    });
    const most = Math.max(...scores);
    const odds = scores.map((score) => Math.exp(score - most));
    const sum = odds.reduce((a, b) => a + b, 0);
    return odds.map((one) => one / sum);
  }

  /** Returns the gradient of the pooled values. */
  #backwardOutput({ pooled, pooledMask, likely }: Pass, label: number): Float32Array {
    const gradient = new Float32Array(POOLED);
    for (let index = 0; index < CLASSES; index += 1) {
      const error = likely[index]! - (index === label ? 1 : 0);
      this.outputBias.gradient[index]! += error;
      for (let at = 0; at < POOLED; at += 1) {
        this.output.gradient[index * POOLED + at]! += error * pooled[at]!;
        gradient[at]! += error * this.output.values[index * POOLED + at]!;
      }
    }
    return gradient.map((value, at) => value * pooledMask[at]!);
  }

  /** Returns the gradient of the convolution's output, and adds to that of the thing. */
  #backwardHeads(pass: Pass, pooled: Float32Array, thing: Float32Array): Float32Array {
    const gradient = new Float32Array(pass.hidden.length);
    for (let head = 0; head < HEADS; head += 1) {
      const query = this.#backwardAttention(pass, head, pooled, gradient);
      for (let h = 0; h < H; h += 1) this.heads.gradient[head * H + h]! += query[h]!;
      for (let d = 0; d < D; d += 1) {
        const row = (head * D + d) * H;
        let sum = 0;
        for (let h = 0; h < H; h += 1) {
          this.headsOfThing.gradient[row + h]! += pass.thing[d]! * query[h]!;
          sum += this.headsOfThing.values[row + h]! * query[h]!;
        }
        thing[d]! += sum;
      }
    }
    return gradient;
  }

  /** Returns the gradient of the query of one attention. */
  #backwardAttention(
    { input: { distances, clauses }, hidden, queries, shares }: Pass,
    head: number,
    pooled: Float32Array,
    gradient: Float32Array,
  ): Float32Array {
    const own = shares[head] as Float32Array;
    const first = head * H;
    const ofShares = own.map((share, at) => {
      let sum = 0;
      for (let h = 0; h < H; h += 1) {
        sum += pooled[first + h]! * hidden[at * H + h]!;
        gradient[at * H + h]! += share * pooled[first + h]!;
      }
      return sum;
    });
    const mean = ofShares.reduce((sum, value, at) => sum + value * own[at]!, 0);
    const query = new Float32Array(H);
    own.forEach((share, at) => {
      const error = share * (ofShares[at]! - mean);
      this.headsByDistance.gradient[head * DISTANCES + distances[at]!]! += error;
      this.headsByClause.gradient[head * CLAUSES + clauses[at]!]! += error;
      for (let h = 0; h < H; h += 1) {
        gradient[at * H + h]! += error * queries[first + h]!;
        query[h]! += error * hidden[at * H + h]!;
      }
    });
    return query;
  }

  /** Returns the gradient of the vectors. */
  #backwardConvolution({ input, vectors, hidden }: Pass, gradient: Float32Array): Float32Array {
    const size = vectors.length / D;
    const ofVectors = new Float32Array(vectors.length);
    const { values: kernel, gradient: ofKernel } = this.kernel;
    for (let at = 0; at < size; at += 1) {
      const own = at * H;
      const [distance, clause] = [input.distances[at]! * H, input.clauses[at]! * H];
      for (let h = 0; h < H; h += 1) {
        if (hidden[own + h]! <= 0) gradient[own + h] = 0;
        const error = gradient[own + h]!;
        this.bias.gradient[h]! += error;
        this.distances.gradient[distance + h]! += error;
        this.clauses.gradient[clause + h]! += error;
      }
      forEachOffset(at, size, (other, offset) => {
        for (let d = 0; d < D; d += 1) {
          const value = vectors[other * D + d]!;
          const row = (offset * D + d) * H;
          let sum = 0;
          for (let h = 0; h < H; h += 1) {
            const error = gradient[own + h]!;
            ofKernel[row + h]! += error * value;
            sum += error * kernel[row + h]!;
          }
          ofVectors[other * D + d]! += sum;
        }
      });
    }
    return ofVectors;
  }

  #backwardVectors(
    { input: { marks, from, to }, words, vectorMask }: Pass,
    gradient: Float32Array,
    thing: Float32Array,
  ): void {
    words.forEach((word, at) => {
      const [opinion, gap, isThing] = partsOf(marks[at]!);
      const share = at >= from && at < to ? 1 / (to - from) : 0;
      for (let d = 0; d < D; d += 1) {
        const value = (gradient[at * D + d]! + thing[d]! * share) * vectorMask[at * D + d]!;
        this.embedding.addGradient(word, d, value);
        this.#opinions.gradient[opinion + d]! += value;
        this.#gaps.gradient[gap + d]! += value;
        this.#things.gradient[isThing + d]! += value;
      }
    });
  }
}

/** The first weights of the three vectors of a mark: of the opinion, of the gap, of the thing. */
function partsOf(mark: number): readonly [number, number, number] {
  const pair = mark >> 1;
  return [Math.floor(pair / GAPS) * D, (pair % GAPS) * D, (mark & 1) * D];
}

/** Calls back for each word under the kernel at a word, with its offset in the kernel. */
function forEachOffset(
  at: number,
  size: number,
  visit: (other: number, offset: number) => void,
): void {
  for (let offset = 0; offset < WIDTH; offset += 1) {
    const other = at + offset - (WIDTH >> 1);
    if (other >= 0 && other < size) visit(other, offset);
  }
}
