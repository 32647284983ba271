// Checks what words say about a person or a service against the stars of the review.

import type { Verdict } from './attribution.ts';

/** The least weight of a complaint about a person or service, by the stars of the review, from none to five. */
const MIN_COMPLAINT: readonly number[] = [0, 0.2, 0.2, 0.25, 0.45, 0.7];
/** The least weight of praise in a review of one or two stars. */
const MIN_PRAISE = 0.25;

/** Whether a verdict contradicts the stars and is too faint to be believed. */
export function isFaintContradiction({ sentiment, weight }: Verdict, rating: number): boolean {
  if (sentiment === 'negative') return weight < (MIN_COMPLAINT[rating] ?? 0);
  return sentiment === 'positive' && rating <= 2 && weight < MIN_PRAISE;
}
