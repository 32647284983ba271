// Finds the texts that contain a string, with WebAssembly that compares sixteen bytes per instruction
// (scan.wat). The records and the whole index lie in memory that WebAssembly can read.

import { readFileSync } from 'node:fs';

const PAGE = 64 * 1024;
/** Bytes of the texts from which the frequencies of bytes are estimated. */
const SAMPLE_BYTES = PAGE;
const POSITION_BYTES = Uint32Array.BYTES_PER_ELEMENT;
/** The bit that distinguishes the cases of an ASCII letter. */
const CASE_BIT = 0x20;

/** Texts in the memory. */
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
  readonly #memory: WebAssembly.Memory;
  readonly #texts: SampledTexts;
  readonly #words: SampledTexts;
  readonly #keepContaining: KeepContaining;
  /** Addresses after the index: a list of positions, then the needle. */
  readonly #listAt: number;
  readonly #needleAt: number;

  /**
   * The texts and their words as codes are in `memory`, which grows by the space for lists and needles.
   */
  constructor(memory: WebAssembly.Memory, texts: MemoryTexts, words: MemoryTexts = texts) {
    this.#memory = memory;
    this.#texts = new SampledTexts(memory, texts);
    this.#words = new SampledTexts(memory, words);
    const program = new WebAssembly.Module(readFileSync(new URL('./scan.wasm', import.meta.url)));
    const { exports } = new WebAssembly.Instance(program, { scan: { memory } });
    this.#keepContaining = exports['keepHolding'] as KeepContaining;
    this.#listAt = memory.buffer.byteLength;
    this.#needleAt = this.#listAt + texts.starts.length * POSITION_BYTES;
    this.#growTo(this.#needleAt + PAGE);
  }

  /**
   * The positions whose texts contain the needle, in the given order. The needle is folded and not empty.
   */
  keepContaining(positions: Uint32Array, needle: Uint8Array): Uint32Array {
    return this.#keep(this.#texts, positions, needle);
  }

  /** The positions whose texts contain a sequence of words, given as their codes. */
  keepWithWords(positions: Uint32Array, codes: Uint8Array): Uint32Array {
    return this.#keep(this.#words, positions, codes);
  }

  #keep(sampled: SampledTexts, positions: Uint32Array, needle: Uint8Array): Uint32Array {
    const masksAt = this.#needleAt + needle.length;
    // One vector beyond a text is read.
    this.#growTo(masksAt + needle.length + 16);
    const { buffer } = this.#memory;
    const list = new Uint32Array(buffer, this.#listAt, positions.length);
    list.set(positions);
    new Uint8Array(buffer, this.#needleAt, needle.length).set(needle);
    const masks = new Uint8Array(buffer, masksAt, needle.length);
    needle.forEach((byte, offset) => (masks[offset] = sampled.maskOf(byte)));
    const { starts, ends, split } = sampled.texts;
    const count = this.#keepContaining(
      this.#listAt,
      positions.length,
      starts.byteOffset,
      ends.byteOffset,
      split,
      sampled.shift,
      this.#needleAt,
      masksAt,
      needle.length,
      ...rarestOf(needle, sampled.byteCounts),
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
