// Intents: subscribe and unsubscribe requests that wait to be verified. Their limits and their order.

import type { Callback } from '../../model/callback.ts';
import type { Database } from '../database.ts';
import { countRows, type Executor, exists } from '../engine.ts';
import {
  type ClaimColumns,
  type DestinationColumns,
  type IntentRow,
  UNCLAIMED,
} from '../schema.ts';

/** Limit of a domain, as a multiple of the limit of a host. */
const HOSTS_PER_DOMAIN = 10;
/** The last quarter of the queue is for domains with fewer waiting requests than this. */
const FEW_WAITING = 4;

/** A request that the hub's endpoint accepted. */
export interface NewIntent extends Omit<
  IntentRow,
  'number' | 'turn' | 'callback' | keyof DestinationColumns | keyof ClaimColumns
> {
  readonly callback: Callback;
}

export interface IntentLimits {
  /** Maximum subscriptions per callback host, pending ones included; 0 means unlimited. */
  readonly maxPerHost: number;
  /** Maximum requests waiting to be verified. */
  readonly maxPending: number;
  /** Maximum subscriptions of the whole hub, pending ones included; 0 means unlimited. */
  readonly maxSubscriptions: number;
}

/** The limit that a request exceeds: of its host or domain, of the queue, or of the whole hub. */
export type FullLimit = 'host_full' | 'queue_full' | 'hub_full';

/**
 * Stores a request, or returns the limit that it exceeds. Requests of one domain are stored one after
 * another, so their numbers grow in commit order.
 */
export async function saveIntent(
  database: Database,
  intent: NewIntent,
  limits: IntentLimits,
  nowMs: number,
): Promise<'saved' | FullLimit> {
  const { callback, ...columns } = intent;
  return database.write(
    async (transaction) => {
      const queue = await loadQueue(transaction, callback.domain);
      const full = await fullLimitOf(transaction, intent, queue, limits, nowMs);
      if (full !== null) return full;
      await transaction
        .insertInto('intents')
        .values({
          ...columns,
          callback: callback.href,
          host: callback.host,
          domain: callback.domain,
          network: null,
          turn: Math.max(queue.firstTurn ?? 0, (queue.lastTurnOfDomain ?? -1) + 1),
          ...UNCLAIMED,
        })
        .execute();
      return 'saved';
    },
    { lock: { exclusive: `requests of ${callback.domain}` }, notifies: 'requests' },
  );
}

/** The waiting requests. A domain has one request per turn, so domains take turns. */
interface Queue {
  readonly waiting: number;
  readonly waitingOfDomain: number;
  readonly firstTurn: number | null;
  readonly lastTurnOfDomain: number | null;
}

async function loadQueue(transaction: Executor, domain: string): Promise<Queue> {
  const all = await transaction
    .selectFrom('intents')
    .select((select) => [
      select.fn.countAll<number>().as('waiting'),
      select.fn.min('turn').as('firstTurn'),
    ])
    .executeTakeFirstOrThrow();
  const ofDomain = await transaction
    .selectFrom('intents')
    .select((select) => [
      select.fn.countAll<number>().as('waitingOfDomain'),
      select.fn.max('turn').as('lastTurnOfDomain'),
    ])
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow();
  return { ...all, ...ofDomain };
}

async function fullLimitOf(
  transaction: Executor,
  intent: NewIntent,
  { waiting, waitingOfDomain }: Queue,
  { maxPerHost, maxPending, maxSubscriptions }: IntentLimits,
  nowMs: number,
): Promise<FullLimit | null> {
  const share = waitingOfDomain < FEW_WAITING ? maxPending : Math.ceil((maxPending * 3) / 4);
  if (waiting >= share) return 'queue_full';
  if (maxPerHost > 0) {
    const { host, domain } = intent.callback;
    const ofHost = { column: 'host', value: host, max: maxPerHost } as const;
    const max = HOSTS_PER_DOMAIN * maxPerHost;
    const ofDomain = { column: 'domain', value: domain, max } as const;
    for (const group of [ofHost, ofDomain]) {
      if (await exceedsGroupLimit(transaction, intent, group, nowMs)) return 'host_full';
    }
  }
  if (maxSubscriptions > 0 && intent.mode === 'subscribe') {
    const active = await countRows(transaction.selectFrom('subscriptions'));
    const isFull = active + waiting >= maxSubscriptions;
    if (isFull && !(await isRenewal(transaction, intent, nowMs))) return 'hub_full';
  }
  return null;
}

async function isRenewal(
  transaction: Executor,
  { topic, callback_key }: NewIntent,
  nowMs: number,
): Promise<boolean> {
  return exists(
    transaction
      .selectFrom('subscriptions')
      .select('id')
      .where('topic', '=', topic)
      .where('callback_key', '=', callback_key)
      .where('expires_at', '>', nowMs),
  );
}

/**
 * Whether a request exceeds the limit of its host or domain. Renewals and unsubscribes do not count
 * against it, but at most twice the limit of requests of any kind may wait, so no host fills the queue.
 */
async function exceedsGroupLimit(
  transaction: Executor,
  { mode, topic, callback_key }: NewIntent,
  { column, value, max }: { column: 'host' | 'domain'; value: string; max: number },
  nowMs: number,
): Promise<boolean> {
  const waiting = await countRows(transaction.selectFrom('intents').where(column, '=', value));
  if (waiting >= 2 * max) return true;
  if (mode === 'unsubscribe') return false;
  const keys = transaction
    .selectFrom('subscriptions')
    .select(['topic', 'callback_key'])
    .where(column, '=', value)
    .where('expires_at', '>', nowMs)
    // UNION removes duplicate keys.
    .union(
      transaction
        .selectFrom('intents')
        .select(['topic', 'callback_key'])
        .where(column, '=', value)
        .where('mode', '=', 'subscribe'),
    );
  const { all, same } = await transaction
    .selectFrom(keys.as('keys'))
    .select((select) => [
      select.fn.countAll<number>().as('all'),
      select.fn
        .countAll<number>()
        .filterWhere('topic', '=', topic)
        .filterWhere('callback_key', '=', callback_key)
        .as('same'),
    ])
    .executeTakeFirstOrThrow();
  return all >= max && same === 0;
}
