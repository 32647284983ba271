// Finds the texts that contain a string, with WebAssembly that compares sixteen bytes per instruction
// (scan.wat). The records and the whole index lie in memory that WebAssembly can read.

import { readFileSync } from 'node:fs';
import type { SetMemory } from './set-memory.ts';

const PROGRAM = new WebAssembly.Module(readFileSync(new URL('./scan.wasm', import.meta.url)));

const PAGE = 64 * 1024;
/** Bytes of the texts from which the frequencies of bytes are estimated. */
const SAMPLE_BYTES = PAGE;
/** The bit that distinguishes the cases of an ASCII letter. */
const CASE_BIT = 0x20;
/** One vector beyond a needle is read. */
const VECTOR_BYTES = 16;

export interface MemoryTexts {
  /** Of each text: an address below `split`; from there on, `split` plus an offset in `bytes`. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly split: number;
  readonly bytes: Uint8Array;
  /** Whether capital ASCII letters in the texts equal small ones in the needle. */
  readonly ignoresCase: boolean;
}

/** Parameters as in scan.wat: addresses, lengths and offsets. */
type KeepContaining = (
  list: number,
  count: number,
  starts: number,
  ends: number,
  split: number,
  shift: number,
  needle: number,
  masks: number,
  length: number,
  first: number,
  second: number,
) => number;

/** Texts with the frequency of each byte in a sample of them. */
class SampledTexts {
  readonly texts: MemoryTexts;
  /** What is added to a start from `split` on for its address. */
  readonly shift: number;
  readonly byteCounts = new Uint32Array(0x100);

  constructor(memory: WebAssembly.Memory, texts: MemoryTexts) {
    const { starts, ends, split, bytes } = texts;
    this.texts = texts;
    this.shift = bytes.byteOffset - split;
    const all = new Uint8Array(memory.buffer);
    let left = SAMPLE_BYTES;
    for (let position = 0; position < starts.length && left > 0; position++) {
      const start = starts[position] as number;
      const length = Math.min((ends[position] as number) - start, left);
      const at = start < split ? start : start + this.shift;
      this.#count(all.subarray(at, at + length));
      left -= length;
    }
  }

  /** What is set in the bytes of texts before they are compared with a byte of a needle. */
  maskOf(byte: number): number {
    const isLetter = byte >= 0x61 && byte <= 0x7a;
    return this.texts.ignoresCase && isLetter ? CASE_BIT : 0;
  }

  #count(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const small = byte | CASE_BIT;
      const counted = this.maskOf(small) === 0 ? byte : small;
      this.byteCounts[counted] = (this.byteCounts[counted] as number) + 1;
    }
  }
}

export class TextScan {
  readonly #sets: SetMemory;
  readonly #texts: SampledTexts;
  readonly #words: SampledTexts;
  readonly #keepContaining: KeepContaining;

  /** The texts and their words as codes are in the memory of the sets. */
  constructor(sets: SetMemory, texts: MemoryTexts, words: MemoryTexts = texts) {
    this.#sets = sets;
    this.#texts = new SampledTexts(sets.memory, texts);
    this.#words = new SampledTexts(sets.memory, words);
    const { exports } = new WebAssembly.Instance(PROGRAM, { scan: { memory: sets.memory } });
    this.#keepContaining = exports['keepContaining'] as KeepContaining;
  }

  /** The positions whose texts contain the needle, in the given order. The needle is folded and not empty. */
  keepContaining(positions: Uint32Array, needle: Uint8Array): Uint32Array {
    return this.#keep(this.#texts, positions, needle);
  }

  keepWithWords(positions: Uint32Array, codes: Uint8Array): Uint32Array {
    return this.#keep(this.#words, positions, codes);
  }

  #keep(sampled: SampledTexts, positions: Uint32Array, needle: Uint8Array): Uint32Array {
    const list = this.#sets.copy(positions);
    const wanted = this.#sets.newBytes(needle.length + VECTOR_BYTES, 0);
    wanted.set(needle);
    const masks = this.#sets.newBytes(needle.length + VECTOR_BYTES, 0);
    needle.forEach((byte, offset) => (masks[offset] = sampled.maskOf(byte)));
    const { starts, ends, split } = sampled.texts;
    const count = this.#keepContaining(
      list.byteOffset,
      list.length,
      starts.byteOffset,
      ends.byteOffset,
      split,
      sampled.shift,
      wanted.byteOffset,
      masks.byteOffset,
      needle.length,
      ...rarestOf(needle, sampled.byteCounts),
    );
    return list.subarray(0, count);
  }
}

/** Offsets of the two bytes of the needle that are rarest in the texts. */
function rarestOf(needle: Uint8Array, byteCounts: Uint32Array): [number, number] {
  const rarestBut = (other: number) => {
    let [best, least] = [0, Infinity];
    needle.forEach((byte, offset) => {
      const count = byteCounts[byte] as number;
      // Prefer the last of equals: bytes far apart are more selective.
      if (count <= least && offset !== other) [best, least] = [offset, count];
    });
    return best;
  };
  const first = rarestBut(-1);
  return [first, rarestBut(first)];
}
