// Sets of positions made of other sets: unions and differences, and how many positions two sets share.

import {
  bitsOfList,
  countBits,
  countOf,
  listOf,
  listOfBits,
  type Positions,
  type Posting,
  takeFrom,
  wordsOf,
} from './positions.ts';

/** Sets with at most this many positions together are merged as lists. */
const MAX_MERGED = 1_024;

/** The positions that any of the sets contains, of `reviews` reviews. */
export function uniteAll(postings: readonly Posting[], reviews: number): Posting {
  const [first, ...others] = postings;
  if (first !== undefined && others.length === 0) return first;
  const total = postings.reduce((sum, { count }) => sum + count, 0);
  if (total <= MAX_MERGED) {
    const all = new Uint32Array(total);
    let at = 0;
    for (const posting of postings) {
      all.set(posting.list(), at);
      at += posting.count;
    }
    all.sort();
    let count = 0;
    for (const position of all) {
      if (count === 0 || all[count - 1] !== position) all[count++] = position;
    }
    return postingOf(all.slice(0, count));
  }
  const bits = new Uint32Array(wordsOf(reviews));
  for (const posting of postings) posting.addTo(bits);
  return postingOfBits(bits);
}

/** A list as a posting. */
export function postingOf(list: Uint32Array): Posting {
  return {
    count: list.length,
    bits: null,
    list: () => list,
    take: (from, limit) => takeFrom({ list }, from, limit),
    addTo(bits) {
      for (const position of list) {
        bits[position >>> 5] = (bits[position >>> 5] as number) | (1 << (position & 31));
      }
    },
    bytes: list.byteLength,
  };
}

/** A bit for each review as a posting; `bytes` is 0 for a view of the index. */
export function postingOfBits(
  bits: Uint32Array,
  count = countAll(bits),
  bytes = bits.byteLength,
): Posting {
  return {
    count,
    bits,
    list: () => listOfBits(bits, count),
    take: (from, limit) => takeFrom({ bits, count }, from, limit),
    addTo(others) {
      for (let index = 0; index < bits.length; index++) {
        others[index] = (others[index] as number) | (bits[index] as number);
      }
    },
    bytes,
  };
}

/** The number of set bits. */
function countAll(bits: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) count += countBits(bits[index] as number);
  return count;
}

/** The bits of a set, of `reviews` reviews; not a copy if it has them. */
export function bitsOf(positions: Positions, reviews: number): Uint32Array {
  if ('bits' in positions) return positions.bits;
  if ('posting' in positions && positions.posting.bits) return positions.posting.bits;
  return bitsOfList(listOf(positions), reviews);
}

/** The number of positions that two sets of bits share. */
export function countShared(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < a.length; index++) {
    count += countBits((a[index] as number) & (b[index] as number));
  }
  return count;
}

/** The positions of `from` that `excluded` does not contain. */
export function without(from: Positions, excluded: Posting, reviews: number): Positions {
  if (countOf(from) === 0 || excluded.count === 0) return from;
  const others = excluded.bits ?? bitsOfList(excluded.list(), reviews);
  if ('list' in from) {
    const isKept = (position: number) =>
      (((others[position >>> 5] as number) >>> (position & 31)) & 1) === 0;
    return { list: from.list.filter(isKept) };
  }
  const bits = bitsOf(from, reviews).map((word, index) => word & ~(others[index] as number));
  return { bits, count: countAll(bits) };
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
