// Finds the texts that contain a string, with WebAssembly that compares sixteen bytes per instruction
// (scan.wat). The whole index lies in memory that WebAssembly can read.

import { readFileSync } from 'node:fs';
import type { SetMemory } from './set-memory.ts';

const PROGRAM = new WebAssembly.Module(readFileSync(new URL('./scan.wasm', import.meta.url)));

const PAGE = 64 * 1024;
/** The address space of 32 bits, in pages. */
const MAX_PAGES = PAGE;
/** Bytes of the texts from which the frequencies of bytes are estimated. */
const SAMPLE_BYTES = PAGE;
/** One vector beyond a needle is read. */
const VECTOR_BYTES = 16;

/** Copies bytes into shared memory that WebAssembly can read. */
export function copyToMemory(bytes: Uint8Array): WebAssembly.Memory {
  const initial = Math.max(1, Math.ceil(bytes.length / PAGE));
  const memory = new WebAssembly.Memory({ initial, maximum: MAX_PAGES, shared: true });
  new Uint8Array(memory.buffer).set(bytes);
  return memory;
}

/** Concatenated texts in the memory. */
export interface MemoryTexts {
  readonly bytes: Uint8Array;
  /** Start of each text, and the end of the last one. Each text ends with one terminator byte. */
  readonly starts: Uint32Array;
}

/** Parameters as in scan.wat: addresses, lengths and offsets. */
type KeepContaining = (
  list: number,
  count: number,
  texts: number,
  starts: number,
  needle: number,
  length: number,
  first: number,
  second: number,
) => number;

/** Texts with the frequency of each byte in a sample of them. */
class SampledTexts {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly byteCounts = new Uint32Array(0x100);

  constructor({ bytes, starts }: MemoryTexts) {
    this.bytes = bytes;
    this.starts = starts;
    for (const byte of bytes.subarray(0, SAMPLE_BYTES)) {
      this.byteCounts[byte] = (this.byteCounts[byte] as number) + 1;
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
    this.#texts = new SampledTexts(texts);
    this.#words = new SampledTexts(words);
    const { exports } = new WebAssembly.Instance(PROGRAM, { scan: { memory: sets.memory } });
    this.#keepContaining = exports['keepHolding'] as KeepContaining;
  }

  /**
   * The positions whose texts contain the needle, in the given order. The needle is not empty and
   * contains no terminator byte.
   */
  keepContaining(positions: Uint32Array, needle: Uint8Array): Uint32Array {
    return this.#keep(this.#texts, positions, needle);
  }

  /** The positions whose texts contain a sequence of words, given as their codes. */
  keepWithWords(positions: Uint32Array, codes: Uint8Array): Uint32Array {
    return this.#keep(this.#words, positions, codes);
  }

  #keep(texts: SampledTexts, positions: Uint32Array, needle: Uint8Array): Uint32Array {
    const list = this.#sets.copy(positions);
    const wanted = this.#sets.newBytes(needle.length + VECTOR_BYTES, 0);
    wanted.set(needle);
    const { bytes, starts, byteCounts } = texts;
    const count = this.#keepContaining(
      list.byteOffset,
      list.length,
      bytes.byteOffset,
      starts.byteOffset,
      wanted.byteOffset,
      needle.length,
      ...rarestOf(needle, byteCounts),
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
