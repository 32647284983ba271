// The tables as the statements see them.

import type { Generated } from 'kysely';

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
  /** Of the name, the sequence and the bytes; null where an earlier version stored them. */
  hash: string | null;
}

/** Who is at work on a row, and until when (ms since 1970) nobody else may be; 0 where nobody is. */
interface ClaimColumns {
  claimed_by: string | null;
  claimed_until: number;
}

/** Where a callback leads: what shares one of these shares slots and limits. */
interface PlaceColumns {
  /** Host name of the callback. */
  host: string;
  /** Registrable domain of the host, or the network of an address. */
  domain: string;
  /** An IPv4 address or an IPv6 /64 that the host resolved to and that had no slot free; null before. */
  network: string | null;
}

/** A subscription that was confirmed, one for each topic and callback (see model/subscription.ts). */
export interface SubscriptionRow extends ClaimColumns, PlaceColumns {
  /** ULID. */
  id: string;
  /** Path of the topic's document. */
  topic: string;
  /** Equal for callbacks that are the same URL, however they are spelled. */
  callback_key: string;
  topic_url: string;
  callback: string;
  lease_seconds: number;
  secret: string | null;
  /** Like every time here in ms since 1970. */
  expires_at: number;
  failures: number;
  /** 1 where the last request failed or was answered slowly, else 0. */
  unproven: number;
  /** Which of its domain's subscriptions it is, from 1; two may share one. */
  rank: number;
  retry_at: number;
  pending_snapshot: number;
  pending_since: number;
  claimed_snapshot: number;
  acknowledged_snapshot: number;
  acknowledged_at: number | null;
  last_error: string | null;
}

/** A request that is still to be verified. */
export interface IntentRow extends ClaimColumns, PlaceColumns {
  number: Generated<number>;
  mode: 'subscribe' | 'unsubscribe';
  topic: string;
  callback_key: string;
  /** Of two requests the one with the lower turn is verified first. */
  turn: number;
  topic_url: string;
  callback: string;
  lease_seconds: number;
  secret: string | null;
  /** Echoed for readers of the time before WebSub. */
  verify_token: string | null;
}

/** A subscription that the hub has ended, whose subscriber is still to be told. */
export interface DenialRow extends ClaimColumns, PlaceColumns {
  number: Generated<number>;
  topic_url: string;
  callback: string;
  reason: string;
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

/** What must be the same for all replicas, and known to nobody else. */
export interface SecretRow {
  name: string;
  value: string;
}

/** An MCP session that was ended before its id ran out. */
export interface SessionEndRow {
  /** Grows with every end: replicas ask for what came after the last that they know. */
  number: Generated<number>;
  id: string;
  /** Seconds since 1970. */
  expires_at: number;
}

/** A client address that has sent requests to the hub in its present minute. */
export interface HubClientRow {
  client: string;
  count: number;
  /** When the minute is over, in ms since 1970. */
  until: number;
}

/** A migration that was carried out, as Kysely records it. */
export interface MigrationRow {
  name: string;
}

export interface Schema {
  kysely_migration: MigrationRow;
  analyses: AnalysisRow;
  reviews: ReviewRow;
  staged_reviews: StagedRow;
  known_reviews: KnownRow;
  business: BusinessRow;
  state: StateRow;
  snapshots: SnapshotRow;
  snapshot_parts: SnapshotPartRow;
  subscriptions: SubscriptionRow;
  intents: IntentRow;
  denials: DenialRow;
  secrets: SecretRow;
  session_ends: SessionEndRow;
  hub_clients: HubClientRow;
}
