// Grams: runs of one or two bytes, and runs of three whose middle byte is between two words. A text that
// contains a string contains all of its grams, so a few lookups leave few texts to scan; strings within
// words are found by the dictionary of words. The number of a gram is its term in the postings.

import type { Posting } from './positions.ts';
import type { Postings, PostingsWriter } from './postings.ts';
import { isWordByte } from '../model/words.ts';

/** The longest gram, in bytes. */
const LONGEST_GRAM = 3;

/** Whether runs of three with this middle byte are grams. Bytes of other characters may be in words. */
function isBetweenWords(middle: number): boolean {
  return middle < 0x80 && !isWordByte(middle);
}

/** Grams are numbered by length, then by bytes. */
const FIRST_OF_TWO = 0x100;
const FIRST_OF_THREE = FIRST_OF_TWO + 0x1_00_00;
/** The grams of a long string that are looked up. */
const MAX_LOOKUPS = 48;
/** The number of possible grams. Other terms are numbered from here. */
export const GRAMS = FIRST_OF_THREE + 0x1_00_00_00;

export interface Texts {
  readonly bytes: Buffer;
  /** Start of each text, and the end of the last one. Each text ends with one terminator byte. */
  readonly starts: Uint32Array;
}

/** Adds the grams of texts to postings. */
export class GramWriter {
  readonly #texts: Texts;
  readonly #postings: PostingsWriter;
  /** Slots plus one, by gram: the short ones are most of the work. */
  readonly #shortSlots = new Uint32Array(FIRST_OF_THREE);
  readonly #longSlots = new Map<number, number>();

  constructor(texts: Texts, postings: PostingsWriter) {
    this.#texts = texts;
    this.#postings = postings;
  }

  add(position: number): void {
    const { bytes, starts } = this.#texts;
    const start = starts[position] as number;
    const end = (starts[position + 1] as number) - 1;
    let [before, previous] = [0, 0];
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (at > start + 1 && isBetweenWords(previous)) {
        this.#addLong(FIRST_OF_THREE + (before << 16) + (previous << 8) + byte, position);
      }
      if (at > start) this.#addShort(FIRST_OF_TWO + (previous << 8) + byte, position);
      this.#addShort(byte, position);
      [before, previous] = [previous, byte];
    }
  }

  #addShort(gram: number, position: number): void {
    const slot = this.#shortSlots[gram] || this.#postings.addTerm(gram) + 1;
    this.#shortSlots[gram] = slot;
    this.#postings.add(slot - 1, position);
  }

  #addLong(gram: number, position: number): void {
    const slot = this.#longSlots.get(gram) ?? this.#postings.addTerm(gram);
    this.#longSlots.set(gram, slot);
    this.#postings.add(slot, position);
  }
}

/** Further grams of a string rarely exclude more texts. */
const MAX_GRAMS = 8;

/** Which grams of a string are looked up: all, or only those between its words. */
export type GramChoice = 'all' | 'between words';

/** The postings of a string's rarest grams. If the string itself is a gram they are exact. Null if no text contains the string. */
export function rarestGrams(
  string: Uint8Array,
  postings: Postings,
  choice: GramChoice = 'all',
): Posting[] | null {
  const counted: { readonly gram: number; readonly count: number }[] = [];
  for (const gram of numbersOf(string, choice)) {
    const count = postings.countOf(gram);
    if (count === 0) return null;
    counted.push({ gram, count });
  }
  const rarest = counted.toSorted((a, b) => a.count - b.count).slice(0, MAX_GRAMS);
  return rarest.flatMap(({ gram }) => postings.of(gram) ?? []);
}

export function isGram(string: Uint8Array): boolean {
  if (string.length < LONGEST_GRAM) return true;
  return string.length === LONGEST_GRAM && isBetweenWords(string[1] as number);
}

/** The numbers of the grams that look up a string, at most MAX_LOOKUPS. */
function numbersOf(string: Uint8Array, choice: GramChoice): Set<number> {
  const [first = 0, second = 0] = string;
  if (string.length === 1) return new Set([first]);
  if (string.length === 2) return new Set([FIRST_OF_TWO + (first << 8) + second]);
  const grams = new Set<number>();
  const end = string.length - LONGEST_GRAM;
  for (let at = 0; at <= end && grams.size < MAX_LOOKUPS; at++) {
    const [a, b, c] = [string[at], string[at + 1], string[at + 2]] as [number, number, number];
    if (isBetweenWords(b)) {
      grams.add(FIRST_OF_THREE + (a << 16) + (b << 8) + c);
    } else if (choice === 'all') {
      grams.add(FIRST_OF_TWO + (a << 8) + b);
      grams.add(FIRST_OF_TWO + (b << 8) + c);
    }
  }
  return grams;
}
