// Subscriptions made directly in a store, as the endpoint and the worker make them.

import { randomBytes } from 'node:crypto';
import { callbackOf } from '../../src/hub/parse-callback.ts';
import { granted } from '../../src/model/subscription.ts';
import { encodeUlid } from '../../src/model/ulid.ts';
import type { Database } from '../../src/store/database.ts';
import {
  type BusyPlaces,
  claimDeliveries,
  type ClaimedDelivery,
  claimIntents,
  type ClaimedIntent,
  type Readiness,
  selectDeliveries,
  selectIntents,
} from '../../src/store/deliveries.ts';
import { type Outcome, recordOutcomes } from '../../src/store/outcomes.ts';
import type { IntentRow, SubscriptionRow } from '../../src/store/schema.ts';
import { type IntentLimits, type NewIntent, saveIntent } from '../../src/store/intents.ts';
import { columnsOf, owe } from '../../src/store/subscriptions.ts';
import type { Selectable } from 'kysely';

/** The longest claims and waits of workers in tests. */
export const LONGEST = { longestClaimMs: 3_600_000, longestRetryMs: 3_600_000 };

export const NO_LIMITS: IntentLimits = {
  maxPerHost: 0,
  maxPending: 10_000,
  maxSubscriptions: 0,
};
/** Every place may be asked. */
export const NOT_BUSY: BusyPlaces = { domains: [], networks: [] };

const FIRST = { isUnproven: false };
const AGAIN = { isUnproven: true };

/** What a test says of a request; its callback as a URL. */
export type IntentValues = Partial<
  Omit<NewIntent, 'callback'> & Record<'callback' | 'host' | 'domain', string>
>;

/** A request with these values, and unremarkable ones elsewhere. */
export function newIntent(values: IntentValues = {}): NewIntent {
  const topic = values.topic ?? '/feed.xml';
  const {
    callback: href = 'https://reader.example/callback',
    host = new URL(href).hostname,
    domain = host,
    ...others
  } = values;
  return {
    mode: 'subscribe',
    topic,
    topicUrl: `https://reviews.example${topic}`,
    callback: { ...callbackOf(href, domain), host },
    callbackKey: href,
    leaseSeconds: 1000,
    secret: null,
    verifyToken: null,
    ...others,
  };
}

export function save(
  database: Database,
  values: IntentValues = {},
  now = 0,
  limits = NO_LIMITS,
): ReturnType<typeof saveIntent> {
  return saveIntent(database, newIntent(values), limits, now);
}

export function record(
  database: Database,
  worker: string,
  outcomes: readonly Outcome[],
  now = 0,
): Promise<void> {
  return database.write((transaction) => recordOutcomes(transaction, worker, outcomes, now));
}

/** Claims up to so many requests, as a worker does in its turn. */
export function takeIntents(
  database: Database,
  worker: string,
  {
    now = 0,
    until = 1000,
    limit = 1000,
    longestClaimMs = LONGEST.longestClaimMs,
  }: { now?: number; until?: number; limit?: number; longestClaimMs?: number } = {},
): Promise<ClaimedIntent[]> {
  return database.write(async (transaction) => {
    const readiness = { ...LONGEST, now, longestClaimMs, pendingBefore: now, snapshot: 0 };
    const rows = await selectIntents(transaction, readiness, NOT_BUSY, limit);
    const numbers = rows.map(({ number }) => number);
    if (numbers.length > 0) await claimIntents(transaction, numbers, { worker, until });
    return rows;
  });
}

/** Claims up to so many deliveries, first tries before retries, as a worker does in its turn. */
export function takeDeliveries(
  database: Database,
  worker: string,
  readiness: Readiness,
  { until = 1000, limit = 1000 }: { until?: number; limit?: number } = {},
): Promise<ClaimedDelivery[]> {
  return database.write(async (transaction) => {
    const rows = [
      ...(await selectDeliveries(transaction, readiness, FIRST, NOT_BUSY, limit)),
      ...(await selectDeliveries(transaction, readiness, AGAIN, NOT_BUSY, limit)),
    ].slice(0, limit);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) {
      await claimDeliveries(transaction, ids, readiness.snapshot, { worker, until });
    }
    return rows;
  });
}

export function confirmedOutcome(intent: ClaimedIntent, askedAt = 0): Outcome {
  return { kind: 'confirmed', intent, askedAt, random: randomBytes(10), isSlow: false };
}

/** Saves requests and confirms them all; returns the subscriptions that there are then. */
export async function subscribe(
  database: Database,
  requests: readonly IntentValues[] = [{}],
  now = 0,
): Promise<SubscriptionRow[]> {
  for (const values of requests) await save(database, values, now);
  const intents = await takeIntents(database, 'subscribing', { now });
  const outcomes = intents.map((intent) => confirmedOutcome(intent, now));
  await record(database, 'subscribing', outcomes, now);
  return storedSubscriptions(database);
}

/** Callbacks of hosts, `perHost` each. */
export function callbacksOf(hosts: readonly string[], perHost: number): string[] {
  return hosts.flatMap((host) =>
    Array.from({ length: perHost }, (_, place) => `https://${host}/${place}`),
  );
}

/** Subscribes many callbacks at once, as if each had asked and confirmed. */
export async function subscribeAll(
  database: Database,
  callbacks: readonly string[],
  now: number,
  values: Partial<SubscriptionRow> = {},
): Promise<void> {
  const ranks = new Map<string, number>();
  const rows = callbacks.map((callback) => {
    const intent = {
      ...newIntent({ callback, leaseSeconds: 1_000_000 }),
      callback,
      number: 0,
    };
    const { host, domain } = callbackOf(callback);
    const rank = (ranks.get(domain) ?? 0) + 1;
    ranks.set(domain, rank);
    return {
      id: encodeUlid(now, randomBytes(10)),
      topic: intent.topic,
      callback_key: callback,
      host,
      domain,
      network: null,
      ...columnsOf(granted(null, intent, now)),
      unproven: 0,
      rank,
      claimed_by: null,
      claimed_until: 0,
      ...values,
    };
  });
  await database.write(async (transaction) => {
    for (let start = 0; start < rows.length; start += 500) {
      const some = rows.slice(start, start + 500);
      await transaction.insertInto('subscriptions').values(some).execute();
    }
  });
}

export function publish(
  database: Database,
  topics: readonly string[],
  snapshot: number,
  now = 0,
): Promise<void> {
  return database.write((transaction) => owe(transaction, topics, snapshot, now));
}

export function storedSubscriptions(database: Database): Promise<SubscriptionRow[]> {
  return database.read.selectFrom('subscriptions').selectAll().orderBy('id').execute();
}

export function storedIntents(database: Database): Promise<Selectable<IntentRow>[]> {
  return database.read.selectFrom('intents').selectAll().orderBy('number').execute();
}

/** What subscribers are still to be told, by callback. */
export async function storedDenials(database: Database): Promise<[string, string][]> {
  const rows = await database.read
    .selectFrom('denials')
    .select(['callback', 'reason'])
    .orderBy('number')
    .execute();
  return rows.map(({ callback, reason }) => [callback, reason]);
}
