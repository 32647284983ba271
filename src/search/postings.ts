// Postings: for each term, the positions of the reviews that have it. A term is a number for a value that
// a review can have.

import { lowerBound } from '../model/lower-bound.ts';
import { type Posting, wordsOf } from './positions.ts';
import { postingOfBits } from './position-sets.ts';
import type { SetMemory } from './set-memory.ts';

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
  /** A bit for each review. */
  readonly bits: Uint32Array;
};

/** Whether a bit for each review takes less memory than gaps. */
function isCommon(count: number, reviews: number): boolean {
  return count * 8 > reviews;
}

/** Fields of a slot while postings are written: adjacent, because they are used together. */
const [LAST, COUNT, OFFSET, START, FIELDS] = [0, 1, 2, 3, 4] as const;

/**
 * Writes postings in two passes over the same terms in the order of positions: the first measures, the
 * second writes. Adding a term of a review several times is allowed.
 */
export class PostingsWriter {
  readonly #reviews: number;
  readonly #terms: number[] = [];
  /**
   * The fields of each slot: the last added position, the number of positions, the size of their gaps
   * in bytes (in the second pass: the offset of the next write), and the offset of the first.
   */
  #slots = new Int32Array(1024 * FIELDS);
  #gaps = new Uint8Array(0);
  #bits = new Uint32Array(0);
  #isWriting = false;

  constructor(reviews: number) {
    this.#reviews = reviews;
  }

  /** Adds a new term. @returns its slot */
  addTerm(term: number): number {
    const slot = this.#terms.push(term) - 1;
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
    if (this.#isWriting) {
      this.#write(at, position, position - before);
    } else {
      slots[at + COUNT] = (slots[at + COUNT] as number) + 1;
      slots[at + OFFSET] = (slots[at + OFFSET] as number) + varintLength(position - before);
    }
  }

  /** Ends the first pass and allocates memory. */
  startWriting(): void {
    const slots = this.#slots;
    let [gaps, bits] = [0, 0];
    for (let at = 0; at < this.#terms.length * FIELDS; at += FIELDS) {
      const common = isCommon(slots[at + COUNT] as number, this.#reviews);
      const size = common ? wordsOf(this.#reviews) : (slots[at + OFFSET] as number);
      slots[at + START] = common ? bits : gaps;
      slots[at + OFFSET] = common ? bits : gaps;
      slots[at + LAST] = -1;
      if (common) bits += size;
      else gaps += size;
    }
    this.#gaps = new Uint8Array(gaps);
    this.#bits = new Uint32Array(bits);
    this.#isWriting = true;
  }

  #write(at: number, position: number, distance: number): void {
    let offset = this.#slots[at + OFFSET] as number;
    if (isCommon(this.#slots[at + COUNT] as number, this.#reviews)) {
      const word = offset + (position >>> 5);
      this.#bits[word] = (this.#bits[word] as number) | (1 << (position & 31));
      return;
    }
    let rest = distance;
    for (; rest > 0x7f; rest >>>= 7) this.#gaps[offset++] = (rest & 0x7f) | 0x80;
    this.#gaps[offset++] = rest;
    this.#slots[at + OFFSET] = offset;
  }

  /** Ends the second pass. */
  finish(): PostingSections {
    const order = Uint32Array.from(this.#terms.keys()).toSorted(
      (a, b) => (this.#terms[a] as number) - (this.#terms[b] as number),
    );
    return {
      terms: order.map((slot) => this.#terms[slot] as number),
      termCounts: order.map((slot) => this.#slots[slot * FIELDS + COUNT] as number),
      termStarts: order.map((slot) => this.#slots[slot * FIELDS + START] as number),
      gaps: this.#gaps,
      bits: this.#bits,
    };
  }
}

/** The number of bytes of a distance as a varint. */
function varintLength(distance: number): number {
  let length = 1;
  for (let rest = distance >>> 7; rest > 0; rest >>>= 7) length += 1;
  return length;
}

export class Postings {
  readonly #sections: PostingSections;
  readonly #sets: SetMemory;

  /** The sections are in the memory of the sets. */
  constructor(sections: PostingSections, sets: SetMemory) {
    this.#sections = sections;
    this.#sets = sets;
  }

  /** The number of reviews that have a term. */
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
