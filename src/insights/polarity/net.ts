// The polarity net: how likely the words around a thing praise it, say nothing about it, or complain about
// it. One convolution over word vectors, several attentions that weigh the words by content and position,
// and a linear layer. It is trained in bench/evaluate/training/polarity.
//
// The convolution is linear in the words, so what each word contributes is computed once and added up.

import { CLAUSES, DISTANCES, LONGEST_INPUT, MARKS, type PolarityInput } from './input.ts';

/** Sizes of the net: of a word vector, of the convolution's output and width, and the number of attentions. */
export const SIZES = { vector: 16, hidden: 32, width: 5, heads: 4 } as const;
const { vector: D, hidden: H, width: WIDTH, heads: HEADS } = SIZES;
const POOLED = HEADS * H + D;

/** The shapes of the weights, row by row. Words come first: unknown, number, amount of money, then the list. */
export const SHAPES = {
  vectors: [0, D],
  marks: [MARKS, D],
  kernel: [WIDTH * D, H],
  bias: [1, H],
  distances: [DISTANCES, H],
  clauses: [CLAUSES, H],
  heads: [HEADS, H],
  headsOfThing: [HEADS * D, H],
  headsByDistance: [HEADS, DISTANCES],
  headsByClause: [HEADS, CLAUSES],
  output: [3, POOLED],
  outputBias: [1, 3],
} as const satisfies Record<string, readonly [number, number]>;
export type WeightName = keyof typeof SHAPES;

/** Signed bytes in base 64; a weight is its byte times the scale of its column. */
export interface StoredWeights {
  readonly scales: readonly number[];
  readonly bytes: string;
}

/** The stored net, made by `npm run train:polarity`. */
export interface PolarityFile {
  readonly about: string;
  /** All known words, separated by spaces. */
  readonly words: string;
  readonly weights: Readonly<Record<WeightName, StoredWeights>>;
}

/** How likely words praise a thing, say nothing about it, or complain about it; the sum is 1. */
export interface Polarity {
  readonly positive: number;
  readonly neutral: number;
  readonly negative: number;
}

export const SPECIAL_WORDS = { unknown: 0, number: 1, money: 2, first: 3 } as const;

/** The number of a word in a list of known words. */
export function numberOfWord(known: ReadonlyMap<string, number>, word: string): number {
  const number = known.get(word);
  if (number !== undefined) return number;
  const code = word.charCodeAt(0);
  if (code === 36) return SPECIAL_WORDS.money;
  return code >= 48 && code <= 57 ? SPECIAL_WORDS.number : SPECIAL_WORDS.unknown;
}

export class PolarityNet {
  readonly #known: ReadonlyMap<string, number>;
  readonly #weights: Readonly<Record<WeightName, Float32Array>>;
  /** What each word without marks adds to the convolution at every offset; computed on first use. */
  readonly #ofWords: (Float32Array | undefined)[];
  /** What each mark adds to that; null for the first one, which is no mark. */
  readonly #ofMarks: readonly (Float32Array | null)[];
  // Buffers of one pass, overwritten by the next.
  readonly #numbers = new Int32Array(LONGEST_INPUT);
  readonly #hidden = new Float32Array(LONGEST_INPUT * H);
  readonly #shares = new Float32Array(LONGEST_INPUT);
  readonly #query = new Float32Array(H);
  readonly #pooled = new Float32Array(POOLED);

