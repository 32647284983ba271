// The page of a search in each order.

import { HAS_TEXT, STARS } from './index-terms.ts';
import { intersect } from './intersect.ts';
import {
  intersectLists,
  listOf,
  type Positions,
  type Posting,
  takeBefore,
  takeFrom,
} from './positions.ts';
import { postingOf, postingOfBits } from './position-sets.ts';
import type { Postings } from './postings.ts';
import type { Term } from './word-index.ts';

/** A page, and what its reviews are ranked by before their dates. */
export interface RankedPage {
  readonly positions: readonly number[];
  /** Of each position; null if by date alone. */
  readonly ranks: readonly number[] | null;
}

/** The page after a cursor: the rank of the last review, and the first position after it. */
export interface After {
  readonly rank: number | null;
  /** The first position that is not newer than the cursor, and the first that is older. */
  readonly first: number;
  readonly next: number;
}

export function takeNewest(found: Positions, after: After | null, limit: number): RankedPage {
  return { positions: takeFrom(found, after?.next ?? 0, limit), ranks: null };
}

export function takeOldest(found: Positions, after: After | null, limit: number): RankedPage {
  return { positions: takeBefore(found, after?.first ?? Infinity, limit), ranks: null };
}

const HIGHEST = [5, 4, 3, 2, 1] as const;
const LOWEST = HIGHEST.toReversed();

/** By stars, equal ones newest first. */
export function takeByStars(
  found: Positions,
  order: 'highest' | 'lowest',
  { postings, reviews }: { readonly postings: Postings; readonly reviews: number },
  after: After | null,
  limit: number,
): RankedPage {
  const positions: number[] = [];
  const ranks: number[] = [];
  const set = asPosting(found);
  for (const stars of order === 'highest' ? HIGHEST : LOWEST) {
    const last = after?.rank ?? null;
    if (last !== null && (order === 'highest' ? stars > last : stars < last)) continue;
    const rated = postings.of(STARS + stars);
    if (!rated) continue;
    const both = intersect([set, rated], [], { first: 0, end: reviews, isWhole: true });
    const from = last === stars ? (after?.next ?? 0) : 0;
    const taken = takeFrom(both, from, limit - positions.length);
    positions.push(...taken);
    ranks.push(...taken.map(() => stars));
    if (positions.length === limit) break;
  }
  return { positions, ranks };
}

function asPosting(found: Positions): Posting {
  if ('posting' in found) return found.posting;
  if ('bits' in found) return postingOfBits(found.bits, found.count);
  return postingOf('list' in found ? found.list : listOf(found));
}

/** Parameters of BM25: how much repetition counts, and how much the length. */
const K1 = 1.2;
const B = 0.75;
/** Scores are compared with three decimals, so that cursors can name them. */
const SCORE_UNIT = 1000;
/** Shorter lists are looked up in postings instead of reading these. */
const LOOKUP_RATIO = 16;

/** Scores of reviews by the terms of a search (BM25). */
export class Relevance {
  readonly #lengths: Uint8Array;
  /** The factor of the length in the denominator, by length. */
  readonly #norms: Float64Array;

  /** `lengths` are in words. */
  constructor(lengths: Uint8Array, postings: Postings) {
    this.#lengths = lengths;
    const texts = Math.max(1, postings.countOf(HAS_TEXT));
    let total = 0;
    for (let position = 0; position < lengths.length; position++) {
      total += lengths[position] as number;
    }
    const mean = Math.max(1, total / texts);
    this.#norms = Float64Array.from({ length: 0x100 }, (_, length) => {
      return K1 * (1 - B + (B * length) / mean);
    });
  }

  /** The scores of the reviews of a list, in its order: integers. */
  scoresOf(list: Uint32Array, terms: readonly Term[]): Float64Array {
    const scores = new Float64Array(list.length);
    // Twice the number of occurrences of a term, by position.
    const halves = new Uint8Array(this.#lengths.length);
    for (const { weight, words, repeated, halves: half, isConstant } of terms) {
      if (!isConstant) {
        halves.fill(0);
        const add = (postings: readonly Posting[], count: number) => {
          for (const posting of postings) addTo(halves, posting, list, count);
        };
        add(words, 2);
        add(repeated, 2);
        add(half, 1);
      }
      for (let index = 0; index < list.length; index++) {
        const position = list[index] as number;
        const times = isConstant ? 1 : (halves[position] as number) / 2;
        if (times === 0) continue;
        const norm = this.#norms[this.#lengths[position] as number] as number;
        scores[index] = (scores[index] as number) + (weight * times * (K1 + 1)) / (times + norm);
      }
    }
    return scores.map((score) => Math.round(score * SCORE_UNIT));
  }
}

/** Adds a count at the positions that a posting and a list share; never more than a byte holds. */
function addTo(counts: Uint8Array, posting: Posting, list: Uint32Array, count: number): void {
  const { bits } = posting;
  if (bits) {
    for (let index = 0; index < list.length; index++) {
      const position = list[index] as number;
      const isSet = ((bits[position >>> 5] as number) >>> (position & 31)) & 1;
      counts[position] = Math.min(0xff, (counts[position] as number) + isSet * count);
    }
    return;
  }
  const all = posting.list();
  const shared = list.length * LOOKUP_RATIO < all.length ? intersectLists(list, all) : all;
  for (let index = 0; index < shared.length; index++) {
    const position = shared[index] as number;
    counts[position] = Math.min(0xff, (counts[position] as number) + count);
  }
}

/** The highest scores, equal ones newest first. */
export function takeRelevant(
  list: Uint32Array,
  scores: Float64Array,
  after: After | null,
  limit: number,
): RankedPage {
  /** Indexes of the list, best first. */
  const best: number[] = [];
  const isBetter = (index: number, other: number) =>
    (scores[index] as number) > (scores[other] as number);
  for (let index = 0; index < list.length; index++) {
    const score = scores[index] as number;
    if (after !== null && after.rank !== null) {
      if (score > after.rank) continue;
      if (score === after.rank && (list[index] as number) < after.next) continue;
    }
    if (best.length === limit && !isBetter(index, best[limit - 1] as number)) continue;
    if (best.length === limit) best.pop();
    let at = best.length;
    while (at > 0 && isBetter(index, best[at - 1] as number)) at -= 1;
    best.splice(at, 0, index);
  }
  return {
    positions: best.map((index) => list[index] as number),
    ranks: best.map((index) => scores[index] as number),
  };
}
