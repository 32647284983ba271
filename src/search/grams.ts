// Grams: runs of one, two or three bytes. A text that holds a string holds all of its grams, so a few
// lookups leave little to be searched. A gram's number is the term by which it is found.

import type { Posting } from './positions.ts';
import type { Postings, PostingsWriter } from './postings.ts';

/** The longest gram, in bytes. */
export const LONGEST_GRAM = 3;

/** Grams are numbered by length, then by bytes. */
const FIRST_OF_TWO = 0x100;
const FIRST_OF_THREE = FIRST_OF_TWO + 0x1_00_00;
/** How many terms are grams: others are numbered from here. */
export const GRAMS = FIRST_OF_THREE + 0x1_00_00_00;

/** Texts that lie one after another. */
export interface Texts {
  readonly bytes: Uint8Array;
  /** Where each begins, with one more at the end. The last byte of each is no part of it. */
  readonly starts: Uint32Array;
}

/** Adds the grams of texts to postings, once for each pass. */
export class GramWriter {
  readonly #texts: Texts;
  readonly #postings: PostingsWriter;
  /** Texts use few of all bytes: numbers for those that they use make the tables of slots small. */
  readonly #codes: Uint8Array;
  readonly #codeCount: number;
  /** Of grams by the codes of their bytes: their slots, plus one. */
  readonly #slots: readonly [Uint32Array, Uint32Array, Uint32Array];

  constructor(texts: Texts, postings: PostingsWriter) {
    this.#texts = texts;
    this.#postings = postings;
    this.#codes = new Uint8Array(0x100);
    const isUsed = new Uint8Array(0x100);
    const { bytes } = texts;
    // By places: the iterator of an array takes several times as long.
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
    // Of the byte before, and of that and the one before it: the bytes, and their codes as one number.
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

  #addGram(slots: Uint32Array, place: number, gram: number, position: number): void {
    let slot = slots[place] as number;
    if (slot === 0) {
      slot = this.#postings.addTerm(gram) + 1;
      slots[place] = slot;
    }
    this.#postings.add(slot - 1, position);
  }
}

/** More of a string's grams would hardly narrow down further. */
const ENOUGH = 8;

/**
 * The postings of a string's grams: the one of a string of up to three bytes, which says exactly what
 * texts hold it, or the rarest of all its runs of three. Null where no text can hold the string.
 */
export function rarestGrams(string: Uint8Array, postings: Postings): Posting[] | null {
  const counted: { readonly gram: number; readonly count: number }[] = [];
  for (const gram of numbersOf(string)) {
    const count = postings.countOf(gram);
    if (count === 0) return null;
    counted.push({ gram, count });
  }
  const rarest = counted.toSorted((a, b) => a.count - b.count).slice(0, ENOUGH);
  return rarest.flatMap(({ gram }) => postings.of(gram) ?? []);
}

/** Numbers of the grams by which a string is looked up, each once. */
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
