// Narrows a search down to what has all that is wanted, from what is rarest on.

import {
  intersectBits,
  intersectLists,
  intersectWithBits,
  type Positions,
  type Posting,
  within,
} from './positions.ts';

/** Reading a list pays where it is at most so many times as long as what it might leave out. */
const WORTH = 16;

/** From the first position up to the end, which is not in it. */
export interface Range {
  readonly first: number;
  readonly end: number;
  /** Whether these are all reviews. */
  readonly isWhole: boolean;
}

/**
 * What has all of the postings, in a range. Hints are what all that is wanted has besides: they are
 * used as far as that is quicker than to look at every text.
 */
export function narrow(
  postings: readonly Posting[],
  hints: readonly Posting[],
  { first, end, isWhole }: Range,
): Positions {
  const all = [...postings, ...hints].toSorted((a, b) => a.count - b.count);
  if (isWhole && all.length === 1) return { posting: all[0] as Posting };
  const bits = all.flatMap((posting) => posting.bits ?? []);
  const [some, ...others] = bits;
  if (bits.length === all.length) {
    return some ? intersectBits([some, ...others], first, end) : { first, end };
  }
  const [rarest, ...lists] = all.filter((posting) => posting.bits === null) as [Posting];
  let list = within(rarest.list(), first, end);
  for (const each of bits) list = intersectWithBits(list, each);
  for (const posting of lists as Posting[]) {
    if (hints.includes(posting) && posting.count > list.length * WORTH) continue;
    list = intersectLists(list, posting.list());
  }
  return { list };
}
