// When the reviews of each day last changed.

import type { Review } from '../model/review.ts';
import { hashOf } from './documents.ts';
import type { DayState } from './manifest.ts';

/** The state of every day that has or had reviews, newest first. */
export function nextDays(
  {
    body,
    starts,
    ends,
  }: { readonly body: Buffer; readonly starts: Uint32Array; readonly ends: Uint32Array },
  reviews: readonly Review[],
  previous: readonly DayState[],
  publishedAtSeconds: number,
): DayState[] {
  const known = new Map(previous.map((day) => [day.date, day]));
  const days = new Map<string, DayState>();
  const add = (date: string, hash: string | null) => {
    const before = known.get(date);
    days.set(date, before?.hash === hash ? before : { date, hash, changedAt: publishedAtSeconds });
  };
  for (let first = 0; first < reviews.length;) {
    const { date } = reviews[first] as Review;
    let last = first;
    while (reviews[last + 1]?.date === date) last += 1;
    add(date, hashOf(body.subarray(starts[first], ends[last])));
    first = last + 1;
  }
  for (const { date } of previous) if (!days.has(date)) add(date, null);
  return [...days.values()].toSorted((a, b) => (a.date < b.date ? 1 : -1));
}
