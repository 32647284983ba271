// How the owner replies to critical reviews, in a sentence.

import { dayNumber } from '../model/date.ts';
import type { ReviewJson } from '../model/review.ts';
import type { Strings } from '../strings/strings.ts';
import type { Snapshot } from './snapshot.ts';

/** Newest replies by which the usual time is judged. */
const MAX_JUDGED = 100;
const MIN_REPLIES = 3;
const MIN_UNANSWERED = 10;
/** The most stars of a critical review. */
export const CRITICAL = 2;

/** The critical reviews with a reply, the newest, and how many there are in all. */
export function criticalReplied(snapshot: Snapshot) {
  const filter = { max_rating: CRITICAL, sort: 'newest', limit: MAX_JUDGED } as const;
  const { matched, positions } = snapshot.search({ ...filter, has_reply: true });
  return { matched, positions, critical: snapshot.search(filter).matched };
}

/** How many critical reviews have a reply, and within how many days half of the replies came; null if there are few. */
export function describeReplies(
  snapshot: Snapshot,
  { home }: Strings = snapshot.language.strings,
): string | null {
  const { matched, positions, critical } = criticalReplied(snapshot);
  if (matched === 0 && critical >= MIN_UNANSWERED) return home.noReplies;
  if (matched < MIN_REPLIES) return null;
  const days = Array.from(positions, (position) => {
    const { date, owner_reply: reply } = JSON.parse(
      snapshot.reviewAt(position).toString(),
    ) as ReviewJson;
    // An edited review may be younger than its reply.
    return reply?.date ? [Math.max(dayNumber(reply.date) - dayNumber(date), 0)] : [];
  })
    .flat()
    .toSorted((one, other) => one - other);
  if (days.length < MIN_REPLIES) return null;
  const usual = days[Math.ceil(days.length / 2) - 1] as number;
  const percent = Math.max(Math.round((matched / critical) * 100), 1);
  return home.replies(percent, usual);
}
