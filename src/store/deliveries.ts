// What the hub has to do, and who is at it: requests to verify, deliveries that are owed, subscribers
// to tell that it is over. A claim keeps other workers away until it ends or runs out.

import type { ExpressionBuilder, Selectable } from 'kysely';
import { isOver } from './clock.ts';
import type { Executor } from './engine.ts';
import type { DenialRow, IntentRow, Schema, SubscriptionRow } from './schema.ts';

export type ClaimedIntent = Selectable<IntentRow>;
export type ClaimedDenial = Selectable<DenialRow>;
export type ClaimedDelivery = SubscriptionRow;

/** What may be claimed now. */
export interface ClaimCriteria {
  /** ms since 1970. */
  readonly nowMs: number;
  /** Deliveries whose first change was published before are due. */
  readonly pendingBeforeMs: number;
  /** The snapshot that this worker has; what is owed of a later one is not its to send. */
  readonly snapshot: number;
  /** The longest that a worker claims anything for. A claim that ends later than that is void. */
  readonly longestClaimMs: number;
  /** The longest wait before another try. */
  readonly longestRetryMs: number;
}

/** Whether anything is due; the claim that follows may still find nothing. */
export async function isAnythingDue(executor: Executor, criteria: ClaimCriteria): Promise<boolean> {
  const { nowMs, longestClaimMs } = criteria;
  const found = await dueDeliveries(executor, criteria)
    .select('failures as one')
    .unionAll(
      executor
        .selectFrom('intents')
        .select('number as one')
        .where((where) => isOver(where, 'claimed_until', nowMs, longestClaimMs)),
    )
    .unionAll(
      executor
        .selectFrom('denials')
        .select('number as one')
        .where((where) => isOver(where, 'claimed_until', nowMs, longestClaimMs)),
    )
    .unionAll(
      executor
        .selectFrom('subscriptions')
        .select('failures as one')
        .where((where) => hasRunOut(where, nowMs)),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Domains and networks that may not be asked now. */
export interface BusyDestinations {
  readonly domains: readonly string[];
  readonly networks: readonly string[];
}

/** The requests whose turn it is to be verified, of places that may be asked. */
export function selectIntents(
  transaction: Executor,
  { nowMs, longestClaimMs }: ClaimCriteria,
  busy: BusyDestinations,
  limit: number,
): Promise<ClaimedIntent[]> {
  return transaction
    .selectFrom('intents')
    .selectAll()
    .where((where) => isOver(where, 'claimed_until', nowMs, longestClaimMs))
    .where((where) => isElsewhere(where, busy))
    .orderBy('turn')
    .orderBy('number')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export function selectDenials(
  transaction: Executor,
  { nowMs, longestClaimMs }: ClaimCriteria,
  busy: BusyDestinations,
  limit: number,
): Promise<ClaimedDenial[]> {
  return transaction
    .selectFrom('denials')
    .selectAll()
    .where((where) => isOver(where, 'claimed_until', nowMs, longestClaimMs))
    .where((where) => isElsewhere(where, busy))
    .orderBy('number')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Which deliveries are looked for. */
export interface DeliveryFilter {
  readonly isUnproven: boolean;
  /** Only the first subscriptions of each domain. */
  readonly mostRank?: number;
  /** Only those that have acknowledged a delivery before. */
  readonly isEstablished?: boolean;
}

/** Deliveries that are due, of places that may be asked; the first of each domain come first. */
export function selectDeliveries(
  transaction: Executor,
  criteria: ClaimCriteria,
  { isUnproven, mostRank, isEstablished = false }: DeliveryFilter,
  busy: BusyDestinations,
  limit: number,
): Promise<ClaimedDelivery[]> {
  return dueDeliveries(transaction, criteria)
    .selectAll()
    .where('unproven', '=', isUnproven ? 1 : 0)
    .$if(mostRank !== undefined, (query) => query.where('rank', '<=', mostRank as number))
    .$if(isEstablished, (query) => query.where('acknowledged_at', 'is not', null))
    .where((where) => isElsewhere(where, busy))
    .orderBy('rank')
    .orderBy('pending_since')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

function isElsewhere(
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
      // What is owed since a time to come was published before the clock was set back.
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

/** Who claims, and until when (ms since 1970). */
export interface Claim {
  readonly ownerId: string;
  readonly untilMs: number;
}

export async function claimIntents(
  transaction: Executor,
  numbers: readonly number[],
  { ownerId, untilMs }: Claim,
): Promise<void> {
  await transaction
    .updateTable('intents')
    .set({ claimed_by: ownerId, claimed_until: untilMs })
    .where('number', 'in', numbers)
    .execute();
}

export async function claimDenials(
  transaction: Executor,
  numbers: readonly number[],
  { ownerId, untilMs }: Claim,
): Promise<void> {
  await transaction
    .updateTable('denials')
    .set({ claimed_by: ownerId, claimed_until: untilMs })
    .where('number', 'in', numbers)
    .execute();
}

/** `snapshot` is the one whose content is sent. */
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

/** Deletes what has run out. */
export async function deleteExpired(transaction: Executor, nowMs: number): Promise<void> {
  // Asked of the row itself, not of a query for it: one that was renewed meanwhile stays.
  await transaction
    .deleteFrom('subscriptions')
    .where((where) => hasRunOut(where, nowMs))
    .execute();
}

/** Whether a lease has run out, but for one that is being renewed: answered in time, that misses no
 * change. */
function hasRunOut(where: ExpressionBuilder<Schema, 'subscriptions'>, nowMs: number) {
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

/** Gives back all that a worker has claimed, as if it had not been tried. */
export async function releaseClaims(transaction: Executor, ownerId: string): Promise<void> {
  const free = { claimed_by: null, claimed_until: 0 };
  for (const table of ['intents', 'denials'] as const) {
    await transaction.updateTable(table).set(free).where('claimed_by', '=', ownerId).execute();
  }
  await transaction
    .updateTable('subscriptions')
    .set({ ...free, claimed_snapshot: 0 })
    .where('claimed_by', '=', ownerId)
    .execute();
}
