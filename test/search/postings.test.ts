import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Postings, PostingsWriter } from '../../src/search/postings.ts';
import { placed } from '../support/sets.ts';

/** Postings of reviews, each with its terms. */
function postingsOf(reviews: readonly (readonly number[])[]): Postings {
  const writer = new PostingsWriter(reviews.length);
  const slots = new Map<number, number>();
  reviews.forEach((terms, position) => {
    for (const term of terms) {
      const slot = slots.get(term) ?? writer.addTerm(term);
      slots.set(term, slot);
      writer.add(slot, position);
    }
  });
  const { sections, sets } = placed(writer.finish(), reviews.length);
  return new Postings(sections, sets);
}

function having(reviews: readonly (readonly number[])[], term: number): number[] {
  return reviews.flatMap((terms, position) => (terms.includes(term) ? [position] : []));
}

describe('postings', () => {
  test('of many reviews, rare and common, are those that have the term', () => {
    // Every n-th review has the term n: gaps of one and two bytes in many blocks, and bits.
    const every = [1, 7, 8, 9, 11, 127, 128, 129, 5_000, 19_999];
    const reviews = Array.from({ length: 20_000 }, (_, position) =>
      every.filter((term) => position % term === term - 1),
    );
    const postings = postingsOf(reviews);
    for (const term of every) {
      expect([...(postings.of(term)?.list() ?? [])]).toEqual(having(reviews, term));
    }
  });

  test('of a term are the reviews that have it once or several times', () => {
    const reviews = fc.array(fc.array(fc.nat(12), { maxLength: 8 }), { maxLength: 200 });
    fc.assert(
      fc.property(reviews, fc.nat(13), (all, term) => {
        const posting = postingsOf(all).of(term);
        const expected = having(all, term);
        expect(posting?.count ?? 0).toBe(expected.length);
        expect([...(posting?.list() ?? [])]).toEqual(expected);
        for (const from of [0, 1, 40, 200]) {
          const rest = expected.filter((position) => position >= from);
          expect(posting?.take(from, 5) ?? []).toEqual(rest.slice(0, 5));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('are a bit for each review if more than one in eight has the term', () => {
    const reviews = Array.from({ length: 80 }, (_, place) => (place < 10 ? [1, 2] : [2]));
    reviews[79] = [1, 2];
    expect(postingsOf(reviews).of(1)?.bits).not.toBeNull();
    reviews[79] = [2];
    expect(postingsOf(reviews).of(1)?.bits).toBeNull();
  });

  test('store distances of any size', () => {
    const places = [0, 1, 128, 129, 256, 16_639, 16_640, 39_999];
    const reviews = Array.from({ length: 40_000 }, (_, place) =>
      places.includes(place) ? [7] : [],
    );
    expect([...(postingsOf(reviews).of(7)?.list() ?? [])]).toEqual(places);
  });

  test('of many terms stay separate', () => {
    const reviews = Array.from({ length: 3_000 }, (_, place) => [place, 10_000 + (place >> 2)]);
    const postings = postingsOf(reviews);
    for (const term of [0, 1, 1_023, 1_024, 2_999, 10_000, 10_749]) {
      expect([...(postings.of(term)?.list() ?? [])]).toEqual(having(reviews, term));
    }
    expect(postings.of(3_000)).toBeNull();
    expect(postings.of(10_750)).toBeNull();
  });
});
