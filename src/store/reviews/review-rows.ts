// Row types of the tables of reviews.

import type { Generated } from 'kysely';
import type { ReviewValues } from '../../model/review-columns.ts';

/** A stored review, verified or not. */
export interface ReviewRow extends ReviewValues {
  /** ULID, the merge key. */
  id: string;
  /** Identifies the review when it is imported again (see model/review-identity.ts). */
  identity: string;
}

/** A review of a file, ready to be merged; `verified` is null if the file does not say. */
export interface ImportedReview extends Omit<ReviewRow, 'verified'> {
  verified: number | null;
  /** The identity that it had while its branch was not known (see model/review-identity.ts). */
  unplaced: string | null;
}

export interface StagedRow extends ImportedReview {
  /** Row number in the import, from 1. */
  sequence: number;
  /** 1 if it is another copy of the review that it is matched with, which only fills gaps (see identities.ts). */
  is_copy: number;
  /** The dates between which a near duplicate is looked for. */
  near_from: string;
  near_to: string;
}

/** Another identity of a staged row, whose copy was merged into it. */
export interface StagedIdentityRow {
  identity: string;
  /** Of the row that is kept. */
  sequence: number;
}

/** An earlier version of a review. */
export interface HistoryRow extends ReviewValues {
  number: Generated<number>;
  review_id: string;
  /** When an import replaced it, ms since 1970. */
  replaced_at: number;
}

/** An identity of a review beside the one in its row: that of a copy from elsewhere. */
export interface ReviewIdentityRow {
  identity: string;
  review_id: string;
}

/** A stored review that a staged row matches, and whether the staged row changes it. */
export interface KnownRow {
  id: string;
  /** 1 if a published or verification field changes, 2 if only the identity does, 0 if nothing. */
  changed: number;
  /** Whether the stored review is verified, 1 or 0. */
  verified: number;
}

/** A keyed digest of what identifies a removed review (see suppressions.ts). */
export interface SuppressionRow {
  digest: string;
}

/** A review that is not published. It may be missing from `reviews` until it is imported again. */
export interface HiddenReviewRow {
  review_id: string;
  reason: string;
}
