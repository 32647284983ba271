// Grams: runs of one, two or three bytes. A text that contains a string contains all of its grams, so a
// few lookups leave few texts to scan. The number of a gram is its term in the postings.

import type { Posting } from './positions.ts';
import type { Postings, PostingsWriter } from './postings.ts';

/** The longest gram, in bytes. */
export const LONGEST_GRAM = 3;

/** Grams are numbered by length, then by bytes. */
const FIRST_OF_TWO = 0x100;
const FIRST_OF_THREE = FIRST_OF_TWO + 0x1_00_00;
/** The number of possible grams. Other terms are numbered from here. */
export const GRAMS = FIRST_OF_THREE + 0x1_00_00_00;

/** Concatenated texts. */
export interface Texts {
  readonly bytes: Uint8Array;
  /** Start of each text, and the end of the last one. Each text ends with one terminator byte. */
  readonly starts: Uint32Array;
}

/** Adds the grams of texts to postings; used once for each pass of the writer. */
export class GramWriter {
  readonly #texts: Texts;
  readonly #postings: PostingsWriter;
  /** Numbers for the bytes that occur. Texts use few bytes, so this keeps the tables of slots small. */
  readonly #codes: Uint8Array;
  readonly #codeCount: number;
  /** Slot plus one of each gram, by the codes of its bytes. */
  readonly #slots: readonly [Uint32Array, Uint32Array, Uint32Array];

  constructor(texts: Texts, postings: PostingsWriter) {
    this.#texts = texts;
    this.#postings = postings;
    this.#codes = new Uint8Array(0x100);
    const isUsed = new Uint8Array(0x100);
    const { bytes } = texts;
    // Iterating over the array would take several times as long.
    for (let at = 0; at < bytes.length; at++) isUsed[bytes[at] as number] = 1;
    let count = 0;
    isUsed.forEach((used, byte) => {
      if (used === 1) this.#codes[byte] = count++;
    });
    this.#codeCount = count;
    this.#slots = [
      new Uint32Array(count),
      new Uint32Array(count ** 2),
      new Uint32Array(count ** LONGEST_GRAM),
    ];
  }

  /** Adds the grams of the text at a position. */
  add(position: number): void {
    const { bytes, starts } = this.#texts;
    const [ones, twos, threes] = this.#slots;
    const codes = this.#codes;
    const codeCount = this.#codeCount;
    const end = (starts[position + 1] as number) - 1;
    // `code` is the code of the previous byte; `pair` and `pairCode` are of the previous two bytes.
    let [pair, pairCode, code] = [0, 0, 0];
    let length = 0;
    for (let at = starts[position] as number; at < end; at++) {
      const byte = bytes[at] as number;
      const own = codes[byte] as number;
      if (length > 1) {
        const three = pairCode * codeCount + own;
        this.#addGram(threes, three, FIRST_OF_THREE + (pair << 8) + byte, position);
      }
      pair = ((pair & 0xff) << 8) | byte;
      pairCode = code * codeCount + own;
      code = own;
      if (length > 0) this.#addGram(twos, pairCode, FIRST_OF_TWO + pair, position);
      this.#addGram(ones, own, byte, position);
      length += 1;
    }
  }

  #addGram(slots: Uint32Array, index: number, gram: number, position: number): void {
    let slot = slots[index] as number;
    if (slot === 0) {
      slot = this.#postings.addTerm(gram) + 1;
      slots[index] = slot;
    }
    this.#postings.add(slot - 1, position);
  }
}

/** Further grams of a string rarely exclude more texts. */
const MAX_GRAMS = 8;

/**
 * The postings of a string's grams. A string of up to three bytes has one posting, which is exact; a
 * longer one has those of its rarest runs of three. Null if no text contains the string.
 */
export function rarestGrams(string: Uint8Array, postings: Postings): Posting[] | null {
  const counted: { readonly gram: number; readonly count: number }[] = [];
  for (const gram of numbersOf(string)) {
    const count = postings.countOf(gram);
    if (count === 0) return null;
    counted.push({ gram, count });
  }
  const rarest = counted.toSorted((a, b) => a.count - b.count).slice(0, MAX_GRAMS);
  return rarest.flatMap(({ gram }) => postings.of(gram) ?? []);
}

/** The numbers of the grams that look up a string. */
function numbersOf(string: Uint8Array): Set<number> {
  const [first = 0, second = 0] = string;
  if (string.length === 1) return new Set([first]);
  if (string.length === 2) return new Set([FIRST_OF_TWO + (first << 8) + second]);
  const grams = new Set<number>();
  for (let at = 0; at + LONGEST_GRAM <= string.length; at++) {
    const [a, b, c] = [string[at], string[at + 1], string[at + 2]] as [number, number, number];
    grams.add(FIRST_OF_THREE + (a << 16) + (b << 8) + c);
  }
  return grams;
}
