// Requests of subscribers that wait to be verified: which are stored, and in which turn they come.

import type { Callback } from '../model/callback.ts';
import type { Intent } from '../model/subscription.ts';
import type { Database } from './database.ts';
import type { Executor } from './engine.ts';

/** A domain may have this many times the subscriptions of a single host. */
const HOSTS_PER_DOMAIN = 10;
/** A domain with fewer waiting requests may use the last quarter of the queue. */
const FEW_WAITING = 4;

/** A request as the endpoint accepted it. */
export interface NewIntent extends Omit<Intent, 'number' | 'callback'> {
  /** Path of the topic's document. */
  readonly topic: string;
  readonly callback: Callback;
  /** Equal for all spellings of the callback's URL. */
  readonly callbackKey: string;
  readonly verifyToken: string | null;
}

export interface IntentLimits {
  /** Subscriptions that the callbacks of one host may have, pending ones included; 0 is any number. */
  readonly maxPerHost: number;
  /** Requests that may wait to be verified. */
  readonly maxPending: number;
  /** Subscriptions of the whole hub, pending ones included; 0 is any number. */
  readonly maxSubscriptions: number;
}

/** The limit that forbids a request: of its host or domain, of the queue, or of the whole hub. */
export type FullLimit = 'host_full' | 'queue_full' | 'hub_full';

/**
 * Stores a request, unless a limit forbids it. Requests of one domain are stored one after another, so
 * their numbers grow in the order in which they can be seen.
 */
export async function saveIntent(
  database: Database,
  intent: NewIntent,
  limits: IntentLimits,
  now: number,
): Promise<'saved' | FullLimit> {
  return database.write(
    async (transaction) => {
      const queue = await readQueue(transaction, intent.callback.domain);
      const full = await fullLimitOf(transaction, intent, queue, limits, now);
      if (full !== null) return full;
      await transaction
        .insertInto('intents')
        .values({
          mode: intent.mode,
          topic: intent.topic,
          callback_key: intent.callbackKey,
          host: intent.callback.host,
          domain: intent.callback.domain,
          network: null,
          turn: Math.max(queue.firstTurn ?? 0, (queue.lastTurnOfDomain ?? -1) + 1),
          topic_url: intent.topicUrl,
          callback: intent.callback.href,
          lease_seconds: intent.leaseSeconds,
          secret: intent.secret,
          verify_token: intent.verifyToken,
          claimed_by: null,
          claimed_until: 0,
        })
        .execute();
      return 'saved';
    },
    { lock: { alone: `requests of ${intent.callback.domain}` }, tells: 'requests' },
  );
}

/** The waiting requests. Every domain has one request in each turn, so none waits for all of another. */
interface Queue {
  readonly waiting: number;
  readonly waitingOfDomain: number;
  readonly firstTurn: number | null;
  readonly lastTurnOfDomain: number | null;
}

async function readQueue(transaction: Executor, domain: string): Promise<Queue> {
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
  now: number,
): Promise<FullLimit | null> {
  const share = waitingOfDomain < FEW_WAITING ? maxPending : Math.ceil((maxPending * 3) / 4);
  if (waiting >= share) return 'queue_full';
  if (maxPerHost > 0) {
    const { host, domain } = intent.callback;
    const ofHost = { column: 'host', value: host, most: maxPerHost } as const;
    const most = HOSTS_PER_DOMAIN * maxPerHost;
    const ofDomain = { column: 'domain', value: domain, most } as const;
    for (const group of [ofHost, ofDomain]) {
      if (await isOneTooMany(transaction, intent, group, now)) return 'host_full';
    }
  }
  if (maxSubscriptions > 0 && intent.mode === 'subscribe') {
    const { active } = await transaction
      .selectFrom('subscriptions')
      .select((select) => select.fn.countAll<number>().as('active'))
      .executeTakeFirstOrThrow();
    const isFull = active + waiting >= maxSubscriptions;
    if (isFull && !(await isRenewal(transaction, intent, now))) return 'hub_full';
  }
  return null;
}

async function isRenewal(
  transaction: Executor,
  { topic, callbackKey }: NewIntent,
  now: number,
): Promise<boolean> {
  const known = await transaction
    .selectFrom('subscriptions')
    .select('id')
    .where('topic', '=', topic)
    .where('callback_key', '=', callbackKey)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return known !== undefined;
}

/**
 * Whether a request would exceed what a host or a domain may have. A renewal and an unsubscribe never
 * do; but of whatever kind, twice as many requests may wait, so that no host fills the queue for all.
 */
async function isOneTooMany(
  transaction: Executor,
  { mode, topic, callbackKey }: NewIntent,
  { column, value, most }: { column: 'host' | 'domain'; value: string; most: number },
  now: number,
): Promise<boolean> {
  const { waiting } = await transaction
    .selectFrom('intents')
    .select((select) => select.fn.countAll<number>().as('waiting'))
    .where(column, '=', value)
    .executeTakeFirstOrThrow();
  if (waiting >= 2 * most) return true;
  if (mode === 'unsubscribe') return false;
  const keys = transaction
    .selectFrom('subscriptions')
    .select(['topic', 'callback_key'])
    .where(column, '=', value)
    .where('expires_at', '>', now)
    // A union has every key once.
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
        .filterWhere('callback_key', '=', callbackKey)
        .as('same'),
    ])
    .executeTakeFirstOrThrow();
  return all >= most && same === 0;
}
