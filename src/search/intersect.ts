// Intersects postings within a range of positions, rarest first.

import {
  cutBits,
  type Posting,
  postingOf,
  postingOfBits,
  postingOfRange,
  within,
} from './positions.ts';
import type { SetMemory } from './set-memory.ts';

/** A hint is skipped if its list is this many times longer than the list that it would reduce. */
const MAX_LENGTH_RATIO = 16;

/** The positions from `first` up to, but not including, `end`. */
export interface Range {
  readonly first: number;
  readonly end: number;
  /** Whether the range covers all reviews. */
  readonly isWhole: boolean;
}

/**
 * The positions of a range that all postings contain. Every wanted review is also in all `hints`,
 * which are used only where that is faster than scanning texts.
 */
export function intersect(
  postings: readonly Posting[],
  hints: readonly Posting[],
  { first, end, isWhole }: Range,
  sets: SetMemory,
): Posting {
  const all = [...postings, ...hints].toSorted((a, b) => a.count - b.count);
  if (isWhole && all.length === 1) return all[0] as Posting;
  const bits = all.flatMap((posting) => posting.bits ?? []);
  const [some, ...others] = bits;
  if (bits.length === all.length) {
    if (!some) return postingOfRange(first, end, sets);
    let both = others[0] === undefined ? sets.copy(some) : sets.and(some, others[0]);
    for (const each of others.slice(1)) both = sets.and(both, each);
    if (!isWhole) cutBits(both, first, end);
    return postingOfBits(both, sets);
  }
  const [rarest, ...lists] = all.filter((posting) => posting.bits === null) as [Posting];
  let list = within(rarest.list(), first, end);
  for (const each of bits) list = sets.keepList(list, each, true);
  for (const posting of lists as Posting[]) {
    if (hints.includes(posting) && posting.count > list.length * MAX_LENGTH_RATIO) continue;
    list = sets.intersectLists(list, posting.list());
  }
  return postingOf(list, sets);
}
