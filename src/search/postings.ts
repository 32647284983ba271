// Which reviews have what: for each term, a number that stands for something a review can have, the
// positions of the reviews that have it.

import { lowerBound } from '../model/lower-bound.ts';
import { listOfBits, type Posting, takeFrom, wordsOf } from './positions.ts';

/** Postings as arrays, for the store and for handing them to another thread. */
export type PostingSections = {
  /** The terms that any review has, ascending. */
  readonly terms: Uint32Array;
  /** How many reviews have each. */
  readonly termCounts: Uint32Array;
  /** Where the positions of each begin: of a rare one in `gaps`, of a common one in `bits`. */
  readonly termStarts: Uint32Array;
  /** Distances from one position to the next, as varints of seven bits a byte. */
  readonly gaps: Uint8Array;
  /** A bit for each review. */
  readonly bits: Uint32Array;
};

/** Whether a bit for each review takes less room than distances do. */
function isCommon(count: number, reviews: number): boolean {
  return count * 8 > reviews;
}

/** What is known of a term while postings are written: side by side, as they are needed together. */
const [LAST, COUNT, PLACE, START, FIELDS] = [0, 1, 2, 3, 4] as const;

/**
 * Writes postings of so many reviews from two passes over the same terms in the order of positions:
 * the first measures, the second writes. A review may have a term several times.
 */
export class PostingsWriter {
  readonly #reviews: number;
  readonly #terms: number[] = [];
  /**
   * Of the slot of each term: the position that was added last, how many there are, how many bytes
   * their distances take and then where the next is written, and where the first was.
   */
  #slots = new Int32Array(1024 * FIELDS);
  #gaps = new Uint8Array(0);
  #bits = new Uint32Array(0);
  #isWriting = false;

  constructor(reviews: number) {
    this.#reviews = reviews;
  }

  /** Gives a slot to a term that has none yet. */
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

  /** The review at a position has the term of a slot. */
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
      slots[at + PLACE] = (slots[at + PLACE] as number) + varintLength(position - before);
    }
  }

  /** Ends the first pass. */
  startWriting(): void {
    const slots = this.#slots;
    let [gaps, bits] = [0, 0];
    for (let at = 0; at < this.#terms.length * FIELDS; at += FIELDS) {
      const common = isCommon(slots[at + COUNT] as number, this.#reviews);
      const size = common ? wordsOf(this.#reviews) : (slots[at + PLACE] as number);
      slots[at + START] = common ? bits : gaps;
      slots[at + PLACE] = common ? bits : gaps;
      slots[at + LAST] = -1;
      if (common) bits += size;
      else gaps += size;
    }
    this.#gaps = new Uint8Array(gaps);
    this.#bits = new Uint32Array(bits);
    this.#isWriting = true;
  }

  #write(at: number, position: number, distance: number): void {
    let place = this.#slots[at + PLACE] as number;
    if (isCommon(this.#slots[at + COUNT] as number, this.#reviews)) {
      const word = place + (position >>> 5);
      this.#bits[word] = (this.#bits[word] as number) | (1 << (position & 31));
      return;
    }
    let rest = distance;
    for (; rest > 0x7f; rest >>>= 7) this.#gaps[place++] = (rest & 0x7f) | 0x80;
    this.#gaps[place++] = rest;
    this.#slots[at + PLACE] = place;
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

/** How many bytes a distance takes. */
function varintLength(distance: number): number {
  let length = 1;
  for (let rest = distance >>> 7; rest > 0; rest >>>= 7) length += 1;
  return length;
}

/** A list as a posting. */
export function postingOf(list: Uint32Array): Posting {
  const take = (from: number, most: number) => takeFrom({ list }, from, most);
  return { count: list.length, bits: null, list: () => list, take };
}

export class Postings {
  readonly #sections: PostingSections;
  /** How many reviews there are. */
  readonly #reviews: number;

  constructor(sections: PostingSections, reviews: number) {
    this.#sections = sections;
    this.#reviews = reviews;
  }

  /** How many reviews have a term. */
  countOf(term: number): number {
    const place = this.#placeOf(term);
    return place === null ? 0 : (this.#sections.termCounts[place] as number);
  }

  #placeOf(term: number): number | null {
    const { terms } = this.#sections;
    const place = lowerBound(terms.length, (at) => (terms[at] as number) >= term);
    return terms[place] === term ? place : null;
  }

  /** The posting of a term, null where no review has it. */
  of(term: number): Posting | null {
    const { termCounts, termStarts, bits: all, gaps } = this.#sections;
    const place = this.#placeOf(term);
    if (place === null) return null;
    const count = termCounts[place] as number;
    const start = termStarts[place] as number;
    if (isCommon(count, this.#reviews)) {
      const bits = all.subarray(start, start + wordsOf(this.#reviews));
      const take = (from: number, most: number) => takeFrom({ bits, count }, from, most);
      return { count, bits, list: () => listOfBits(bits, count), take };
    }
    return {
      count,
      bits: null,
      list() {
        const list = new Uint32Array(count);
        readGaps(gaps, start, count, (position, at) => {
          list[at] = position;
          return true;
        });
        return list;
      },
      take(from, most) {
        const taken: number[] = [];
        readGaps(gaps, start, count, (position) => {
          if (position >= from) taken.push(position);
          return taken.length < most;
        });
        return taken;
      },
    };
  }
}

/** Visits the positions that are kept as distances, until told to stop. */
function readGaps(
  gaps: Uint8Array,
  start: number,
  count: number,
  visit: (position: number, at: number) => boolean,
): void {
  let place = start;
  let position = -1;
  for (let at = 0; at < count; at++) {
    let byte = gaps[place++] as number;
    let distance = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = gaps[place++] as number;
      distance |= (byte & 0x7f) << shift;
    }
    position += distance;
    if (!visit(position, at)) return;
  }
}
