// What became of what the hub had claimed: each outcome changes its subscription as the model says.

import { leased, type Intent, isActive, notAcknowledged } from '../model/subscription.ts';
import { encodeUlid } from '../model/ulid.ts';
import type { Executor } from './engine.ts';
import type { ClaimedDelivery, ClaimedDenial, ClaimedIntent } from './deliveries.ts';
import { leaseColumns, deny, leaseOf } from './subscriptions.ts';

/** What became of something that was claimed. */
export type Outcome =
  | {
      readonly kind: 'confirmed';
      readonly intent: ClaimedIntent;
      /** When the challenge was sent, ms since 1970. */
      readonly askedAtMs: number;
      /** Ten random bytes for the id, should it become a new subscription. */
      readonly random: Uint8Array;
      /** Whether the callback took long. */
      readonly isSlow: boolean;
    }
  | { readonly kind: 'unconfirmed'; readonly intent: ClaimedIntent }
  | { readonly kind: 'denied'; readonly denial: ClaimedDenial }
  | {
      readonly kind: 'acknowledged';
      readonly delivery: ClaimedDelivery;
      /** Whether the callback took long. */
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
      /** Nothing was sent: the callback led where no request may be sent now. */
      readonly kind: 'postponed';
      readonly claimed: PostponedRow;
      /** The network without a free slot; null where the domain has had all its requests. */
      readonly network: string | null;
    };

export type PostponedRow =
  | { readonly table: 'intents' | 'denials'; readonly number: number }
  | { readonly table: 'subscriptions'; readonly id: string };

/** Records what became of everything that a worker had claimed, and of what it has claims to still. */
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
        // Whoever has taken over may still be answered.
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

/** `acknowledged` of the model, for all rows at once. */
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
      claimed_by: null,
      claimed_until: 0,
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
  // What it is now: it may have been renewed, owed more, or removed while the delivery was under way.
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
  const next = notAcknowledged(leaseOf(row), outcome.error, nowMs, outcome.waitsMs);
  if (next) {
    await transaction
      .updateTable('subscriptions')
      .set({ ...leaseColumns(next), unproven: 1, claimed_by: null, claimed_until: 0 })
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

/** The claim is given back as if nothing had been tried. */
async function recordPostponed(
  transaction: Executor,
  ownerId: string,
  { claimed, network }: Extract<Outcome, { kind: 'postponed' }>,
): Promise<void> {
  const free = { claimed_by: null, claimed_until: 0, ...(network === null ? {} : { network }) };
  if (claimed.table === 'subscriptions') {
    await transaction
      .updateTable('subscriptions')
      .set({ ...free, claimed_snapshot: 0 })
      .where('id', '=', claimed.id)
      .where('claimed_by', '=', ownerId)
      .execute();
    return;
  }
  await transaction
    .updateTable(claimed.table)
    .set(free)
    .where('number', '=', claimed.number)
    .where('claimed_by', '=', ownerId)
    .execute();
}

/** `confirmed` of the model: the request takes effect, unless a later one has. */
async function recordConfirmed(
  transaction: Executor,
  { intent, askedAtMs, random, isSlow }: Extract<Outcome, { kind: 'confirmed' }>,
): Promise<void> {
  const { topic, callback_key, host, domain, network, number } = intent;
  if ((await deleteIntent(transaction, number)) === 0) return;
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
  const isRenewal =
    intent.mode === 'subscribe' && before !== undefined && isActive(leaseOf(before), askedAtMs);
  if (isRenewal) {
    const columns = leaseColumns(leased(leaseOf(before), intentOf(intent), askedAtMs));
    await transaction
      .updateTable('subscriptions')
      .set({ ...columns, domain })
      .where('id', '=', before.id)
      .execute();
    return;
  }
  // One whose lease had run out too: what is on its way for it must not count in the new one.
  if (before) await transaction.deleteFrom('subscriptions').where('id', '=', before.id).execute();
  if (intent.mode === 'unsubscribe') return;
  const id = encodeUlid(askedAtMs, random);
  const columns = leaseColumns(leased(null, intentOf(intent), askedAtMs));
  const { others } = await transaction
    .selectFrom('subscriptions')
    .select((select) => select.fn.countAll<number>().as('others'))
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('subscriptions')
    .values({
      id,
      topic,
      callback_key,
      host,
      domain,
      network,
      ...columns,
      unproven: isSlow ? 1 : 0,
      rank: others + 1,
      claimed_by: null,
      claimed_until: 0,
    })
    .execute();
}

function intentOf(row: ClaimedIntent): Intent {
  return {
    mode: row.mode,
    number: row.number,
    topicUrl: row.topic_url,
    callback: row.callback,
    leaseSeconds: row.lease_seconds,
    secret: row.secret,
  };
}

/** Returns how many there were: none where a later request has made it moot. */
async function deleteIntent(transaction: Executor, number: number): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('intents')
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
