// Which texts hold which grams: runs of one, two or three bytes. A text that holds a string holds all
// of its grams, so a few lookups leave little to be searched.

import { lowerBound } from './lower-bound.ts';

/** The longest gram, in bytes. */
export const LONGEST_GRAM = 3;

/** Grams are numbered by length, then by bytes. */
const FIRST_OF_TWO = 0x100;
const FIRST_OF_THREE = FIRST_OF_TWO + 0x1_00_00;
const GRAMS = FIRST_OF_THREE + 0x1_00_00_00;
const WORD_BITS = 32;

/** Postings as arrays, for the store and for handing them to another thread. */
export type GramSections = {
  /** Numbers of the grams that any text holds, ascending. */
  readonly grams: Uint32Array;
  /** How many texts hold each. */
  readonly gramCounts: Uint32Array;
  /** Where the positions of each begin: of a rare one in `gramGaps`, of a common one in `gramBits`. */
  readonly gramStarts: Uint32Array;
  /** Distances from one position to the next, as varints of seven bits a byte. */
  readonly gramGaps: Uint8Array;
  /** A bit for each text. */
  readonly gramBits: Uint32Array;
};

/** Whether a bit for each text takes less room than distances do. */
function isCommon(count: number, texts: number): boolean {
  return count * 8 > texts;
}

/** Texts that lie one after another. */
export interface Texts {
  readonly bytes: Uint8Array;
  /** Where each begins, with one more at the end. */
  readonly starts: Uint32Array;
  /** Bytes at the end of each that are no part of it. */
  readonly terminator: number;
}

/** Builds the postings in two passes: one measures, one writes. */
export function buildGrams(texts: Texts): GramSections {
  const length = texts.starts.length - 1;
  const measured = measure(texts);
  const order = Array.from({ length: measured.size }, (_, slot) => slot).toSorted(
    (a, b) => (measured.gramOf[a] as number) - (measured.gramOf[b] as number),
  );
  const words = Math.ceil(length / WORD_BITS);
  const startOf = new Uint32Array(measured.size);
  let [gapBytes, bitWords] = [0, 0];
  for (const slot of order) {
    if (isCommon(measured.counts[slot] as number, length)) {
      startOf[slot] = bitWords;
      bitWords += words;
    } else {
      startOf[slot] = gapBytes;
      gapBytes += measured.gapBytes[slot] as number;
    }
  }
  const gramGaps = new Uint8Array(gapBytes);
  const gramBits = new Uint32Array(bitWords);
  write(texts, measured, startOf, gramGaps, gramBits);
  return {
    grams: Uint32Array.from(order, (slot) => measured.gramOf[slot] as number),
    gramCounts: Uint32Array.from(order, (slot) => measured.counts[slot] as number),
    gramStarts: Uint32Array.from(order, (slot) => startOf[slot] as number),
    gramGaps,
    gramBits,
  };
}

/** What the first pass finds out, by slots that grams get when they are first met. */
interface Measured {
  /** Slot of each gram, plus one; 0 where no text holds it. */
  readonly slots: Uint32Array;
  readonly gramOf: number[];
  readonly counts: number[];
  readonly gapBytes: number[];
  readonly size: number;
}

function measure(texts: Texts): Measured {
  const slots = new Uint32Array(GRAMS);
  const gramOf: number[] = [];
  const counts: number[] = [];
  const gapBytes: number[] = [];
  const last: number[] = [];
  forEachGram(texts, (gram, position) => {
    let slot = (slots[gram] as number) - 1;
    if (slot < 0) {
      slot = gramOf.push(gram) - 1;
      slots[gram] = slot + 1;
      counts.push(0);
      gapBytes.push(0);
      last.push(-1);
    }
    const before = last[slot] as number;
    if (before === position) return;
    counts[slot] = (counts[slot] as number) + 1;
    gapBytes[slot] = (gapBytes[slot] as number) + varintLength(position - before);
    last[slot] = position;
  });
  return { slots, gramOf, counts, gapBytes, size: gramOf.length };
}

