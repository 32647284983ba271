// Compares sets of positions in every form with arrays.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intersect } from '../../src/search/intersect.ts';
import {
  type Posting,
  postingOf,
  postingOfBits,
  postingOfRange,
} from '../../src/search/positions.ts';
import type { SetMemory } from '../../src/search/set-memory.ts';
import { setsOf } from '../support/sets.ts';

const SETS = new Map(
  [1, 2, 31, 32, 33, 64, 65, 128, 300].map((reviews) => [reviews, setsOf(reviews)]),
);
const REVIEWS = fc.constantFrom(...SETS.keys());

/** The memory for sets of some reviews, without sets. */
function emptySets(reviews: number): SetMemory {
  const sets = SETS.get(reviews) as SetMemory;
  sets.clear();
  return sets;
}

/** How many reviews there are, and some of them. */
const SOME = REVIEWS.chain((reviews) =>
  fc.record({ reviews: fc.constant(reviews), some: subsetOf(reviews) }),
);

function subsetOf(reviews: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length: reviews }, (_, position) => position);
  return fc.oneof(
    fc.subarray(all),
    fc.constant(all),
    fc.subarray(all, { maxLength: Math.min(3, reviews) }),
  );
}

/** As a list and as bits, in the memory and outside of it, where results are cached. */
function formsOf(some: readonly number[], sets: SetMemory): Posting[] {
  const list = Uint32Array.from(some);
  const bits = sets.bitsOfList(list);
  return [
    postingOf(list, sets),
    postingOf(sets.place(list), sets),
    postingOfBits(bits, sets),
    postingOfBits(Uint32Array.from(bits), sets, some.length),
  ];
}

describe('a set of positions', () => {
  test('has the same count, list and pages in every form', () => {
    fc.assert(
      fc.property(
        SOME,
        fc.nat(301),
        fc.integer({ min: 1, max: 40 }),
        ({ reviews, some }, from, most) => {
          const sets = emptySets(reviews);
          for (const posting of formsOf(some, sets)) {
            expect(posting.count).toBe(some.length);
            expect([...posting.list()]).toEqual(some);
            const rest = some.filter((position) => position >= from);
            expect(posting.take(from, most)).toEqual(rest.slice(0, most));
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('of a range contains exactly the positions in it', () => {
    const range = postingOfRange(3, 6, setsOf(9));
    expect(range.count).toBe(3);
    expect([...range.list()]).toEqual([3, 4, 5]);
    expect(range.take(4, 20)).toEqual([4, 5]);
    expect(range.take(0, 2)).toEqual([3, 4]);
    expect(range.take(6, 2)).toEqual([]);
  });
});

describe('an intersection', () => {
  const given = REVIEWS.chain((reviews) =>
    fc.record({
      reviews: fc.constant(reviews),
      sets: fc.array(fc.record({ some: subsetOf(reviews), asBits: fc.boolean() }), {
        maxLength: 5,
      }),
      hinted: fc.nat(2),
      first: fc.nat(reviews),
      end: fc.nat(reviews),
    }),
  );

  test('keeps the positions of all postings in the range, and may ignore hints', () => {
    fc.assert(
      fc.property(given, ({ reviews, sets, hinted, first, end }) => {
        fc.pre(first < end);
        const memory = emptySets(reviews);
        const postings = sets.map(({ some, asBits }): Posting => {
          const list = Uint32Array.from(some);
          return asBits ? postingOfBits(memory.bitsOfList(list), memory) : postingOf(list, memory);
        });
        const inAll = (which: typeof sets) =>
          Array.from({ length: end - first }, (_, place) => first + place).filter((position) =>
            which.every(({ some }) => some.includes(position)),
          );
        const found = [
          ...intersect(
            postings.slice(hinted),
            postings.slice(0, hinted),
            { first, end, isWhole: end - first === reviews },
            memory,
          ).list(),
        ];
        const most = inAll(sets.slice(hinted));
        expect(found.filter((position) => !most.includes(position))).toEqual([]);
        expect(inAll(sets).filter((position) => !found.includes(position))).toEqual([]);
        if (hinted === 0) expect(found).toEqual(most);
      }),
      { numRuns: 2_000 },
    );
  });

  test('does not read the long list of a hint for a few positions', () => {
    const range = { first: 0, end: 2_000, isWhole: true };
    const sets = setsOf(2_000);
    const few = postingOf(Uint32Array.of(1, 5), sets);
    const long = {
      count: 1_000,
      bits: null,
      list: () => {
        throw new Error('the list was read');
      },
      take: () => [],
      addTo: () => undefined,
      isStored: true,
    };
    expect([...intersect([few], [long], range, sets).list()]).toEqual([1, 5]);
    expect(() => intersect([few, long], [], range, sets)).toThrow('the list was read');
  });
});
