// Whether the stars of a review bear out what a few of its words seem to say of a person or a service.

import type { Verdict } from '../text/reading.ts';

/** How much a reproach of somebody by name has to weigh to stand in a review of so many stars. */
const CLEAR_BLAME: Readonly<Record<number, number>> = {
  1: 0.2,
  2: 0.2,
  3: 0.25,
  4: 0.45,
  5: 0.7,
};
/** How much praise has to weigh to stand in a review of one or two. */
const CLEAR_PRAISE = 0.25;

/** Whether a faint opinion goes against the stars. Nobody is blamed in a review of four stars or
 * more, nor praised in one of two or less, for words that are not clearly about them. */
export function isUnlikely({ sentiment, weight }: Verdict, rating: number): boolean {
  if (sentiment === 'negative') return weight < (CLEAR_BLAME[rating] ?? 0);
  return sentiment === 'positive' && rating <= 2 && weight < CLEAR_PRAISE;
}
