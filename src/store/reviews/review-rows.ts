// Row types of the tables of reviews.

import type { Generated } from 'kysely';

/** A stored review, verified or not. */
export interface ReviewRow {
  /** ULID, the merge key. */
  id: string;
  /** Identifies the review when it is imported again (see intake/record.ts). */
  identity: string;
  source: string;
  author: string;
  author_avatar_url: string | null;
  rating: number;
  date: string;
  /** The text begins with it (see model/title.ts). */
  title: string | null;
  text: string | null;
  source_url: string | null;
  owner_reply_text: string | null;
  owner_reply_date: string | null;
  /** 1 or 0. */
  verified: number;
  /** How it was verified; null if not verified, or if the file only says that it is. */
  verified_by: string | null;
  /** What the source says of the verification. */
  verified_level: string | null;
  /** YYYY-MM-DD. */
  verified_at: string | null;
}

/** A review of a running import; `verified` is null if the import does not say. */
export interface StagedRow extends Omit<ReviewRow, 'verified'> {
  /** Row number in the import, from 1. */
  sequence: number;
  verified: number | null;
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
export interface HistoryRow extends Omit<ReviewRow, 'id' | 'identity'> {
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
