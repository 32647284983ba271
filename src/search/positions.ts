// Sets of positions of reviews. A small set is an ascending list, a large one a bit for each review.

import { lowerBound } from '../model/lower-bound.ts';

const WORD_BITS = 32;

export const POSITION_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** The positions of the reviews that have one value, as the index stores them. */
export interface Posting {
  /** The number of positions. */
  readonly count: number;
  /** A bit for each review if there are many positions, else null. In the memory of sets. */
  readonly bits: Uint32Array | null;
  /** All positions, ascending; computed by the call. */
  readonly list: () => Uint32Array;
  /** At most `limit` positions, ascending, starting at `from`. */
  readonly take: (from: number, limit: number) => number[];
  /** Sets the bits of all positions. */
  readonly addTo: (bits: Uint32Array) => void;
  /** Whether it is in the index; others exist until the next search. */
  readonly isStored: boolean;
}

export type Positions =
  | { readonly posting: Posting }
  | { readonly list: Uint32Array }
  /** `count` bits are set. */
  | { readonly bits: Uint32Array; readonly count: number }
  /** All positions from `first` up to, but not including, `end`. */
  | { readonly first: number; readonly end: number };

export const NOTHING: Positions = { first: 0, end: 0 };

export function countOf(positions: Positions): number {
  if ('posting' in positions) return positions.posting.count;
  if ('list' in positions) return positions.list.length;
  return 'bits' in positions ? positions.count : Math.max(0, positions.end - positions.first);
}

/** At most `limit` positions of a set, ascending, starting at `from`. */
export function takeFrom(positions: Positions, from: number, limit: number): number[] {
  if ('posting' in positions) return positions.posting.take(from, limit);
  if ('list' in positions) {
    const { list } = positions;
    const start = lowerBound(list.length, (index) => (list[index] as number) >= from);
    return Array.from(list.subarray(start, start + limit));
  }
  const taken: number[] = [];
  if ('bits' in positions) {
    const { bits } = positions;
    for (let wordIndex = from >>> 5; wordIndex < bits.length && taken.length < limit; wordIndex++) {
      let word = bits[wordIndex] as number;
      if (wordIndex === from >>> 5) word &= -1 << (from & 31);
      for (; word !== 0 && taken.length < limit; word &= word - 1) {
        taken.push(wordIndex * WORD_BITS + lowestBit(word));
      }
    }
    return taken;
  }
  const first = Math.max(positions.first, from);
  const end = Math.min(positions.end, first + limit);
  for (let position = first; position < end; position++) taken.push(position);
  return taken;
}

/** At most `limit` positions of a set that are less than `end`, descending. A posting has bits. */
export function takeBefore(positions: Positions, end: number, limit: number): number[] {
  if ('list' in positions) {
    const { list } = positions;
    const stop = lowerBound(list.length, (index) => (list[index] as number) >= end);
    return Array.from(list.subarray(Math.max(0, stop - limit), stop)).toReversed();
  }
  const taken: number[] = [];
  if ('first' in positions) {
    for (let at = Math.min(end, positions.end) - 1; at >= positions.first; at--) {
      if (taken.length === limit) break;
      taken.push(at);
    }
    return taken;
  }
  const bits = 'bits' in positions ? positions.bits : (positions.posting.bits as Uint32Array);
  for (let at = Math.min(end, bits.length * WORD_BITS) - 1; at >= 0 && taken.length < limit; at--) {
    const word = bits[at >>> 5] as number;
    if (word === 0) at -= at & 31;
    else if (((word >>> (at & 31)) & 1) === 1) taken.push(at);
  }
  return taken;
}

/** The number of words with a bit for each review. */
export function wordsOf(reviews: number): number {
  return Math.ceil(reviews / WORD_BITS);
}

/** The part of a list from `first` up to, but not including, `end`; not a copy. */
export function within(list: Uint32Array, first: number, end: number): Uint32Array {
  const indexOf = (position: number) =>
    lowerBound(list.length, (index) => (list[index] as number) >= position);
  return list.subarray(indexOf(first), indexOf(end));
}

/** The index of the lowest set bit of a word, which is not 0. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** The number of set bits of a word: sums of pairs, of fours, and of bytes. */
export function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
