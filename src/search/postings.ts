// Postings: for each term, the positions of the reviews that have it. A term is a number for a value that
// a review can have.

import { lowerBound } from '../model/lower-bound.ts';
import { type Posting, postingOfBits } from './positions.ts';
import { type SetMemory, wordsOf } from './set-memory.ts';

/** Postings as arrays that can be stored and transferred to another thread. */
export type PostingSections = {
  /** All terms that a review has, ascending. */
  readonly terms: Uint32Array;
  /** The number of reviews that have each term. */
  readonly termCounts: Uint32Array;
  /** Start of the positions of each term: in `gaps` for a rare one, in `bits` for a common one. */
  readonly termStarts: Uint32Array;
  /** Differences between consecutive positions, as varints of seven bits a byte. */
  readonly gaps: Uint8Array;
  readonly bits: Uint32Array;
};

/** Whether a bit for each review takes less memory than gaps. */
function isCommon(count: number, reviews: number): boolean {
  return count * 8 > reviews;
}

/** Fields of a slot while postings are written: adjacent, because they are used together. */
const [LAST, COUNT, NEXT, END, FIRST, SIZE, BYTES, FIELDS] = [0, 1, 2, 3, 4, 5, 6, 8] as const;
/** Sizes of the blocks of gaps: each block of a slot is twice as large as the one before. */
const SMALLEST = 8;
const LARGEST = 1024;
/** A block ends with the address of the next one. */
const LINK_BYTES = 4;

/** Writes postings; terms are added in the order of positions. Adding a term of a review several times is allowed. */
export class PostingsWriter {
  readonly #reviews: number;
  readonly #terms: number[] = [];
  /**
   * The fields of each slot: the last added position and the number of positions; of the gaps where the next one
   * is written, where the current block ends, where the first block begins, the size of the current block, and
   * the size of all gaps.
   */
  #slots = new Int32Array(1024 * FIELDS);
  #blocks = new Uint8Array(1 << 16);
  #blocksEnd = 0;
  /** By slot; null of a rare term. */
  readonly #bits: (Uint32Array | null)[] = [];

  constructor(reviews: number) {
    this.#reviews = reviews;
  }

  /** Adds a new term. @returns its slot */
  addTerm(term: number): number {
    const slot = this.#terms.push(term) - 1;
    this.#bits.push(null);
    const at = slot * FIELDS;
    if (at === this.#slots.length) {
      const larger = new Int32Array(at * 2);
      larger.set(this.#slots);
      this.#slots = larger;
    }
    this.#slots[at + LAST] = -1;
    return slot;
  }

  /** Records that the review at `position` has the term of `slot`. */
  add(slot: number, position: number): void {
    const slots = this.#slots;
    const at = slot * FIELDS;
    const before = slots[at + LAST] as number;
    if (before === position) return;
    slots[at + LAST] = position;
    const count = (slots[at + COUNT] as number) + 1;
    slots[at + COUNT] = count;
    if (isCommon(count, this.#reviews)) {
      const bits = this.#bits[slot] ?? this.#makeCommon(slot);
      bits[position >>> 5] = (bits[position >>> 5] as number) | (1 << (position & 31));
      return;
    }
    let rest = position - before;
    for (; rest > 0x7f; rest >>>= 7) this.#append(at, (rest & 0x7f) | 0x80);
    this.#append(at, rest);
  }

  #append(at: number, byte: number): void {
    const slots = this.#slots;
    if (slots[at + NEXT] === slots[at + END]) this.#addBlock(at);
    const next = slots[at + NEXT] as number;
    this.#blocks[next] = byte;
    slots[at + NEXT] = next + 1;
    slots[at + BYTES] = (slots[at + BYTES] as number) + 1;
  }

  #addBlock(at: number): void {
    const slots = this.#slots;
    const start = this.#blocksEnd;
    const isFirst = slots[at + SIZE] === 0;
    const size = isFirst ? SMALLEST : Math.min(2 * (slots[at + SIZE] as number), LARGEST);
    this.#blocksEnd = start + size + LINK_BYTES;
    if (this.#blocksEnd > this.#blocks.length) {
      const larger = new Uint8Array(this.#blocks.length * 2);
      larger.set(this.#blocks);
      this.#blocks = larger;
    }
    if (isFirst) slots[at + FIRST] = start;
    else this.#link(slots[at + END] as number, start);
    slots[at + SIZE] = size;
    slots[at + NEXT] = start;
    slots[at + END] = start + size;
  }

  #link(end: number, next: number): void {
    for (let byte = 0; byte < LINK_BYTES; byte++) this.#blocks[end + byte] = next >>> (8 * byte);
  }

  /** Copies the gaps of a slot to `target`. @returns the offset after them */
  #copyGaps(at: number, target: Uint8Array, offset: number): number {
    const blocks = this.#blocks;
    let left = this.#slots[at + BYTES] as number;
    let start = this.#slots[at + FIRST] as number;
    let written = offset;
    for (let size = SMALLEST; left > 0; size = Math.min(2 * size, LARGEST)) {
      const end = start + size;
      for (const last = start + Math.min(size, left); start < last; start++) {
        target[written++] = blocks[start] as number;
      }
      left -= size;
      start = 0;
      for (let byte = 0; byte < LINK_BYTES; byte++)
        start |= (blocks[end + byte] as number) << (8 * byte);
    }
    return written;
  }

