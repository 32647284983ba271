// The tables as the statements see them.

/** A stored review, verified or not. */
export interface ReviewRow {
  /** ULID, the merge key. */
  id: string;
  /** What makes it the same review when it is imported again (see intake/record.ts). */
  identity: string;
  source: string;
  author: string;
  author_avatar_url: string | null;
  rating: number;
  date: string;
  text: string | null;
  source_url: string | null;
  owner_reply_text: string | null;
  owner_reply_date: string | null;
  /** 1 or 0. */
  verified: number;
  /** How it was verified; null also where a file said no more than that it is. */
  verified_by: string | null;
}

/** A review of an import under way; `verified` is null where the import says nothing of it. */
export interface StagedRow extends Omit<ReviewRow, 'verified'> {
  /** Place in the import, from 1. */
  sequence: number;
  verified: number | null;
}

/** A staged review that the store has already, and whether the staged row would change it. */
export interface KnownRow {
  id: string;
  /** 1 if anything that is published could change, 2 if only the identity does, 0 if nothing. */
  changed: number;
  /** Whether the stored review is verified, 1 or 0. */
  verified: number;
}

export interface BusinessRow {
  id: 1;
  /** JSON of the contract. */
  record: string;
}

/** The one row that says how far everything has come. */
export interface StateRow {
  id: 1;
  /** Base URL that `serve` recorded. */
  origin: string | null;
  /** 1 while the reviews are those of the example business. */
  example: number;
  /** Grows with every merge that changed something. */
  content_version: number;
  /** The content version that was last published; less means that a publish is owed. */
  published_version: number;
  /** The current snapshot. */
  snapshot_number: number | null;
  /** Who is publishing, and until when (ms since 1970) that is believed without a sign of life. */
  publisher: string | null;
  publisher_until: number;
}

export interface SnapshotRow {
  number: number;
  /** JSON of the snapshot's manifest. */
  manifest: string;
}

/**
 * Bytes that a manifest names. A part that did not change is named by the next manifest too. It
 * comes in chunks, so that no value is huge.
 */
export interface SnapshotPartRow {
  name: string;
  sequence: number;
  bytes: Uint8Array;
}

/** What a review says on its own, kept between publishes (see insights/reuse.ts). */
export interface AnalysisRow {
  /** What the analysis depends on, its context included. */
  key: string;
  /** What all analyses of a publish share: the analyser and the business. */
  context: string;
  /** JSON. */
  analysis: string;
}

export interface Schema {
  analyses: AnalysisRow;
  reviews: ReviewRow;
  staged_reviews: StagedRow;
  known_reviews: KnownRow;
  business: BusinessRow;
  state: StateRow;
  snapshots: SnapshotRow;
  snapshot_parts: SnapshotPartRow;
}