function write(
  texts: Texts,
  { slots, counts, size }: Measured,
  startOf: Uint32Array,
  gaps: Uint8Array,
  bits: Uint32Array,
): void {
  const length = texts.starts.length - 1;
  const last = new Int32Array(size).fill(-1);
  const cursors = startOf.slice();
  forEachGram(texts, (gram, position) => {
    const slot = (slots[gram] as number) - 1;
    const before = last[slot] as number;
    if (before === position) return;
    last[slot] = position;
    if (isCommon(counts[slot] as number, length)) {
      const word = (startOf[slot] as number) + (position >>> 5);
      bits[word] = (bits[word] as number) | (1 << (position & 31));
      return;
    }
    let at = cursors[slot] as number;
    let gap = position - before;
    for (; gap > 0x7f; gap >>>= 7) gaps[at++] = (gap & 0x7f) | 0x80;
    gaps[at++] = gap;
    cursors[slot] = at;
  });
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) length += 1;
  return length;
}

/** Calls for every gram of every text, with the position of the text; a gram may come again. */
function forEachGram(
  { bytes, starts, terminator }: Texts,
  visit: (gram: number, position: number) => void,
): void {
  for (let position = 0; position < starts.length - 1; position++) {
    const end = (starts[position + 1] as number) - terminator;
    let pair = 0;
    let run = 0;
    for (let at = starts[position] as number; at < end; at++) {
      const byte = bytes[at] as number;
      visit(byte, position);
      if (run > 0) visit(FIRST_OF_TWO + ((pair & 0xff) << 8) + byte, position);
      if (run > 1) visit(FIRST_OF_THREE + (pair << 8) + byte, position);
      pair = ((pair & 0xff) << 8) | byte;
      run += 1;
    }
  }
}

/** The postings of one gram. */
export interface Posting {
  /** How many texts hold the gram. */
  readonly count: number;
  /** A bit for each text, where the gram is common. */
  readonly bits: Uint32Array | null;
  /** The positions, ascending; decoded when asked for. */
  readonly positions: () => Uint32Array;
}

export class GramIndex {
  readonly #sections: GramSections;
  /** How many texts there are. */
  readonly #length: number;

  constructor(sections: GramSections, length: number) {
    this.#sections = sections;
    this.#length = length;
  }

  /**
   * The postings of a string's grams, rarest first: the one of a string of up to three bytes, which
   * says exactly what texts hold it, or those of all its runs of three. Null where no text can hold
   * the string.
   */
  postingsOf(string: Uint8Array): Posting[] | null {
    const postings: Posting[] = [];
    for (const gram of gramsOf(string)) {
      const posting = this.#find(gram);
      if (!posting) return null;
      postings.push(posting);
    }
    return postings.toSorted((a, b) => a.count - b.count);
  }

  #find(gram: number): Posting | null {
    const { grams, gramCounts, gramStarts, gramBits } = this.#sections;
    const place = lowerBound(grams.length, (at) => (grams[at] as number) >= gram);
    if (grams[place] !== gram) return null;
    const count = gramCounts[place] as number;
    const start = gramStarts[place] as number;
    const words = Math.ceil(this.#length / WORD_BITS);
    const bits = isCommon(count, this.#length) ? gramBits.subarray(start, start + words) : null;
    return { count, bits, positions: () => this.#decode(start, count, bits) };
  }

  #decode(start: number, count: number, bits: Uint32Array | null): Uint32Array {
    const positions = new Uint32Array(count);
    if (bits) {
      let place = 0;
      forEachBit(bits, (position) => {
        positions[place++] = position;
      });
      return positions;
    }
    const { gramGaps } = this.#sections;
    let at = start;
    let position = -1;
    for (let place = 0; place < count; place++) {
      let gap = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = gramGaps[at++] as number;
        gap |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      position += gap;
      positions[place] = position;
    }
    return positions;
  }
}

/** Numbers of the grams by which a string is looked up, each once. */
function gramsOf(string: Uint8Array): Set<number> {
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

/** Calls for every bit that is set, ascending. */
export function forEachBit(bits: Uint32Array, visit: (position: number) => void): void {
  for (let place = 0; place < bits.length; place++) {
    for (let word = bits[place] as number; word !== 0; word &= word - 1) {
      visit(place * WORD_BITS + (31 - Math.clz32(word & -word)));
    }
  }
}
