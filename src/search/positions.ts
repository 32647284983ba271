// Sets of reviews, which are known by position: what is found, and how it is narrowed down. A set is a
// list, ascending, where it is small, and a bit for each review where it is large.

import { lowerBound } from '../model/lower-bound.ts';

const WORD_BITS = 32;

/** From this many times as long on, a list is looked up in rather than read. */
const MUCH_LONGER = 16;

/** The reviews that have something, as the index keeps them. */
export interface Posting {
  /** How many they are. */
  readonly count: number;
  /** A bit for each review, where they are many. */
  readonly bits: Uint32Array | null;
  /** All of them, ascending; made when asked for. */
  readonly list: () => Uint32Array;
  /** At most so many of them, ascending, from a position on. */
  readonly take: (from: number, most: number) => number[];
}

export type Positions =
  | { readonly posting: Posting }
  | { readonly list: Uint32Array }
  /** `count` of the bits are set. */
  | { readonly bits: Uint32Array; readonly count: number }
  /** All from the first up to the end, which is not one of them. */
  | { readonly first: number; readonly end: number };

export const NOTHING: Positions = { first: 0, end: 0 };

export function countOf(positions: Positions): number {
  if ('posting' in positions) return positions.posting.count;
  if ('list' in positions) return positions.list.length;
  return 'bits' in positions ? positions.count : Math.max(0, positions.end - positions.first);
}

/** At most so many of a set, ascending, from a position on. */
export function takeFrom(positions: Positions, from: number, most: number): number[] {
  if ('posting' in positions) return positions.posting.take(from, most);
  if ('list' in positions) {
    const { list } = positions;
    const start = lowerBound(list.length, (place) => (list[place] as number) >= from);
    return Array.from(list.subarray(start, start + most));
  }
  const taken: number[] = [];
  if ('bits' in positions) {
    const { bits } = positions;
    for (let place = from >>> 5; place < bits.length && taken.length < most; place++) {
      let word = bits[place] as number;
      if (place === from >>> 5) word &= -1 << (from & 31);
      for (; word !== 0 && taken.length < most; word &= word - 1) {
        taken.push(place * WORD_BITS + lowestBit(word));
      }
    }
    return taken;
  }
  const first = Math.max(positions.first, from);
  const end = Math.min(positions.end, first + most);
  for (let position = first; position < end; position++) taken.push(position);
  return taken;
}

/** How many words hold a bit for each of so many reviews. */
export function wordsOf(reviews: number): number {
  return Math.ceil(reviews / WORD_BITS);
}

/** The positions of the bits that are set, of which there are `count`. */
export function listOfBits(bits: Uint32Array, count: number): Uint32Array {
  const list = new Uint32Array(count);
  let at = 0;
  for (let place = 0; place < bits.length; place++) {
    for (let word = bits[place] as number; word !== 0; word &= word - 1) {
      list[at++] = place * WORD_BITS + lowestBit(word);
    }
  }
  return list;
}

/** All of a set, ascending. */
export function listOf(positions: Positions): Uint32Array {
  if ('posting' in positions) return positions.posting.list();
  if ('list' in positions) return positions.list;
  if ('bits' in positions) return listOfBits(positions.bits, positions.count);
  return Uint32Array.from(takeFrom(positions, 0, countOf(positions)));
}

/** A list as a bit for each of so many reviews. */
export function bitsOfList(list: Uint32Array, reviews: number): Uint32Array {
  const bits = new Uint32Array(wordsOf(reviews));
  for (const position of list) {
    bits[position >>> 5] = (bits[position >>> 5] as number) | (1 << (position & 31));
  }
  return bits;
}

/** The part of a list from the first position up to the end, without a copy. */
export function within(list: Uint32Array, first: number, end: number): Uint32Array {
  const placeOf = (position: number) =>
    lowerBound(list.length, (place) => (list[place] as number) >= position);
  return list.subarray(placeOf(first), placeOf(end));
}

/** What both lists have. */
export function intersectLists(a: Uint32Array, b: Uint32Array): Uint32Array {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const both = new Uint32Array(short.length);
  const looksUp = short.length * MUCH_LONGER < long.length;
  let count = 0;
  let place = 0;
  for (const position of short) {
    if (looksUp) {
      const from = place;
      place += lowerBound(long.length - from, (at) => (long[from + at] as number) >= position);
    } else {
      while (place < long.length && (long[place] as number) < position) place += 1;
    }
    if (long[place] === position) both[count++] = position;
  }
  return both.subarray(0, count);
}

/** What of a list has its bit set. */
export function intersectWithBits(list: Uint32Array, bits: Uint32Array): Uint32Array {
  const both = new Uint32Array(list.length);
  let count = 0;
  for (const position of list) {
    both[count] = position;
    count += ((bits[position >>> 5] as number) >>> (position & 31)) & 1;
  }
  return both.subarray(0, count);
}

/** What all have a bit set for, from the first position up to the end. */
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
    for (let place = firstWord; place < endWord; place++) {
      bits[place] = (bits[place] as number) & (other[place] as number);
    }
  }
  if ((first & 31) !== 0) bits[firstWord] = (bits[firstWord] as number) & (-1 << (first & 31));
  if ((end & 31) !== 0) {
    bits[endWord - 1] = (bits[endWord - 1] as number) & ~(-1 << (end & 31));
  }
  let count = 0;
  for (let place = firstWord; place < endWord; place++) count += countBits(bits[place] as number);
  return { bits, count };
}

/** Which bit of a word, not 0, is the lowest that is set. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** How many bits of a word are set: sums of pairs, of fours, and of bytes. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
