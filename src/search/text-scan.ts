// Looks which of some texts hold a string, by a few instructions of WebAssembly that compare sixteen
// bytes at a time (scan.wat). The texts lie in memory that WebAssembly can read: the whole index does.

import { readFileSync } from 'node:fs';

const PAGE = 64 * 1024;
/** All that 32 bits can address, in pages. */
const MOST_PAGES = PAGE;
/** So much of the texts tells which bytes are common. */
const SAMPLE = PAGE;
const POSITION_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** Bytes in memory that WebAssembly can read, and that threads can hand to one another. */
export function placeInMemory(bytes: Uint8Array): WebAssembly.Memory {
  const initial = Math.max(1, Math.ceil(bytes.length / PAGE));
  const memory = new WebAssembly.Memory({ initial, maximum: MOST_PAGES, shared: true });
  new Uint8Array(memory.buffer).set(bytes);
  return memory;
}

/** Texts that lie one after another in a memory. */
export interface PlacedTexts {
  readonly bytes: Uint8Array;
  /** Where each begins, with one more at the end. The last byte of each is no part of it. */
  readonly starts: Uint32Array;
}

/** The parameters as scan.wat names them; all are addresses, lengths or offsets. */
type KeepHolding = (
  list: number,
  count: number,
  texts: number,
  starts: number,
  needle: number,
  length: number,
  first: number,
  second: number,
) => number;

export class TextScan {
  readonly #memory: WebAssembly.Memory;
  readonly #texts: PlacedTexts;
  readonly #keepHolding: KeepHolding;
  /** How often each byte is in a part of the texts. */
  readonly #byteCounts = new Uint32Array(0x100);
  /** Where lists and needles are put: a list of all positions, and then the needle. */
  readonly #listAt: number;
  readonly #needleAt: number;

  /** The texts lie in the memory, which grows by what searching takes. */
  constructor(memory: WebAssembly.Memory, texts: PlacedTexts) {
    this.#memory = memory;
    this.#texts = texts;
    for (const byte of texts.bytes.subarray(0, SAMPLE)) {
      this.#byteCounts[byte] = (this.#byteCounts[byte] as number) + 1;
    }
    const program = new WebAssembly.Module(readFileSync(new URL('./scan.wasm', import.meta.url)));
    const { exports } = new WebAssembly.Instance(program, { scan: { memory } });
    this.#keepHolding = exports['keepHolding'] as KeepHolding;
    this.#listAt = memory.buffer.byteLength;
    this.#needleAt = this.#listAt + (texts.starts.length - 1) * POSITION_BYTES;
    this.#growTo(this.#needleAt + PAGE);
  }

  /**
   * Of these positions, ascending, those whose texts hold the needle, which is not empty and has no
   * byte that ends a text.
   */
  holding(positions: Uint32Array, needle: Uint8Array): Uint32Array {
    // As far beyond the needle as is looked at once.
    this.#growTo(this.#needleAt + needle.length + 16);
    const { buffer } = this.#memory;
    const list = new Uint32Array(buffer, this.#listAt, positions.length);
    list.set(positions);
    new Uint8Array(buffer, this.#needleAt, needle.length).set(needle);
    const { bytes, starts } = this.#texts;
    const count = this.#keepHolding(
      this.#listAt,
      positions.length,
      bytes.byteOffset,
      starts.byteOffset,
      this.#needleAt,
      needle.length,
      ...this.#rarestOf(needle),
    );
    return list.slice(0, count);
  }

  /** Two places of a needle whose bytes are the rarest in the texts. */
  #rarestOf(needle: Uint8Array): [number, number] {
    const rarestBut = (other: number) => {
      let [best, least] = [0, Infinity];
      needle.forEach((byte, place) => {
        const count = this.#byteCounts[byte] as number;
        // Of equals the last: far apart they say more.
        if (count <= least && place !== other) [best, least] = [place, count];
      });
      return best;
    };
    const first = rarestBut(-1);
    return [first, rarestBut(first)];
  }

  #growTo(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
  }
}