  constructor({ words, weights }: PolarityFile) {
    const list = words.split(' ');
    this.#known = new Map(list.map((word, index) => [word, index + SPECIAL_WORDS.first]));
    this.#weights = decodeWeights(weights, list.length + SPECIAL_WORDS.first);
    this.#ofWords = Array.from({ length: list.length + SPECIAL_WORDS.first });
    const { marks } = this.#weights;
    const unmarked = marks.slice(0, D);
    this.#ofMarks = Array.from({ length: MARKS }, (_, mark) =>
      mark === 0
        ? null
        : this.#convolved(unmarked.map((value, d) => (marks[mark * D + d] as number) - value)),
    );
  }

  polarityOf(input: PolarityInput): Polarity {
    input.words.forEach((word, at) => {
      this.#numbers[at] = numberOfWord(this.#known, word);
    });
    this.#convolve(input);
    this.#averageThing(input);
    for (let head = 0; head < HEADS; head += 1) this.#attend(input, head);
    const scores = [this.#scoreOf(0), this.#scoreOf(1), this.#scoreOf(2)] as const;
    const most = Math.max(...scores);
    const positive = Math.exp(scores[0] - most);
    const neutral = Math.exp(scores[1] - most);
    const negative = Math.exp(scores[2] - most);
    const sum = positive + neutral + negative;
    return { positive: positive / sum, neutral: neutral / sum, negative: negative / sum };
  }

  /** The score of a class of the output before it becomes a probability. */
  #scoreOf(index: number): number {
    const { output, outputBias } = this.#weights;
    let sum = outputBias[index] as number;
    for (let at = 0; at < POOLED; at += 1) {
      sum += this.#pooled[at]! * output[index * POOLED + at]!;
    }
    return sum;
  }

  /** What a vector adds to the convolution at each offset. */
  #convolved(vector: Float32Array): Float32Array {
    const { kernel } = this.#weights;
    const result = new Float32Array(WIDTH * H);
    for (let offset = 0; offset < WIDTH; offset += 1) {
      for (let d = 0; d < D; d += 1) {
        const value = vector[d] as number;
        const from = (offset * D + d) * H;
        for (let h = 0; h < H; h += 1) result[offset * H + h]! += value * kernel[from + h]!;
      }
    }
    return result;
  }

  #convolvedWord(number: number): Float32Array {
    const { vectors, marks } = this.#weights;
    return (this.#ofWords[number] ??= this.#convolved(
      vectors.slice(number * D, (number + 1) * D).map((value, d) => value + marks[d]!),
    ));
  }

  /** Computes the convolution at every word, negative values cut to zero. */
  #convolve({ words: { length }, marks, distances, clauses }: PolarityInput): void {
    const { bias, distances: ofDistances, clauses: ofClauses } = this.#weights;
    const hidden = this.#hidden;
    for (let at = 0; at < length; at += 1) {
      const [distance, clause, own] = [distances[at]! * H, clauses[at]! * H, at * H];
      for (let h = 0; h < H; h += 1) {
        hidden[own + h] = bias[h]! + ofDistances[distance + h]! + ofClauses[clause + h]!;
      }
    }
    for (let at = 0; at < length; at += 1) {
      addAround(hidden, length, at, this.#convolvedWord(this.#numbers[at]!));
      const mark = this.#ofMarks[marks[at]!];
      if (mark) addAround(hidden, length, at, mark);
    }
    const end = length * H;
    for (let at = 0; at < end; at += 1) if (hidden[at]! < 0) hidden[at] = 0;
  }

  /** Writes the mean vector of the words of the thing behind the attentions' results. */
  #averageThing({ marks, from, to }: PolarityInput): void {
    const { vectors, marks: ofMarks } = this.#weights;
    const pooled = this.#pooled.fill(0);
    for (let at = from; at < to; at += 1) {
      const [word, mark] = [this.#numbers[at]! * D, marks[at]! * D];
      for (let d = 0; d < D; d += 1) {
        pooled[HEADS * H + d]! += (vectors[word + d]! + ofMarks[mark + d]!) / (to - from);
      }
    }
  }

  /** Adds the words, weighted by one attention. */
  #attend(input: PolarityInput, head: number): void {
    const { heads, headsOfThing } = this.#weights;
    const [query, pooled, hidden, shares] = [this.#query, this.#pooled, this.#hidden, this.#shares];
    for (let h = 0; h < H; h += 1) query[h] = heads[head * H + h]!;
    for (let d = 0; d < D; d += 1) {
      const [value, from] = [pooled[HEADS * H + d]!, (head * D + d) * H];
      for (let h = 0; h < H; h += 1) query[h]! += value * headsOfThing[from + h]!;
    }
    this.#share(input, head);
    for (let at = 0; at < input.words.length; at += 1) {
      const [share, own] = [shares[at]!, at * H];
      for (let h = 0; h < H; h += 1) pooled[head * H + h]! += share * hidden[own + h]!;
    }
  }

  /** Computes the shares of the words in one attention; the sum is 1. */
  #share({ words: { length }, distances, clauses }: PolarityInput, head: number): void {
    const { headsByDistance, headsByClause } = this.#weights;
    const [query, hidden, shares] = [this.#query, this.#hidden, this.#shares];
    let most = -Infinity;
    for (let at = 0; at < length; at += 1) {
      let score =
        headsByDistance[head * DISTANCES + distances[at]!]! +
        headsByClause[head * CLAUSES + clauses[at]!]!;
      for (let h = 0; h < H; h += 1) score += hidden[at * H + h]! * query[h]!;
      shares[at] = score;
      if (score > most) most = score;
    }
    let sum = 0;
    for (let at = 0; at < length; at += 1) sum += shares[at] = Math.exp(shares[at]! - most);
    for (let at = 0; at < length; at += 1) shares[at]! /= sum;
  }
}

/** Adds what a word contributes to the convolution at itself and at its neighbours. */
function addAround(hidden: Float32Array, length: number, at: number, added: Float32Array): void {
  for (let offset = 0; offset < WIDTH; offset += 1) {
    const to = at - offset + (WIDTH >> 1);
    if (to < 0 || to >= length) continue;
    const [own, from] = [to * H, offset * H];
    for (let h = 0; h < H; h += 1) hidden[own + h]! += added[from + h]!;
  }
}

/** @throws {Error} naming weights whose number is not that of their shape */
function decodeWeights(
  stored: PolarityFile['weights'],
  words: number,
): Readonly<Record<WeightName, Float32Array>> {
  const entries = Object.entries(SHAPES).map(([name, [rows, columns]]) => {
    const { scales, bytes } = stored[name as WeightName];
    const values = new Int8Array(Buffer.from(bytes, 'base64'));
    const expected = (name === 'vectors' ? words : rows) * columns;
    if (values.length !== expected || scales.length !== columns) {
      throw new Error(`polarity weights ${name}: expected ${expected}, got ${values.length}`);
    }
    return [name, Float32Array.from(values, (value, at) => value * scales[at % columns]!)] as const;
  });
  return Object.fromEntries(entries) as Record<WeightName, Float32Array>;
}
