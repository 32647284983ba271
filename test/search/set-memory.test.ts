// Operations on sets in memory, compared with those of arrays.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutBits, countIn } from '../../src/search/positions.ts';
import { placed, setsOf } from '../support/sets.ts';

const REVIEWS = 300;
const SETS = setsOf(REVIEWS);
const SUBSET = fc.subarray(Array.from({ length: REVIEWS }, (_, position) => position));
const FEW = fc.subarray(
  Array.from({ length: REVIEWS }, (_, position) => position),
  { maxLength: 6 },
);

test('sets of bits and lists are those of arrays', () => {
  fc.assert(
    fc.property(SUBSET, fc.oneof(SUBSET, FEW), fc.nat(REVIEWS), fc.nat(REVIEWS), (a, b, x, y) => {
      SETS.clear();
      const [aList, bList] = [a, b].map((some) => SETS.place(Uint32Array.from(some))) as [
        Uint32Array,
        Uint32Array,
      ];
      const [aBits, bBits] = [SETS.bitsOfList(aList), SETS.bitsOfList(bList)];
      const inB = new Set(b);
      const both = a.filter((position) => inB.has(position));
      const rest = a.filter((position) => !inB.has(position));
      const listOf = (bits: Uint32Array) => [...SETS.listOfBits(bits, SETS.count(bits))];
      expect(listOf(aBits)).toEqual(a);
      expect(listOf(SETS.and(aBits, bBits))).toEqual(both);
      expect(listOf(SETS.andNot(aBits, bBits))).toEqual(rest);
      expect(SETS.countShared(aBits, bBits)).toBe(both.length);
      expect([...SETS.keepList(aList, bBits, true)]).toEqual(both);
      expect([...SETS.keepList(aList, bBits, false)]).toEqual(rest);
      expect(SETS.countList(aList, bBits)).toBe(both.length);
      expect([...SETS.intersectLists(aList, bList)]).toEqual(both);
      expect([...SETS.intersectLists(bList, aList)]).toEqual(both);
      const [first, end] = [Math.min(x, y), Math.max(x, y)];
      const within = a.filter((position) => position >= first && position < end);
      expect(countIn(aBits, first, end)).toBe(within.length);
      const cut = SETS.copy(aBits);
      cutBits(cut, first, end);
      if (first < end) expect(listOf(cut)).toEqual(within);
      SETS.addBits(aBits, bBits);
      expect(listOf(aBits)).toEqual([...new Set([...a, ...b])].toSorted((p, q) => p - q));
    }),
    { numRuns: 500 },
  );
});

test('reviews are found by their byte, and none beyond the last', () => {
  for (const count of [1, 15, 16, 31, 32, 33, 100]) {
    const bytes = Uint8Array.from({ length: count }, (_, position) => position % 3);
    const { sections, sets } = placed({ bytes }, count);
    const bits = sets.bitsOfBytes(sections.bytes, 0);
    expect([...sets.listOfBits(bits, sets.count(bits))]).toEqual(
      Array.from({ length: count }, (_, position) => position).filter((at) => at % 3 === 0),
    );
  }
});

test('sets that are larger than the memory have their content, and earlier ones keep theirs', () => {
  const sets = setsOf(10);
  const first = sets.newBytes(1_000_000, 7);
  const second = sets.newBytes(9_000_000, 8);
  const third = sets.newNumbers(3_000_000);
  expect([first.at(-1), second[0], second.at(-1), third.at(-1)]).toEqual([7, 8, 8, 0]);
  sets.clear();
  expect(sets.newBytes(8, 1).byteOffset).toBe(first.byteOffset);
});
