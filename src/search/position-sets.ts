// Sets of positions made of other sets: unions, differences, and parts of a range.

import {
  countBits,
  countOf,
  type Positions,
  type Posting,
  takeFrom,
  wordsOf,
} from './positions.ts';
import type { SetMemory } from './set-memory.ts';

/** Sets with at most this many positions together are merged as lists. */
const MAX_MERGED = 256;

/** All positions of a set, ascending. */
export function listOf(positions: Positions, sets: SetMemory): Uint32Array {
  if ('posting' in positions) return positions.posting.list();
  if ('list' in positions) return positions.list;
  if ('bits' in positions) return sets.listOfBits(sets.place(positions.bits), positions.count);
  const list = sets.newList(countOf(positions));
  for (let index = 0; index < list.length; index++) list[index] = positions.first + index;
  return list;
}

/** A list as a posting. */
export function postingOf(given: Uint32Array, sets: SetMemory): Posting {
  const list = sets.place(given);
  return {
    count: list.length,
    bits: null,
    list: () => list,
    take: (from, limit) => takeFrom({ list }, from, limit),
    addTo: (bits) => sets.addList(bits, list),
    isStored: false,
  };
}

/** A bit for each review as a posting; `isStored`: whether they are in the index. */
export function postingOfBits(
  bits: Uint32Array,
  sets: SetMemory,
  count = sets.count(bits),
  isStored = false,
): Posting {
  return {
    count,
    bits,
    list: () => sets.listOfBits(bits, count),
    take: (from, limit) => takeFrom({ bits, count }, from, limit),
    addTo: (others) => sets.addBits(others, bits),
    isStored,
  };
}

/** Any set as a posting. */
export function asPosting(found: Positions, sets: SetMemory): Posting {
  if ('posting' in found) return found.posting;
  if ('bits' in found) return postingOfBits(sets.place(found.bits), sets, found.count);
  return postingOf(listOf(found, sets), sets);
}

/** The positions that any of the sets contains. */
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
export function bitsOf(positions: Positions, sets: SetMemory): Uint32Array {
  if ('bits' in positions) return sets.place(positions.bits);
  if ('posting' in positions && positions.posting.bits) return positions.posting.bits;
  return sets.bitsOfList(listOf(positions, sets));
}

/** The positions of `from` that `excluded` does not contain. */
export function without(from: Positions, excluded: Posting, sets: SetMemory): Positions {
  if (countOf(from) === 0 || excluded.count === 0) return from;
  const others = excluded.bits ?? sets.bitsOfList(excluded.list());
  if ('list' in from) return { list: sets.keepList(sets.place(from.list), others, false) };
  const bits = sets.andNot(bitsOf(from, sets), others);
  return { bits, count: sets.count(bits) };
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
