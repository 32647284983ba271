// Sets of positions of reviews, and their intersections. A small set is an ascending list, a large one
// a bit for each review.

import { lowerBound } from '../model/lower-bound.ts';

const WORD_BITS = 32;

/** A list this many times longer than the other one is searched, not read. */
const SEARCH_RATIO = 16;

/** The positions of the reviews that have one value, as the index stores them. */
export interface Posting {
  /** The number of positions. */
  readonly count: number;
  /** A bit for each review if there are many positions, else null. */
  readonly bits: Uint32Array | null;
  /** All positions, ascending; computed by the call. */
  readonly list: () => Uint32Array;
  /** At most `limit` positions, ascending, starting at `from`. */
  readonly take: (from: number, limit: number) => number[];
  /** Sets the bits of all positions. */
  readonly addTo: (bits: Uint32Array) => void;
  /** Memory that it holds beside the index. */
  readonly bytes: number;
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

/** Memory that a set holds beside the index. */
export function bytesOf(positions: Positions): number {
  if ('posting' in positions) return positions.posting.bytes;
  if ('list' in positions) return positions.list.byteLength;
  return 'bits' in positions ? positions.bits.byteLength : 0;
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

/** At most `limit` positions of a set that are less than `end`, descending. */
export function takeBefore(positions: Positions, end: number, limit: number): number[] {
  if ('posting' in positions && positions.posting.bits === null) {
    return takeBefore({ list: positions.posting.list() }, end, limit);
  }
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

/** The positions of the `count` set bits. */
export function listOfBits(bits: Uint32Array, count: number): Uint32Array {
  const list = new Uint32Array(count);
  let at = 0;
  for (let wordIndex = 0; wordIndex < bits.length; wordIndex++) {
    for (let word = bits[wordIndex] as number; word !== 0; word &= word - 1) {
      list[at++] = wordIndex * WORD_BITS + lowestBit(word);
    }
  }
  return list;
}

/** All positions of a set, ascending. */
export function listOf(positions: Positions): Uint32Array {
  if ('posting' in positions) return positions.posting.list();
  if ('list' in positions) return positions.list;
  if ('bits' in positions) return listOfBits(positions.bits, positions.count);
  return Uint32Array.from(takeFrom(positions, 0, countOf(positions)));
}

/** A list as a bit for each of `reviews` reviews. */
export function bitsOfList(list: Uint32Array, reviews: number): Uint32Array {
  const bits = new Uint32Array(wordsOf(reviews));
  for (const position of list) {
    bits[position >>> 5] = (bits[position >>> 5] as number) | (1 << (position & 31));
  }
  return bits;
}

/** The part of a list from `first` up to, but not including, `end`; not a copy. */
export function within(list: Uint32Array, first: number, end: number): Uint32Array {
  const indexOf = (position: number) =>
    lowerBound(list.length, (index) => (list[index] as number) >= position);
  return list.subarray(indexOf(first), indexOf(end));
}

/** The positions that both lists contain. */
export function intersectLists(a: Uint32Array, b: Uint32Array): Uint32Array {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const both = new Uint32Array(short.length);
  const isSearched = short.length * SEARCH_RATIO < long.length;
  let count = 0;
  let index = 0;
  for (const position of short) {
    if (isSearched) {
      const from = index;
      index += lowerBound(long.length - from, (at) => (long[from + at] as number) >= position);
    } else {
      while (index < long.length && (long[index] as number) < position) index += 1;
    }
    if (long[index] === position) both[count++] = position;
  }
  return both.subarray(0, count);
}

/** The positions of a list whose bit is set. */
export function intersectWithBits(list: Uint32Array, bits: Uint32Array): Uint32Array {
  const both = new Uint32Array(list.length);
  let count = 0;
  for (const position of list) {
    both[count] = position;
    count += ((bits[position >>> 5] as number) >>> (position & 31)) & 1;
  }
  return both.subarray(0, count);
}

/** The bits that all sets have from `first` up to, but not including, `end`. */
export function intersectBits(
  sets: readonly [Uint32Array, ...Uint32Array[]],
  first: number,
  end: number,
): { readonly bits: Uint32Array; readonly count: number } {
  const [one, ...others] = sets;
  const bits = new Uint32Array(one.length);
  const [firstWord, endWord] = [first >>> 5, wordsOf(end)];
  bits.set(one.subarray(firstWord, endWord), firstWord);
  for (const other of others) {
    for (let wordIndex = firstWord; wordIndex < endWord; wordIndex++) {
      bits[wordIndex] = (bits[wordIndex] as number) & (other[wordIndex] as number);
    }
  }
  if ((first & 31) !== 0) bits[firstWord] = (bits[firstWord] as number) & (-1 << (first & 31));
  if ((end & 31) !== 0) {
    bits[endWord - 1] = (bits[endWord - 1] as number) & ~(-1 << (end & 31));
  }
  let count = 0;
  for (let wordIndex = firstWord; wordIndex < endWord; wordIndex++)
    count += countBits(bits[wordIndex] as number);
  return { bits, count };
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
