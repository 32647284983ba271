// Sets of positions of reviews. A small set is an ascending list, a large one a bit for each review.

import { lowerBound } from '../model/lower-bound.ts';
import { type SetMemory, WORD_BITS, wordsOf } from './set-memory.ts';

/** Sets with at most this many positions together are merged as lists. */
const MAX_MERGED = 256;

/** A set of positions, such as those of the reviews that have one value. */
export interface Posting {
  readonly count: number;
  /** A bit for each review if there are many positions, else null. In the memory of sets. */
  readonly bits: Uint32Array | null;
  /** All positions, ascending, in the memory of sets; computed by the call. */
  readonly list: () => Uint32Array;
  /** At most `limit` positions, ascending, starting at `from`. */
  readonly take: (from: number, limit: number) => number[];
  readonly addTo: (bits: Uint32Array) => void;
  /** Whether it lasts, as what is in the index does; others exist until the next search. */
  readonly isStored: boolean;
}

export function postingOf(given: Uint32Array, sets: SetMemory, isStored = false): Posting {
  return {
    count: given.length,
    bits: null,
    list: () => sets.place(given),
    take(from, limit) {
      const start = lowerBound(given.length, (index) => (given[index] as number) >= from);
      return Array.from(given.subarray(start, start + limit));
    },
    addTo: (bits) => sets.addList(bits, sets.place(given)),
    isStored,
  };
}

/** A bit for each review as a posting. A class, because V8 gives each object literal with a getter a shape of its own. */
class BitsPosting implements Posting {
  readonly count: number;
  readonly isStored: boolean;
  readonly #given: Uint32Array;
  readonly #sets: SetMemory;

  constructor(given: Uint32Array, sets: SetMemory, count: number, isStored: boolean) {
    this.count = count;
    this.isStored = isStored;
    this.#given = given;
    this.#sets = sets;
  }

  get bits(): Uint32Array {
    return this.#sets.place(this.#given);
  }

  list(): Uint32Array {
    return this.#sets.listOfBits(this.bits, this.count);
  }

  take(from: number, limit: number): number[] {
    const bits = this.#given;
    const taken: number[] = [];
    for (let at = from >>> 5; at < bits.length && taken.length < limit; at++) {
      let word = bits[at] as number;
      if (at === from >>> 5) word &= -1 << (from & 31);
      for (; word !== 0 && taken.length < limit; word &= word - 1) {
        taken.push(at * WORD_BITS + 31 - Math.clz32(word & -word));
      }
    }
    return taken;
  }

  addTo(bits: Uint32Array): void {
    this.#sets.addBits(bits, this.bits);
  }
}

export function postingOfBits(
  given: Uint32Array,
  sets: SetMemory,
  count = sets.count(given),
  isStored = false,
): Posting {
  return new BitsPosting(given, sets, count, isStored);
}

/** All positions from `first` up to, but not including, `end`. */
export function postingOfRange(first: number, end: number, sets: SetMemory): Posting {
  const bits = sets.newBits();
  if (first < end) {
    bits.fill(0xffff_ffff);
    cutBits(bits, first, end);
  }
  return postingOfBits(bits, sets, Math.max(0, end - first));
}

export function uniteAll(postings: readonly Posting[], sets: SetMemory): Posting {
  const [first, ...others] = postings;
  if (first !== undefined && others.length === 0) return first;
  const total = postings.reduce((sum, { count }) => sum + count, 0);
  if (total <= MAX_MERGED) return postingOf(merge(postings, total), sets);
  const bits = sets.newBits();
  for (const posting of postings) posting.addTo(bits);
  return postingOfBits(bits, sets);
}

/** A few positions, without those that occur several times. */
function merge(postings: readonly Posting[], total: number): Uint32Array {
  const all = new Uint32Array(total);
  let at = 0;
  for (const posting of postings) {
    all.set(posting.list(), at);
    at += posting.count;
  }
  all.sort();
  let count = 0;
  for (let index = 0; index < total; index++) {
    if (index === 0 || all[index - 1] !== all[index]) all[count++] = all[index] as number;
  }
  return all.subarray(0, count);
}

/** The bits of a set; not a copy if it has them. */
export function bitsOf(posting: Posting, sets: SetMemory): Uint32Array {
  return posting.bits ?? sets.bitsOfList(posting.list());
}

export function without(from: Posting, excluded: Posting, sets: SetMemory): Posting {
  if (from.count === 0 || excluded.count === 0) return from;
  const { bits } = from;
  const others = bitsOf(excluded, sets);
  return bits === null
    ? postingOf(sets.keepList(from.list(), others, false), sets)
    : postingOfBits(sets.andNot(bits, others), sets);
}

/** The part of a list from `first` up to, but not including, `end`; not a copy. */
export function within(list: Uint32Array, first: number, end: number): Uint32Array {
  const indexOf = (position: number) =>
    lowerBound(list.length, (index) => (list[index] as number) >= position);
  return list.subarray(indexOf(first), indexOf(end));
}

/** Clears the bits before `first` and from `end` on. */
export function cutBits(bits: Uint32Array, first: number, end: number): void {
  bits.fill(0, 0, first >>> 5);
  bits.fill(0, wordsOf(end));
  if ((first & 31) !== 0) {
    bits[first >>> 5] = (bits[first >>> 5] as number) & (-1 << (first & 31));
  }
  if ((end & 31) !== 0) bits[end >>> 5] = (bits[end >>> 5] as number) & ~(-1 << (end & 31));
}

/** The number of set bits from `first` up to, but not including, `end`. */
export function countIn(bits: Uint32Array, first: number, end: number): number {
  if (first >= end) return 0;
  const [firstWord, lastWord] = [first >>> 5, (end - 1) >>> 5];
  const head = -1 << (first & 31);
  const tail = -1 >>> (31 - ((end - 1) & 31));
  if (firstWord === lastWord) return countBits((bits[firstWord] as number) & head & tail);
  let count = countBits((bits[firstWord] as number) & head);
  for (let index = firstWord + 1; index < lastWord; index++) {
    count += countBits(bits[index] as number);
  }
  return count + countBits((bits[lastWord] as number) & tail);
}

/** The number of set bits of a word: sums of pairs, of fours, and of bytes. */
export function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
