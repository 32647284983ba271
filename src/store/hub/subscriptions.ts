// Stored subscriptions: listing, counting, ending, and marking their deliveries as pending.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../database.ts';
import type { Executor } from '../engine.ts';
import { type SubscriptionRow, UNCLAIMED } from '../schema.ts';

/**
 * Lock on deliveries: shared by the turns of dispatchers, which update few rows each, exclusive for a
 * publish, which updates many rows in any order.
 */
export const DELIVERIES_LOCK = 'deliveries';

/**
 * Marks a delivery of `snapshot` as pending for every subscription of the topics. `pending_since` stays
 * while an earlier change is pending that no delivery in flight carries.
 */
export async function markPending(
  transaction: Executor,
  topics: readonly string[],
  snapshot: number,
  nowMs: number,
): Promise<void> {
  if (topics.length === 0) return;
  await transaction
    .updateTable('subscriptions')
    .set((set) => ({
      pending_snapshot: snapshot,
      pending_since: set
        .case()
        .when(
          set.or([
            set('pending_snapshot', '<=', set.ref('acknowledged_snapshot')),
            set('pending_snapshot', '<=', set.ref('claimed_snapshot')),
          ]),
        )
        .then(nowMs)
        .else(set.ref('pending_since'))
        .end(),
    }))
    .where('topic', 'in', topics)
    .execute();
}

/** A subscription as operators see it. */
export interface ListedSubscription {
  readonly topic: string;
  readonly callback: string;
  /** Null while the first request waits to be verified. */
  readonly subscription: SubscriptionRow | null;
}

/** All subscriptions: active ones, then pending ones, each ordered by topic and callback. */
export async function listSubscriptions(
  executor: Executor,
  nowMs: number,
): Promise<ListedSubscription[]> {
  const rows = await executor
    .selectFrom('subscriptions')
    .selectAll()
    .where('expires_at', '>', nowMs)
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
            .where('expires_at', '>', nowMs),
        ),
      ),
    )
    .orderBy('topic')
    .orderBy('callback')
    .execute();
  return [
    ...rows.map((row) => ({ topic: row.topic, callback: row.callback, subscription: row })),
    ...pending.map((row) => ({ ...row, subscription: null })),
  ];
}

/** Ends an active subscription; the hub sends the reason to its subscriber. False if there is none. */
export async function removeSubscription(
  database: Database,
  id: string,
  reason: string,
  nowMs: number,
): Promise<boolean> {
  return database.write(
    async (transaction) => {
      const row = await transaction
        .selectFrom('subscriptions')
        .selectAll()
        .where('id', '=', id)
        .where('expires_at', '>', nowMs)
        .forUpdate()
        .executeTakeFirst();
      if (row) await deny(transaction, row, reason);
      return row !== undefined;
    },
    { notifies: 'requests' },
  );
}

/** The number of active subscriptions of a topic, and how many have a pending delivery. */
export interface SubscriptionCounts {
  readonly topic: string;
  readonly active: number;
  readonly pending: number;
}

/** Subscriptions that one statement counts, so that counting a hundred thousand does not stop a server. */
const COUNTED_AT_ONCE = 1_000;

/**
 * Counts subscriptions by topic; topics without active ones are missing. It yields to the event loop
 * between statements, so the counts may mix the states of moments that are a little apart.
 */
export async function countSubscriptions(
  executor: Executor,
  nowMs: number,
): Promise<SubscriptionCounts[]> {
  const byTopic = new Map<string, { topic: string; active: number; pending: number }>();
  for (let after: string | null = ''; after !== null;) {
    const counted = await countNext(executor, after, nowMs);
    for (const { topic, active, pending } of counted) {
      const sum = byTopic.get(topic) ?? { topic, active: 0, pending: 0 };
      sum.active += active;
      sum.pending += pending;
      byTopic.set(topic, sum);
    }
    const rows = counted.reduce((sum, each) => sum + each.rows, 0);
    const last = counted.map((each) => each.last).toSorted();
    after = rows < COUNTED_AT_ONCE ? null : (last.at(-1) ?? null);
    if (after !== null) await yieldToEventLoop();
  }
  return [...byTopic.values()].filter(({ active }) => active > 0);
}

function countNext(executor: Executor, after: string, nowMs: number) {
  return executor
    .selectFrom((from) =>
      from
        .selectFrom('subscriptions')
        .select(['id', 'topic', 'expires_at', 'pending_snapshot', 'acknowledged_snapshot'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(COUNTED_AT_ONCE)
        .as('next'),
    )
    .select((select) => {
      const { fn } = select;
      const isActive = select('expires_at', '>', nowMs);
      const isPending = select('pending_snapshot', '>', select.ref('acknowledged_snapshot'));
      return [
        'topic',
        fn.countAll<number>().as('rows'),
        fn.countAll<number>().filterWhere(isActive).as('active'),
        fn
          .countAll<number>()
          .filterWhere(select.and([isActive, isPending]))
          .as('pending'),
        fn.max('id').as('last'),
      ];
    })
    .groupBy('topic')
    .execute();
}

/** Deletes a subscription and queues a denial that tells its subscriber the reason. */
export async function deny(
  transaction: Executor,
  { id, host, domain, network, topic_url, callback }: SubscriptionRow,
  reason: string,
): Promise<void> {
  await transaction.deleteFrom('subscriptions').where('id', '=', id).execute();
  const destination = { host, domain, network };
  await transaction
    .insertInto('denials')
    .values({ ...destination, topic_url, callback, reason, ...UNCLAIMED })
    .execute();
}
