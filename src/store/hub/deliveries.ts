// The hub's work: intents to verify, pending deliveries to send, denials to report to subscribers. A claim
// reserves a row for its owner until the owner releases it or the claim expires.

import type { ExpressionBuilder, Selectable } from 'kysely';
import { isOver } from '../clock.ts';
import type { Executor } from '../engine.ts';
import {
  type DenialRow,
  type IntentRow,
  type Schema,
  type SubscriptionRow,
  UNCLAIMED,
} from '../schema.ts';

export type ClaimedIntent = Selectable<IntentRow>;
export type ClaimedDenial = Selectable<DenialRow>;
export type ClaimedDelivery = SubscriptionRow;
/** What waits for a request to a callback, beside deliveries. */
export interface Waiting {
  readonly intents: ClaimedIntent;
  readonly denials: ClaimedDenial;
}

/** Which rows may be claimed now. */
export interface ClaimCriteria {
  /** Current time, ms since 1970. */
  readonly nowMs: number;
  /** A delivery is due if its first pending change was published at this time or earlier. */
  readonly pendingBeforeMs: number;
  /** The claimant's snapshot. It does not claim deliveries of later snapshots. */
  readonly snapshot: number;
  /** Maximum length of a claim; one that ends later is invalid (see clock.ts). */
  readonly longestClaimMs: number;
  /** Maximum delay before a retry. */
  readonly longestRetryMs: number;
}

/** Whether there is work to claim. It may be gone by the time it is claimed. */
export async function isAnythingDue(
  executor: Executor,
  criteria: ClaimCriteria,
  expiredBeforeMs = criteria.nowMs,
): Promise<boolean> {
  const { nowMs, longestClaimMs } = criteria;
  const waiting = (table: keyof Waiting) =>
    executor
      .selectFrom(table)
      .select('number as one')
      .where((where) => isOver(where, 'claimed_until', nowMs, longestClaimMs));
  const found = await dueDeliveries(executor, criteria)
    .select('failures as one')
    .unionAll(waiting('intents'))
    .unionAll(waiting('denials'))
    .unionAll(
      executor
        .selectFrom('subscriptions')
        .select('failures as one')
        .where((where) => isExpired(where, expiredBeforeMs)),
    )
    .limit(1)
    .execute();
  return found.length > 0;
}

/** Whether anything is to be verified, denied or delivered, now or later. */
export async function isAnythingWaiting(read: Executor): Promise<boolean> {
  const found = await read
    .selectFrom('subscriptions')
    .select('failures as one')
    .whereRef('pending_snapshot', '>', 'acknowledged_snapshot')
    .unionAll(read.selectFrom('intents').select('number as one'))
    .unionAll(read.selectFrom('denials').select('number as one'))
    .limit(1)
    .execute();
  return found.length > 0;
}

/** Domains and networks that must not get another request now. */
export interface BusyDestinations {
  readonly domains: readonly string[];
  readonly networks: readonly string[];
}

/** Intents to verify next, in the order of their turns, or denials to report, oldest first; without busy destinations. */
export function selectWaiting<Table extends keyof Waiting>(
  transaction: Executor,
  table: Table,
  { nowMs, longestClaimMs }: ClaimCriteria,
  busy: BusyDestinations,
  limit: number,
) {
  const rows = transaction
    .selectFrom<keyof Waiting>(table)
    .selectAll()
    .where((where) => isOver(where, 'claimed_until', nowMs, longestClaimMs))
    .where((where) => isNotBusy(where, busy))
    .$if(table === 'intents', (query) => query.orderBy('turn'))
    .orderBy('number')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows as Promise<Waiting[Table][]>;
}

interface DeliveryFilter {
  /** Whether the subscription's last request failed or was slow. */
  readonly isUnproven: boolean;
  /** Only the oldest subscriptions of each domain, up to this rank. */
  readonly maxRank?: number;
  /** Only subscriptions that have acknowledged a delivery before. */
  readonly isEstablished?: boolean;
}