  /** Replaces the gaps of a slot whose term has become common. */
  #makeCommon(slot: number): Uint32Array {
    const at = slot * FIELDS;
    const bits = new Uint32Array(wordsOf(this.#reviews));
    const gaps = new Uint8Array(this.#slots[at + BYTES] as number);
    this.#copyGaps(at, gaps, 0);
    let position = -1;
    for (let index = 0; index < gaps.length;) {
      let [shift, distance] = [0, 0];
      for (let byte = 0x80; byte > 0x7f; shift += 7) {
        byte = gaps[index++] as number;
        distance |= (byte & 0x7f) << shift;
      }
      position += distance;
      bits[position >>> 5] = (bits[position >>> 5] as number) | (1 << (position & 31));
    }
    this.#slots[at + BYTES] = 0;
    this.#bits[slot] = bits;
    return bits;
  }

  finish(): PostingSections {
    const slots = this.#slots;
    const words = wordsOf(this.#reviews);
    const starts = new Uint32Array(this.#terms.length);
    let gapBytes = 0;
    for (let slot = 0; slot < starts.length; slot++) {
      gapBytes += slots[slot * FIELDS + BYTES] as number;
    }
    const gaps = new Uint8Array(gapBytes);
    const bits = new Uint32Array(words * this.#bits.reduce((sum, own) => sum + (own ? 1 : 0), 0));
    let [gapsEnd, bitsEnd] = [0, 0];
    for (const [slot, own] of this.#bits.entries()) {
      starts[slot] = own ? bitsEnd : gapsEnd;
      if (own) {
        bits.set(own, bitsEnd);
        bitsEnd += words;
      } else {
        gapsEnd = this.#copyGaps(slot * FIELDS, gaps, gapsEnd);
      }
    }
    const order = Uint32Array.from(this.#terms.keys()).toSorted(
      (a, b) => (this.#terms[a] as number) - (this.#terms[b] as number),
    );
    return {
      terms: order.map((slot) => this.#terms[slot] as number),
      termCounts: order.map((slot) => slots[slot * FIELDS + COUNT] as number),
      termStarts: order.map((slot) => starts[slot] as number),
      gaps,
      bits,
    };
  }
}

export class Postings {
  readonly #sections: PostingSections;
  readonly #sets: SetMemory;

  /** The sections are in the memory of the sets. */
  constructor(sections: PostingSections, sets: SetMemory) {
    this.#sections = sections;
    this.#sets = sets;
  }

  countOf(term: number): number {
    const index = this.#indexOf(term);
    return index === null ? 0 : (this.#sections.termCounts[index] as number);
  }

  #indexOf(term: number): number | null {
    const { terms } = this.#sections;
    const index = lowerBound(terms.length, (at) => (terms[at] as number) >= term);
    return terms[index] === term ? index : null;
  }

  /** The posting of a term; null if no review has it. */
  of(term: number): Posting | null {
    const { termCounts, termStarts, bits: all, gaps } = this.#sections;
    const sets = this.#sets;
    const index = this.#indexOf(term);
    if (index === null) return null;
    const count = termCounts[index] as number;
    const start = termStarts[index] as number;
    if (isCommon(count, sets.reviews)) {
      const bits = all.subarray(start, start + wordsOf(sets.reviews));
      return postingOfBits(bits, sets, count, true);
    }
    const address = gaps.byteOffset + start;
    return {
      count,
      bits: null,
      list: () => sets.listGaps(address, count, 0, count),
      take: (from, limit) => [...sets.listGaps(address, count, from, limit)],
      addTo: (bits) => sets.addGaps(bits, address, count),
      isStored: true,
    };
  }
}
