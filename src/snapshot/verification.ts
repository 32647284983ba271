// Answers about how reviews were verified, and about what is left out.

import type { ReviewVerification, VerificationCounts } from '../model/verification.ts';
import { isoTime } from './documents.ts';
import type { Snapshot } from './snapshot.ts';

/** How the review at a position was verified. */
export function verificationAt(snapshot: Snapshot, position: number): ReviewVerification {
  const { source } = JSON.parse(snapshot.reviewAt(position).toString()) as { source: string };
  const { method, sourceLevel, verifiedAt } = snapshot.details.verificationAt(position);
  const { log } = snapshot;
  const entry = log && (JSON.parse(log.entryAt(log.firstEntryAt(position)).toString()) as Dated);
  return {
    id: snapshot.idAt(position),
    verified: true,
    method,
    source,
    source_level: sourceLevel,
    verified_at: verifiedAt,
    published_since: entry?.at ?? null,
  };
}

/** An entry of the log. */
interface Dated {
  readonly at: string;
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
