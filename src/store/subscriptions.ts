// Subscriptions at rest: requests to be verified, what was confirmed, and whom to tell that it ended.

import type { Grant, Intent } from '../model/subscription.ts';
import type { Database } from './database.ts';
import type { Executor } from './engine.ts';
import type { SubscriptionRow } from './schema.ts';

/**
 * What a turn of a hub's worker holds beside others, and a publish alone: the one changes few rows, the
 * other all, and in whatever order they come.
 */
export const DELIVERIES = 'deliveries';

/** A request as the endpoint accepted it. */
export interface NewIntent extends Omit<Intent, 'number'> {
  /** Path of the topic's document. */
  readonly topic: string;
  readonly callbackKey: string;
  /** Host name of the callback. */
  readonly host: string;
  readonly verifyToken: string | null;
}

export interface IntentLimits {
  /** Subscriptions that the callbacks of one host may have, pending ones included; 0 is any number. */
  readonly maxPerHost: number;
  /** Requests that may wait to be verified. */
  readonly maxPending: number;
}

/**
 * Stores a request, unless a limit forbids it: `host_full` where the callback's host has all the
 * subscriptions that it may have, `queue_full` where too many requests wait. Requests of one host come
 * one after another, so their numbers grow in the order in which they can be seen.
 */
export async function saveIntent(
  database: Database,
  intent: NewIntent,
  limits: IntentLimits,
  now: number,
): Promise<'saved' | 'host_full' | 'queue_full'> {
  return database.write(
    async (transaction) => {
      const { pending } = await transaction
        .selectFrom('intents')
        .select((select) => select.fn.countAll<number>().as('pending'))
        .executeTakeFirstOrThrow();
      if (pending >= limits.maxPending) return 'queue_full';
      if (limits.maxPerHost > 0) {
        if (await isOneTooMany(transaction, intent, limits.maxPerHost, now)) return 'host_full';
      }
      await transaction
        .insertInto('intents')
        .values({
          mode: intent.mode,
          topic: intent.topic,
          callback_key: intent.callbackKey,
          host: intent.host,
          topic_url: intent.topicUrl,
          callback: intent.callback,
          lease_seconds: intent.leaseSeconds,
          secret: intent.secret,
          verify_token: intent.verifyToken,
          claimed_by: null,
          claimed_until: 0,
        })
        .execute();
      return 'saved';
    },
    { lock: { alone: `requests of ${intent.host}` }, tells: 'requests' },
  );
}

/**
 * Whether a request would exceed what a host may have. A renewal and an unsubscribe never do; but of
 * whatever kind, twice as many requests may wait, so that no host fills the queue for all.
 */
async function isOneTooMany(
  transaction: Executor,
  { mode, host, topic, callbackKey }: NewIntent,
  most: number,
  now: number,
): Promise<boolean> {
  const { waiting } = await transaction
    .selectFrom('intents')
    .select((select) => select.fn.countAll<number>().as('waiting'))
    .where('host', '=', host)
    .executeTakeFirstOrThrow();
  if (waiting >= 2 * most) return true;
  if (mode === 'unsubscribe') return false;
  const keys = transaction
    .selectFrom('subscriptions')
    .select(['topic', 'callback_key'])
    .where('host', '=', host)
    .where('expires_at', '>', now)
    // A union has every key once.
    .union(
      transaction
        .selectFrom('intents')
        .select(['topic', 'callback_key'])
        .where('host', '=', host)
        .where('mode', '=', 'subscribe'),
    );
  const { all, same } = await transaction
    .selectFrom(keys.as('keys'))
    .select((select) => [
      select.fn.countAll<number>().as('all'),
      select.fn
        .countAll<number>()
        .filterWhere('topic', '=', topic)
        .filterWhere('callback_key', '=', callbackKey)
        .as('same'),
    ])
    .executeTakeFirstOrThrow();
  return all >= most && same === 0;
}

/** Makes every subscription of these topics owe a delivery of a snapshot. */
export async function owe(
  transaction: Executor,
  topics: readonly string[],
  snapshot: number,
  now: number,
): Promise<void> {
  if (topics.length === 0) return;
  // `owed` of the model, for all rows at once.
  await transaction
    .updateTable('subscriptions')
    .set((set) => ({
      owed_snapshot: snapshot,
      owed_since: set
        .case()
        .when(
          set.or([
            set('owed_snapshot', '<=', set.ref('acknowledged_snapshot')),
            set('owed_snapshot', '<=', set.ref('claimed_snapshot')),
          ]),
        )
        .then(now)
        .else(set.ref('owed_since'))
        .end(),
    }))
    .where('topic', 'in', topics)
    .execute();
}

