// Records the outcomes of claimed work. Each changes its subscription as the transition table in
// model/subscription.ts says.

import { isActive, notAcknowledged, renewed, subscribed } from '../../model/subscription.ts';
import { encodeUlid } from '../../model/ulid.ts';
import { countRows, type Executor } from '../engine.ts';
import type { ClaimedDelivery, ClaimedDenial, ClaimedIntent } from './deliveries.ts';
import { UNCLAIMED } from '../schema.ts';
import { deny } from './subscriptions.ts';

/** The result of a claimed verification, denial or delivery. */
export type Outcome =
  | {
      readonly kind: 'confirmed';
      readonly intent: ClaimedIntent;
      /** When the challenge was sent, ms since 1970. */
      readonly askedAtMs: number;
      /** Ten random bytes for the id, used if the subscription is new. */
      readonly random: Uint8Array;
      /** Whether the callback answered slowly. */
      readonly isSlow: boolean;
    }
  | { readonly kind: 'unconfirmed'; readonly intent: ClaimedIntent }
  | { readonly kind: 'denied'; readonly denial: ClaimedDenial }
  | {
      readonly kind: 'acknowledged';
      readonly delivery: ClaimedDelivery;
      /** Whether the callback answered slowly. */
      readonly isSlow: boolean;
    }
  | {
      readonly kind: 'not_acknowledged';
      readonly delivery: ClaimedDelivery;
      readonly error: string;
      readonly waitsMs: readonly [number, number];
    }
  | { readonly kind: 'gone'; readonly delivery: ClaimedDelivery }
  | {
      /** Nothing was sent, because the destination was busy. */
      readonly kind: 'postponed';
      readonly claimed: PostponedRow;
      /** The network without a free slot; null if the domain has used up its requests. */
      readonly network: string | null;
    };

type PostponedRow =
  | { readonly table: 'intents' | 'denials'; readonly number: number }
  | { readonly table: 'subscriptions'; readonly id: string };

/**
 * Records the outcomes of an owner's claims. An outcome whose claim was lost changes nothing, except
 * that confirmed intents take effect and reported denials are deleted.
 */
export async function recordOutcomes(
  transaction: Executor,
  ownerId: string,
  outcomes: readonly Outcome[],
  nowMs: number,
): Promise<void> {
  for (const isSlow of [false, true]) {
    const ids = outcomes.flatMap((outcome) =>
      outcome.kind === 'acknowledged' && outcome.isSlow === isSlow ? outcome.delivery.id : [],
    );
    await recordAcknowledged(transaction, ownerId, ids, isSlow, nowMs);
  }
  for (const outcome of outcomes) {
    switch (outcome.kind) {
      case 'confirmed':
        await recordConfirmed(transaction, outcome);
        break;
      case 'unconfirmed':
        // If the claim was lost, its new owner may still get an answer.
        await transaction
          .deleteFrom('intents')
          .where('number', '=', outcome.intent.number)
          .where('claimed_by', '=', ownerId)
          .execute();
        break;
      case 'denied':
        await transaction
          .deleteFrom('denials')
          .where('number', '=', outcome.denial.number)
          .execute();
        break;
      case 'not_acknowledged':
      case 'gone':
        await recordFailed(transaction, ownerId, outcome, nowMs);
        break;
      case 'postponed':
        await recordPostponed(transaction, ownerId, outcome);
        break;
      case 'acknowledged':
        break;
    }
  }
}

async function recordAcknowledged(
  transaction: Executor,
  ownerId: string,
  ids: readonly string[],
  isSlow: boolean,
  nowMs: number,
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable('subscriptions')
    .set((set) => ({
      acknowledged_snapshot: set.ref('claimed_snapshot'),
      claimed_snapshot: 0,
      ...UNCLAIMED,
      failures: 0,
      unproven: isSlow ? 1 : 0,
      retry_at: 0,
      acknowledged_at: nowMs,
      last_error: null,
    }))
    .where('id', 'in', ids)
    .where('claimed_by', '=', ownerId)
    .execute();
}

async function recordFailed(
  transaction: Executor,
  ownerId: string,
  outcome: Extract<Outcome, { kind: 'not_acknowledged' | 'gone' }>,
  nowMs: number,
): Promise<void> {
  // Reload: it may have been renewed, changed or removed while the delivery was in flight.
  const row = await transaction
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', outcome.delivery.id)
    .where('claimed_by', '=', ownerId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  if (outcome.kind === 'gone') {
    await transaction.deleteFrom('subscriptions').where('id', '=', row.id).execute();
    return;
  }
  const next = notAcknowledged(row, outcome.error, nowMs, outcome.waitsMs);
  if (next) {
    await transaction
      .updateTable('subscriptions')
      .set({ ...next, unproven: 1, ...UNCLAIMED })
      .where('id', '=', row.id)
      .execute();
  } else {
    await deny(
      transaction,
      row,
      `three deliveries in a row failed, the last one: ${outcome.error}`,
    );
  }
}

/** Releases the claim, as if nothing had been attempted. */
async function recordPostponed(
  transaction: Executor,
  ownerId: string,
  { claimed, network }: Extract<Outcome, { kind: 'postponed' }>,
): Promise<void> {
  const released = { ...UNCLAIMED, ...(network === null ? {} : { network }) };
  if (claimed.table === 'subscriptions') {
    await transaction
      .updateTable('subscriptions')
      .set({ ...released, claimed_snapshot: 0 })
      .where('id', '=', claimed.id)
      .where('claimed_by', '=', ownerId)
      .execute();
    return;
  }
  await transaction
    .updateTable(claimed.table)
    .set(released)
    .where('number', '=', claimed.number)
    .where('claimed_by', '=', ownerId)
    .execute();
}

/** Makes a confirmed request effective, unless a later one superseded it. */
async function recordConfirmed(
  transaction: Executor,
  { intent, askedAtMs, random, isSlow }: Extract<Outcome, { kind: 'confirmed' }>,
): Promise<void> {
  const { topic, callback_key, host, domain, network, number } = intent;
  const { numDeletedRows } = await transaction
    .deleteFrom('intents')
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return;
  await transaction
    .deleteFrom('intents')
    .where('topic', '=', topic)
    .where('callback_key', '=', callback_key)
    .where('number', '<', number)
    .execute();
  const before = await transaction
    .selectFrom('subscriptions')
    .selectAll()
    .where('topic', '=', topic)
    .where('callback_key', '=', callback_key)
    .forUpdate()
    .executeTakeFirst();
  if (intent.mode === 'subscribe' && before && isActive(before, askedAtMs)) {
    await transaction
      .updateTable('subscriptions')
      .set({ ...renewed(intent, askedAtMs), domain })
      .where('id', '=', before.id)
      .execute();
    return;
  }
  // Also if its lease has expired: a delivery still in flight must not count for the new subscription.
  if (before) await transaction.deleteFrom('subscriptions').where('id', '=', before.id).execute();
  if (intent.mode === 'unsubscribe') return;
  const id = encodeUlid(askedAtMs, random);
  const ofDomain = transaction.selectFrom('subscriptions').where('domain', '=', domain);
  await transaction
    .insertInto('subscriptions')
    .values({
      id,
      topic,
      callback_key,
      host,
      domain,
      network,
      ...subscribed(intent, askedAtMs),
      unproven: isSlow ? 1 : 0,
      rank: (await countRows(ofDomain)) + 1,
      ...UNCLAIMED,
    })
    .execute();
}
