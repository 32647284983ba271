// Row types of all tables but those of reviews, which are in review-rows.ts.

import type { Generated } from 'kysely';
import type { Intent, Subscription } from '../model/subscription.ts';
import type {
  HiddenReviewRow,
  HistoryRow,
  KnownRow,
  ReviewIdentityRow,
  ReviewRow,
  StagedIdentityRow,
  StagedRow,
  SuppressionRow,
} from './reviews/review-rows.ts';

interface BusinessRow {
  id: 1;
  /** JSON, as `businessSchema` has it. */
  record: string;
  /** The logo that this server publishes; null if there is none, or if it is kept elsewhere. */
  logo: Uint8Array | null;
  /** The icon made from it (see model/business-pictures.ts). */
  icon: Uint8Array | null;
  /** The picture at the top of the first page; null if there is none, or if it is kept elsewhere. */
  header: Uint8Array | null;
}

export interface StateRow {
  id: 1;
  /** Base URL as settings said it last. */
  origin: string | null;
  /** How authors are shown (see model/author-names.ts), as settings said it last. */
  authors: string | null;
  /** 1 while the store has the example business. */
  example: number;
  /** Grows with every change that has to be published. */
  content_version: number;
  /** The content version last published; a publish is pending while it is less than `content_version`. */
  published_version: number;
  /** Number of the current snapshot; null before the first publish. */
  snapshot_number: number | null;
  /** Owner of the publish claim; null if nobody publishes. */
  publisher: string | null;
  /** When the publish claim expires unless it is renewed, ms since 1970. */
  publisher_until: number;
  /** The content version of the last removal while its texts may be in the files; null if none (see erasures.ts). */
  erasing_version: number | null;
  /** A keyed digest of the author of the last `forget`, until that command ends by itself. */
  forgotten: string | null;
  /** When the last backup was made, ms since 1970; null in a store that was restored. */
  backed_up_at: number | null;
  /** Its absolute path. */
  backed_up_to: string | null;
}

interface SnapshotRow {
  number: number;
  /** JSON of the snapshot's manifest. */
  manifest: string;
}

/**
 * A chunk of a part. Manifests name parts; an unchanged part is shared by successive manifests. Chunks
 * keep single values small.
 */
export interface SnapshotPartRow {
  name: string;
  sequence: number;
  bytes: Uint8Array;
  /** Of the name, the sequence and the bytes; null in rows of earlier versions. */
  hash: string | null;
}

/** The owner of a row's claim and its end, ms since 1970; null and 0 if unclaimed. */
export interface ClaimColumns {
  claimed_by: string | null;
  claimed_until: number;
}

export const UNCLAIMED = { claimed_by: null, claimed_until: 0 } as const;

/** The destination of a callback. Callbacks that share one of these share slots and limits. */
export interface DestinationColumns {
  /** Host name of the callback. */
  host: string;
  /** Registrable domain of the host, or the network of an address. */
  domain: string;
  /** The IPv4 address or IPv6 /64 of the host that last had no free slot; null if none had. */
  network: string | null;
}

/** A confirmed subscription, unique by topic and callback. */
export interface SubscriptionRow extends Subscription, ClaimColumns, DestinationColumns {
  /** ULID. */
  id: string;
  /** Path of the topic's document. */
  topic: string;
  /** The normalized callback URL: equal for all spellings. */
  callback_key: string;
  /** 1 if the last request failed or was slow, else 0. */
  unproven: number;
  /** Ordinal among the domain's subscriptions, from 1; not necessarily unique. */
  rank: number;
}

/** A request that waits to be verified. */
export interface IntentRow extends Omit<Intent, 'number'>, ClaimColumns, DestinationColumns {
  number: Generated<number>;
  topic: string;
  callback_key: string;
  /** Requests are verified in the order of their turns. */
  turn: number;
  /** `hub.verify_token` of PubSubHubbub 0.3, echoed to the callback. */
  verify_token: string | null;
}