/** A subscription as an operator sees it. */
export interface ListedSubscription {
  /** Null while the first request is still to be verified. */
  readonly id: string | null;
  readonly topic: string;
  readonly callback: string;
  readonly state: 'pending' | 'active';
  readonly grant: Grant | null;
}

/** Every subscription, active ones first, in the order of their topics and callbacks. */
export async function listSubscriptions(
  executor: Executor,
  now: number,
): Promise<ListedSubscription[]> {
  const rows = await executor
    .selectFrom('subscriptions')
    .selectAll()
    .where('expires_at', '>', now)
    .orderBy('topic')
    .orderBy('callback')
    .execute();
  const pending = await executor
    .selectFrom('intents')
    .select(['topic', 'callback'])
    .distinct()
    .where('mode', '=', 'subscribe')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('subscriptions')
            .select('id')
            .whereRef('subscriptions.topic', '=', 'intents.topic')
            .whereRef('subscriptions.callback_key', '=', 'intents.callback_key')
            .where('expires_at', '>', now),
        ),
      ),
    )
    .orderBy('topic')
    .orderBy('callback')
    .execute();
  return [
    ...rows.map((row) => {
      const { id, topic, callback } = row;
      return { id, topic, callback, state: 'active' as const, grant: grantOf(row) };
    }),
    ...pending.map((row) => ({ ...row, id: null, state: 'pending' as const, grant: null })),
  ];
}

/** Ends an active subscription; its subscriber is told the reason. False where there is none. */
export async function removeSubscription(
  database: Database,
  id: string,
  reason: string,
  now: number,
): Promise<boolean> {
  return database.write(
    async (transaction) => {
      const row = await transaction
        .selectFrom('subscriptions')
        .selectAll()
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .forUpdate()
        .executeTakeFirst();
      if (row) await deny(transaction, row, reason);
      return row !== undefined;
    },
    { tells: 'requests' },
  );
}

/** How many subscriptions a topic has, and how many of them owe a delivery. */
export interface SubscriptionCounts {
  readonly topic: string;
  readonly active: number;
  readonly owed: number;
}

/** Of every topic that has subscriptions. */
export function countSubscriptions(executor: Executor, now: number): Promise<SubscriptionCounts[]> {
  return executor
    .selectFrom('subscriptions')
    .select((select) => [
      'topic',
      select.fn.countAll<number>().as('active'),
      select.fn
        .countAll<number>()
        .filterWhere('owed_snapshot', '>', select.ref('acknowledged_snapshot'))
        .as('owed'),
    ])
    .where('expires_at', '>', now)
    .groupBy('topic')
    .execute();
}

/** Removes a subscription, and leaves word for its subscriber why. */
export async function deny(
  transaction: Executor,
  { id, host, topic_url, callback }: SubscriptionRow,
  reason: string,
): Promise<void> {
  await transaction.deleteFrom('subscriptions').where('id', '=', id).execute();
  await transaction
    .insertInto('denials')
    .values({ host, topic_url, callback, reason, claimed_by: null, claimed_until: 0 })
    .execute();
}

export function grantOf(row: SubscriptionRow): Grant {
  return {
    topicUrl: row.topic_url,
    callback: row.callback,
    leaseSeconds: row.lease_seconds,
    secret: row.secret,
    expiresAt: row.expires_at,
    failures: row.failures,
    retryAt: row.retry_at,
    owedSnapshot: row.owed_snapshot,
    owedSince: row.owed_since,
    claimedSnapshot: row.claimed_snapshot,
    acknowledgedSnapshot: row.acknowledged_snapshot,
    acknowledgedAt: row.acknowledged_at,
    lastError: row.last_error,
  };
}

export function columnsOf(grant: Grant) {
  return {
    topic_url: grant.topicUrl,
    callback: grant.callback,
    lease_seconds: grant.leaseSeconds,
    secret: grant.secret,
    expires_at: grant.expiresAt,
    failures: grant.failures,
    retry_at: grant.retryAt,
    owed_snapshot: grant.owedSnapshot,
    owed_since: grant.owedSince,
    claimed_snapshot: grant.claimedSnapshot,
    acknowledged_snapshot: grant.acknowledgedSnapshot,
    acknowledged_at: grant.acknowledgedAt,
    last_error: grant.lastError,
  };
}