/** Deliveries that are due, in the order of their ranks, without busy destinations. */
export function selectDeliveries(
  transaction: Executor,
  criteria: ClaimCriteria,
  { isUnproven, maxRank, isEstablished = false }: DeliveryFilter,
  busy: BusyDestinations,
  limit: number,
): Promise<ClaimedDelivery[]> {
  return dueDeliveries(transaction, criteria)
    .selectAll()
    .where('unproven', '=', isUnproven ? 1 : 0)
    .$if(maxRank !== undefined, (query) => query.where('rank', '<=', maxRank as number))
    .$if(isEstablished, (query) => query.where('acknowledged_at', 'is not', null))
    .where((where) => isNotBusy(where, busy))
    .orderBy('rank')
    .orderBy('pending_since')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

function isNotBusy(
  where: ExpressionBuilder<Schema, 'subscriptions' | 'intents' | 'denials'>,
  { domains, networks }: BusyDestinations,
) {
  const ofDomain = domains.length > 0 ? [where('domain', 'not in', domains)] : [];
  const ofNetwork =
    networks.length > 0
      ? [where.or([where('network', 'is', null), where('network', 'not in', networks)])]
      : [];
  return where.and([...ofDomain, ...ofNetwork]);
}

function dueDeliveries(executor: Executor, criteria: ClaimCriteria) {
  const { nowMs, pendingBeforeMs, snapshot, longestClaimMs, longestRetryMs } = criteria;
  return (
    executor
      .selectFrom('subscriptions')
      .whereRef('pending_snapshot', '>', 'acknowledged_snapshot')
      .where('pending_snapshot', '<=', snapshot)
      // A pending-since in the future means that the clock was set back.
      .where((where) =>
        where.or([
          where('pending_since', '<=', pendingBeforeMs),
          where('pending_since', '>', nowMs),
        ]),
      )
      .where((where) => isOver(where, 'retry_at', nowMs, longestRetryMs))
      .where((where) => isOver(where, 'claimed_until', nowMs, longestClaimMs))
      .where('expires_at', '>', nowMs)
  );
}

/** The owner of a claim and its end. */
export interface Claim {
  readonly ownerId: string;
  /** ms since 1970. */
  readonly untilMs: number;
}

export async function claimNumbers(
  transaction: Executor,
  table: keyof Waiting,
  numbers: readonly number[],
  { ownerId, untilMs }: Claim,
): Promise<void> {
  await transaction
    .updateTable(table)
    .set({ claimed_by: ownerId, claimed_until: untilMs })
    .where('number', 'in', numbers)
    .execute();
}

export async function claimDeliveries(
  transaction: Executor,
  ids: readonly string[],
  snapshot: number,
  { ownerId, untilMs }: Claim,
): Promise<void> {
  await transaction
    .updateTable('subscriptions')
    .set({ claimed_by: ownerId, claimed_until: untilMs, claimed_snapshot: snapshot })
    .where('id', 'in', ids)
    .execute();
}

/** Deletes subscriptions whose lease has expired. */
export async function deleteExpired(transaction: Executor, nowMs: number): Promise<void> {
  // The condition is part of the DELETE, so a subscription renewed concurrently stays.
  await transaction
    .deleteFrom('subscriptions')
    .where((where) => isExpired(where, nowMs))
    .execute();
}

/**
 * SQL condition: the lease has expired and no renewal waits to be verified. If the renewal is confirmed,
 * the subscriber misses no change.
 */
function isExpired(where: ExpressionBuilder<Schema, 'subscriptions'>, nowMs: number) {
  return where.and([
    where('expires_at', '<=', nowMs),
    where.not(
      where.exists(
        where
          .selectFrom('intents')
          .select('number')
          .where('mode', '=', 'subscribe')
          .whereRef('intents.topic', '=', 'subscriptions.topic')
          .whereRef('intents.callback_key', '=', 'subscriptions.callback_key'),
      ),
    ),
  ]);
}

/** Releases all claims of an owner, as if nothing had been attempted. */
export async function releaseClaims(transaction: Executor, ownerId: string): Promise<void> {
  const released = { ...UNCLAIMED };
  for (const table of ['intents', 'denials'] as const) {
    await transaction.updateTable(table).set(released).where('claimed_by', '=', ownerId).execute();
  }
  await transaction
    .updateTable('subscriptions')
    .set({ ...released, claimed_snapshot: 0 })
    .where('claimed_by', '=', ownerId)
    .execute();
}
