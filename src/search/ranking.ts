// The page of a search in each order.

import { HAS_TEXT, STARS } from './index-terms.ts';
import { lowerBound } from '../model/lower-bound.ts';
import { intersect } from './intersect.ts';
import { bitsOf, type Posting, within } from './positions.ts';
import type { Postings } from './postings.ts';
import type { SetMemory } from './set-memory.ts';

/** What the relevance of a condition depends on. */
export interface Term {
  /** How rare it is: see `inverseFrequency`. */
  readonly weight: number;
  /** Words that count, and the reviews that repeat them. */
  readonly words: readonly Posting[];
  readonly repeated: readonly Posting[];
  /** Longer words, other words that mean the same, and mentions: they count half. */
  readonly halves: readonly Posting[];
  /** Whether every match has it exactly once, as phrases. */
  readonly isConstant: boolean;
}

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

export function takeNewest(found: Posting, after: After | null, limit: number): RankedPage {
  return { positions: found.take(after?.next ?? 0, limit), ranks: null };
}

export function takeOldest(found: Posting, after: After | null, limit: number): RankedPage {
  const older = within(found.list(), 0, after?.first ?? Infinity);
  const start = Math.max(0, older.length - limit);
  return { positions: Array.from(older.subarray(start)).toReversed(), ranks: null };
}

const HIGHEST = [5, 4, 3, 2, 1] as const;
const LOWEST = HIGHEST.toReversed();

/** By stars, equal ones newest first. */
export function takeByStars(
  found: Posting,
  order: 'highest' | 'lowest',
  { postings, sets }: { readonly postings: Postings; readonly sets: SetMemory },
  after: After | null,
  limit: number,
): RankedPage {
  const positions: number[] = [];
  const ranks: number[] = [];
  for (const stars of order === 'highest' ? HIGHEST : LOWEST) {
    const last = after?.rank ?? null;
    if (last !== null && (order === 'highest' ? stars > last : stars < last)) continue;
    const rated = postings.of(STARS + stars);
    if (!rated) continue;
    const range = { first: 0, end: sets.reviews, isWhole: true };
    const both = intersect([found, rated], [], range, sets);
    const from = last === stars ? (after?.next ?? 0) : 0;
    const taken = both.take(from, limit - positions.length);
    positions.push(...taken);
    ranks.push(...taken.map(() => stars));
    if (positions.length === limit) break;
  }
  return { positions, ranks };
}

/** Parameters of BM25: how much repetition counts, and how much the length. */
const K1 = 1.2;
const B = 0.75;
/** Scores are compared with three decimals, so that cursors can name them. */
const SCORE_UNIT = 1000;
/** What nearness counts, as a factor. */
const NEARNESS = 3;
/** As many of the best reviews are looked at more closely. */
const REFINED = 200;
/** More than any score: 64 words of the greatest weight. Cursors have nine digits, for nine levels. */
const LEVEL = 100_000_000;
/** The counts of fewer reviews are cleared one by one. */
const FEW_RATIO = 64;

/** Scores of reviews by the terms of a search (BM25). */
export class Relevance {
  readonly #sets: SetMemory;
  readonly #lengths: Uint8Array;
  /** The factor of the length in the denominator, by length. */
  readonly #norms: Float64Array;

