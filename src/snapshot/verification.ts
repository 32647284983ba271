// Answers about how reviews were verified, and about what is left out.

import type { ReviewVerification, VerificationCounts } from '../model/verification.ts';
import { isoTime } from './documents.ts';
import type { PublishedLog } from './published-log.ts';
import type { Snapshot } from './snapshot.ts';

export function verificationAt(snapshot: Snapshot, position: number): ReviewVerification {
  const { source } = JSON.parse(snapshot.reviewAt(position).toString()) as { source: string };
  const { method, sourceLevel, verifiedAt } = snapshot.details.verificationAt(position);
  const { log } = snapshot;
  return {
    id: snapshot.idAt(position),
    verified: true,
    method,
    source,
    source_level: sourceLevel,
    verified_at: verifiedAt,
    published_since: log && timeOfEntry(log, log.firstEntryAt(position)),
  };
}

/** When the review at a position was last edited, in ISO 8601; null if it never was. */
export function editedAt({ log }: Snapshot, position: number): string | null {
  if (log === null) return null;
  const { index } = log.openingAt(position);
  return index === log.firstEntryAt(position) ? null : timeOfEntry(log, index);
}

function timeOfEntry(log: PublishedLog, index: number): string {
  return (JSON.parse(log.entryAt(index).toString()) as { readonly at: string }).at;
}

/** What is published, withheld and removed; null in snapshots of earlier versions. */
export function verificationCounts({ manifestDetails }: Snapshot): VerificationCounts | null {
  if (manifestDetails === null) return null;
  const { changedAt, counts } = manifestDetails;
  return { version: 1, updated_at: isoTime(changedAt), ...counts };
}

/** How the review of an id was verified, null without one, and the counts of all. */
export function verificationOf(snapshot: Snapshot, id: string | undefined) {
  const position = id === undefined ? null : snapshot.positionOf(id);
  const review = position === null ? null : verificationAt(snapshot, position);
  return { review, counts: verificationCounts(snapshot) };
}
