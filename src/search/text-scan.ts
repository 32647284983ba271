// Finds the texts that contain a string, with WebAssembly that compares sixteen bytes per instruction
// (scan.wat). The whole index lies in memory that WebAssembly can read.

import { readFileSync } from 'node:fs';

const PAGE = 64 * 1024;
/** The address space of 32 bits, in pages. */
const MAX_PAGES = PAGE;
/** Bytes of the texts from which the frequencies of bytes are estimated. */
const SAMPLE_BYTES = PAGE;
const POSITION_BYTES = Uint32Array.BYTES_PER_ELEMENT;

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
  readonly #memory: WebAssembly.Memory;
  readonly #texts: SampledTexts;
  readonly #words: SampledTexts;
  readonly #keepContaining: KeepContaining;
  /** Addresses after the index: a list of positions, then the needle. */
  readonly #listAt: number;
  readonly #needleAt: number;

  /**
   * The texts and their words as codes are views of `memory`, which grows by the space for lists and
   * needles.
   */
  constructor(memory: WebAssembly.Memory, texts: MemoryTexts, words: MemoryTexts = texts) {
    this.#memory = memory;
    this.#texts = new SampledTexts(texts);
    this.#words = new SampledTexts(words);
    const program = new WebAssembly.Module(readFileSync(new URL('./scan.wasm', import.meta.url)));
    const { exports } = new WebAssembly.Instance(program, { scan: { memory } });
    this.#keepContaining = exports['keepHolding'] as KeepContaining;
    this.#listAt = memory.buffer.byteLength;
    this.#needleAt = this.#listAt + (texts.starts.length - 1) * POSITION_BYTES;
    this.#growTo(this.#needleAt + PAGE);
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
    // One vector beyond the needle is read.
    this.#growTo(this.#needleAt + needle.length + 16);
    const { buffer } = this.#memory;
    const list = new Uint32Array(buffer, this.#listAt, positions.length);
    list.set(positions);
    new Uint8Array(buffer, this.#needleAt, needle.length).set(needle);
    const { bytes, starts, byteCounts } = texts;
    const count = this.#keepContaining(
      this.#listAt,
      positions.length,
      bytes.byteOffset,
      starts.byteOffset,
      this.#needleAt,
      needle.length,
      ...rarestOf(needle, byteCounts),
    );
    return list.slice(0, count);
  }

  #growTo(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
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
