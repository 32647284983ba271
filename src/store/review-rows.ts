// Row types of the tables of reviews.

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
