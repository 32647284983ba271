// The sentence model: linear in the features of a sentence (features.ts), with a probability for each class
// (classes.ts). One model serves all verticals; each has biases of its own, and trades those of the wider one. It is
// trained in bench/evaluate/training.

import { readFileSync } from 'node:fs';
import { forVerticals } from '../../model/verticals.ts';
import { once } from '../once.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Evidence } from './evidence.ts';
import { FeatureExtractor } from './features.ts';
import type { GateFile } from './gate.ts';

/** A stored model, made by `npm run train`. Numbers are little-endian, in Base64. */
export interface ModelFile {
  readonly about: string;
  readonly classes: readonly string[];
  /** The hashes of the features in ascending order, 32 bits each. */
  readonly features: string;
  /** How many classes each feature has a weight for, 8 bits each. */
  readonly counts: string;
  /** The classes of these weights, in the order of the features, 8 bits each. */
  readonly columns: string;
  /** The weights, signed, 8 bits each. */
  readonly weights: string;
  /** Factor of the weights. */
  readonly scale: number;
  /** By vertical the bias of each class. */
  readonly biases: Readonly<Record<string, readonly number[]>>;
  readonly gate: GateFile;
}

/** Below this number of features their weight does not grow any more. */
const MIN_FEATURES = 6;
const STEEPNESS = 3;

/** The weight of each feature of a part of a text, by their number. */
export function weightOf(count: number): number {
  return STEEPNESS / Math.sqrt(Math.max(MIN_FEATURES, count));
}

export class SentenceModel {
  readonly classes: readonly string[];
  readonly #extractor = new FeatureExtractor();
  /** Open addressing: a feature is in the first free slot from its hash on; 0 is a free slot. */
  readonly #slots: Uint32Array;
  readonly #mask: number;
  readonly #hashes: Uint32Array;
  /** The weights of a feature are [starts[row], starts[row + 1]) of `columns` and `weights`. */
  readonly #starts: Uint32Array;
  readonly #columns: Uint8Array;
  readonly #weights: Int8Array;
  readonly #scale: number;
  readonly #biasesOf: (vertical: string) => Float64Array;
  /** The last pass that saw each feature, so that it counts once in a pass. */
  readonly #seenIn: Uint32Array;
  #pass = 0;

  constructor(file: Omit<ModelFile, 'about' | 'gate'>) {
    this.classes = file.classes;
    this.#hashes = new Uint32Array(bytesOf(file.features).buffer);
    this.#columns = bytesOf(file.columns);
    this.#weights = new Int8Array(bytesOf(file.weights).buffer);
    this.#scale = file.scale;
    const counts = bytesOf(file.counts);
    this.#starts = new Uint32Array(counts.length + 1);
    counts.forEach((count, row) => (this.#starts[row + 1] = this.#starts[row]! + count));
    const size = 2 ** Math.ceil(Math.log2(2 * counts.length + 2));
    this.#mask = size - 1;
    this.#slots = new Uint32Array(size);
    this.#hashes.forEach((feature, row) => {
      let slot = feature & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = row + 1;
    });
    this.#seenIn = new Uint32Array(counts.length);
    this.#biasesOf = forVerticals(
      Object.fromEntries(
        Object.entries(file.biases).map(([vertical, biases]) => [
          vertical,
          Float64Array.from(biases),
        ]),
      ),
    );
  }

  /** The logits of all classes for the tokens [from, to). `evidence` is that of the text. */
  logitsOf(
    annotated: AnnotatedText,
    evidence: readonly Evidence[],
    { from, to }: { readonly from: number; readonly to: number },
    vertical: string,
  ): Float64Array {
    return this.#sum(vertical, (add) =>
      this.#extractor.extract(annotated, evidence, from, to, add),
    );
  }

  logitsOfFeatures(features: Iterable<number>, vertical: string): Float64Array {
    return this.#sum(vertical, (add) => {
      for (const feature of features) add(feature);
    });
  }

  #sum(vertical: string, emit: (add: (feature: number) => void) => void): Float64Array {
    const sums = new Int32Array(this.classes.length);
    let count = 0;
    this.#pass = (this.#pass + 1) >>> 0;
    emit((feature) => {
      const row = this.#rowOf(feature);
      if (row < 0 || this.#seenIn[row] === this.#pass) return;
      this.#seenIn[row] = this.#pass;
      count += 1;
      const end = this.#starts[row + 1] as number;
      for (let at = this.#starts[row] as number; at < end; at += 1)
        sums[this.#columns[at]!]! += this.#weights[at]!;
    });
    const factor = weightOf(count) * this.#scale;
    const biases = this.#biasesOf(vertical);
    return Float64Array.from(sums, (sum, index) => sum * factor + (biases[index] as number));
  }

  #rowOf(feature: number): number {
    let slot = feature & this.#mask;
    for (;;) {
      const row = (this.#slots[slot] as number) - 1;
      if (row < 0 || this.#hashes[row] === feature) return row;
      slot = (slot + 1) & this.#mask;
    }
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64'));
}

/** The trained model, read on first use. */
export const MODEL_FILE = once(
  () => JSON.parse(readFileSync(new URL('./model.json', import.meta.url), 'utf8')) as ModelFile,
);

export const MODEL = once(() => new SentenceModel(MODEL_FILE()));