/** A `denied` notification still to be sent: the hub has ended the subscription. */
export interface DenialRow extends ClaimColumns, DestinationColumns {
  number: Generated<number>;
  topic_url: string;
  callback: string;
  reason: string;
}

/** The cached analysis of one review (see insights/reuse.ts). */
interface AnalysisRow {
  /** Hash of everything that the analysis depends on, its context included. */
  key: string;
  /** Hash of what all analyses of a publish share: the analyser and the business. */
  context: string;
  /** JSON. */
  analysis: string;
}

/** A secret that all replicas share. */
interface SecretRow {
  name: string;
  value: string;
}

interface LogStateRow {
  id: 1;
  /** Entries. */
  size: number;
  /** 1 if it is the log of the example business. */
  example: number;
}

/** Up to 256 entries of the log (see log/bundles.ts). */
interface LogBundleRow {
  number: number;
  width: number;
  entries: Uint8Array;
  hashes: Uint8Array;
  root: Uint8Array | null;
}

/** What the log keeps beside a review that it says is published. */
interface LogReviewRow {
  review_id: string;
  /** Opens the digest of the newest entry; null once the review is to be removed. */
  salt: string | null;
  /** Indexes of the entry that added it, and of its newest entry. */
  first: number;
  last: number;
  /** Why it was removed; null while it is published, and if no reason was given. */
  reason: string | null;
}

/** The newest cosignatures of a witness. */
/** The newest cosignature of a witness. */
export interface LogCosignatureRow {
  /** The verifier key of the witness. */
  witness: string;
  /** The tree that it cosigned; the root in base64. */
  size: number;
  root: string;
  lines: string;
}

/** The newest tree of another log that the witness of this store cosigned; the root in base64. */
interface WitnessedLogRow {
  origin: string;
  size: number;
  root: string;
}

export interface ImportRow {
  number: Generated<number>;
  /** ms since 1970. */
  started_at: number;
  command: string;
  operator: string;
  /** JSON of what was read and merged. */
  report: string;
  /** Why nothing was merged; null if it was. */
  error: string | null;
  /** The content version that the merge made; null if it changed nothing. */
  content_version: number | null;
  /** ms since 1970; null while it is not published. */
  published_at: number | null;
  /** Why the last attempt to publish it failed. */
  publish_error: string | null;
}

/** What was last seen of a source that is kept in step, by its name in the settings (see sources.ts). */
export interface SourceRow extends ClaimColumns {
  name: string;
  /** JSON of intake/sync/collect.ts. */
  seen: string | null;
  /** ms since 1970, like the other times. */
  checked_at: number | null;
  succeeded_at: number | null;
  /** Since the last success. */
  failures: number;
  error: string | null;
  next_at: number;
}

/** What a language model proposed for a review, by a digest of what it was asked (see proposals.ts). */
interface ProposalRow extends ClaimColumns {
  key: string;
  /** The model and the version of the prompt. */
  proposer: string;
  /** JSON of insights/proposals/answer.ts; null while it is not answered. */
  claims: string | null;
  attempts: number;
  /** 0 while no publish was requested for its claims. */
  is_published: number;
}

/** An executed migration, as recorded by Kysely. */
interface MigrationRow {
  name: string;
}

export interface Schema {
  kysely_migration: MigrationRow;
  analyses: AnalysisRow;
  imports: ImportRow;
  suppressions: SuppressionRow;
  hidden_reviews: HiddenReviewRow;
  review_history: HistoryRow;
  review_identities: ReviewIdentityRow;
  staged_identities: StagedIdentityRow;
  sources: SourceRow;
  proposals: ProposalRow;
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
  log_state: LogStateRow;
  log_bundles: LogBundleRow;
  log_reviews: LogReviewRow;
  log_cosignatures: LogCosignatureRow;
  witnessed_logs: WitnessedLogRow;
}