  /** `lengths` are in words, and in the memory of the sets. */
  constructor(lengths: Uint8Array, postings: Postings, sets: SetMemory) {
    this.#sets = sets;
    this.#lengths = lengths;
    const texts = Math.max(1, postings.countOf(HAS_TEXT));
    let total = 0;
    for (let position = 0; position < lengths.length; position++) {
      total += lengths[position] as number;
    }
    const mean = Math.max(1, total / texts);
    this.#norms = sets.newNumbers(0x100);
    this.#norms.forEach((_, length) => {
      this.#norms[length] = K1 * (1 - B + (B * length) / mean);
    });
  }

  /** The scores of the reviews of a list, in its order: integers. */
  scoresOf(list: Uint32Array, terms: readonly Term[]): Float64Array {
    const sets = this.#sets;
    const scores = sets.newNumbers(list.length);
    // Twice the number of occurrences of a term, by position.
    const counts = sets.newBytes(sets.reviews, 0);
    const isFew = list.length * FEW_RATIO < sets.reviews;
    for (const { weight, words, repeated, halves, isConstant } of terms) {
      if (!isFew) counts.fill(isConstant ? 2 : 0);
      else for (const position of list) counts[position] = isConstant ? 2 : 0;
      for (const posting of [...words, ...repeated]) this.#count(posting, list, counts, 2, isFew);
      for (const posting of halves) this.#count(posting, list, counts, 1, isFew);
      sets.run.addScores(
        list.byteOffset,
        list.length,
        counts.byteOffset,
        this.#lengths.byteOffset,
        this.#norms.byteOffset,
        weight,
        K1 + 1,
        scores.byteOffset,
      );
    }
    sets.run.roundScores(scores.byteOffset, list.length, SCORE_UNIT);
    return scores;
  }

  /** Puts the reviews of a list that are in a set above others of a lower level, and keeps their levels if it `adds`. */
  raise(list: Uint32Array, scores: Float64Array, raised: Posting, level: number, adds = false) {
    const bits = bitsOf(raised, this.#sets);
    for (let index = 0; index < list.length; index++) {
      const position = list[index] as number;
      if ((((bits[position >>> 5] as number) >>> (position & 31)) & 1) === 0) continue;
      const score = scores[index] as number;
      scores[index] = (adds ? score : score % LEVEL) + level * LEVEL;
    }
  }

  /** Adds to the counts of the positions that a posting and a list share, if they are few only to those. */
  #count(
    posting: Posting,
    list: Uint32Array,
    counts: Uint8Array,
    more: number,
    isFew: boolean,
  ): void {
    const { run } = this.#sets;
    const at = counts.byteOffset;
    if (posting.bits) {
      run.addToCounts(list.byteOffset, list.length, posting.bits.byteOffset, at, more);
      return;
    }
    const all = posting.list();
    const counted = isFew ? this.#sets.intersectLists(list, all) : all;
    run.addAllToCounts(counted.byteOffset, counted.length, at, more);
  }

  /** Adds to the best scores what other scores of their reviews are. */
  refine(list: Uint32Array, scores: Float64Array, score: (position: number) => number): void {
    const { positions } = this.takeBest(list, scores, null, REFINED);
    for (const position of positions) {
      const at = lowerBound(list.length, (index) => (list[index] as number) >= position);
      scores[at] = (scores[at] as number) + Math.round(SCORE_UNIT * NEARNESS * score(position));
    }
  }

  /** The highest scores, equal ones newest first. */
  takeBest(
    list: Uint32Array,
    scores: Float64Array,
    after: After | null,
    limit: number,
  ): RankedPage {
    /** Indexes of the list, best first. */
    const best: number[] = [];
    const last = after?.rank ?? null;
    const scoreAt = (index: number) => scores[index] as number;
    const nextFrom = (from: number) => {
      const least = best.length < limit ? -1 : scoreAt(best[limit - 1] as number);
      return this.#sets.run.nextAbove(scores.byteOffset, from, list.length, least);
    };
    for (let index = nextFrom(0); index < list.length; index = nextFrom(index + 1)) {
      const score = scoreAt(index);
      if (last !== null && score > last) continue;
      if (last !== null && score === last && (list[index] as number) < (after?.next ?? 0)) continue;
      if (best.length === limit) best.pop();
      let at = best.length;
      while (at > 0 && score > scoreAt(best[at - 1] as number)) at -= 1;
      best.splice(at, 0, index);
    }
    return {
      positions: best.map((index) => list[index] as number),
      ranks: best.map(scoreAt),
    };
  }
}
