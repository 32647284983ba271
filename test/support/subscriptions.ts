// Creates and changes subscriptions directly in a store, as the hub's endpoint and dispatcher do.

import { randomBytes } from 'node:crypto';
import { callbackOf } from '../../src/hub/parse-callback.ts';
import { subscribed } from '../../src/model/subscription.ts';
import { encodeUlid } from '../../src/model/ulid.ts';
import type { Database } from '../../src/store/database.ts';
import {
  type BusyDestinations,
  claimDeliveries,
  type ClaimedDelivery,
  claimNumbers,
  type ClaimedIntent,
  type ClaimCriteria,
  selectDeliveries,
  selectWaiting,
} from '../../src/store/hub/deliveries.ts';
import { type Outcome, recordOutcomes } from '../../src/store/hub/outcomes.ts';
import type { IntentRow, SubscriptionRow } from '../../src/store/schema.ts';
import { type IntentLimits, type NewIntent, saveIntent } from '../../src/store/hub/intents.ts';
import { markPending } from '../../src/store/hub/subscriptions.ts';
import type { Selectable } from 'kysely';

/** Maximum claims and retry delays in tests. */
export const LONGEST = { longestClaimMs: 3_600_000, longestRetryMs: 3_600_000 };

export const NO_LIMITS: IntentLimits = {
  maxPerHost: 0,
  maxPending: 10_000,
  maxSubscriptions: 0,
};
/** No destination is busy. */
export const NOT_BUSY: BusyDestinations = { domains: [], networks: [] };

const FIRST = { isUnproven: false };
const AGAIN = { isUnproven: true };

/** What a test says of a request; its callback as a URL. */
export type IntentValues = Partial<
  Omit<NewIntent, 'callback'> & Record<'callback' | 'host' | 'domain', string>
>;

/** A request with these values and defaults. */
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
    topic_url: `https://reviews.example${topic}`,
    callback: { ...callbackOf(href, domain), host },
    callback_key: href,
    lease_seconds: 1000,
    secret: null,
    verify_token: null,
    ...others,
  };
}

export function save(
  database: Database,
  values: IntentValues = {},
  nowMs = 0,
  limits = NO_LIMITS,
): ReturnType<typeof saveIntent> {
  return saveIntent(database, newIntent(values), limits, nowMs);
}

export function record(
  database: Database,
  ownerId: string,
  outcomes: readonly Outcome[],
  nowMs = 0,
): Promise<void> {
  return database.write((transaction) => recordOutcomes(transaction, ownerId, outcomes, nowMs));
}

/** Claims up to `limit` intents, as a dispatcher does in its turn. */
export function takeIntents(
  database: Database,
  ownerId: string,
  {
    nowMs = 0,
    untilMs = 1000,
    limit = 1000,
    longestClaimMs = LONGEST.longestClaimMs,
  }: { nowMs?: number; untilMs?: number; limit?: number; longestClaimMs?: number } = {},
): Promise<ClaimedIntent[]> {
  return database.write(async (transaction) => {
    const criteria = { ...LONGEST, nowMs, longestClaimMs, pendingBeforeMs: nowMs, snapshot: 0 };
    const rows = await selectWaiting(transaction, 'intents', criteria, NOT_BUSY, limit);
    const numbers = rows.map(({ number }) => number);
    if (numbers.length > 0)
      await claimNumbers(transaction, 'intents', numbers, { ownerId, untilMs });
    return rows;
  });
}

/** Claims up to `limit` deliveries, first tries before retries, as a dispatcher does in its turn. */
export function takeDeliveries(
  database: Database,
  ownerId: string,
  criteria: ClaimCriteria,
  { untilMs = 1000, limit = 1000 }: { untilMs?: number; limit?: number } = {},
): Promise<ClaimedDelivery[]> {
  return database.write(async (transaction) => {
    const rows = [
      ...(await selectDeliveries(transaction, criteria, FIRST, NOT_BUSY, limit)),
      ...(await selectDeliveries(transaction, criteria, AGAIN, NOT_BUSY, limit)),
    ].slice(0, limit);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) {
      await claimDeliveries(transaction, ids, criteria.snapshot, { ownerId, untilMs });
    }
    return rows;
  });
}

export function confirmedOutcome(intent: ClaimedIntent, askedAtMs = 0): Outcome {
  return { kind: 'confirmed', intent, askedAtMs, random: randomBytes(10), isSlow: false };
}

/** Saves and confirms requests; returns all subscriptions. */
export async function subscribe(
  database: Database,
  requests: readonly IntentValues[] = [{}],
  nowMs = 0,
): Promise<SubscriptionRow[]> {
  for (const values of requests) await save(database, values, nowMs);
  const intents = await takeIntents(database, 'subscribing', { nowMs });
  const outcomes = intents.map((intent) => confirmedOutcome(intent, nowMs));
  await record(database, 'subscribing', outcomes, nowMs);
  return storedSubscriptions(database);
}

/** Callback URLs, `perHost` for each host. */
export function callbacksOf(hosts: readonly string[], perHost: number): string[] {
  return hosts.flatMap((host) =>
    Array.from({ length: perHost }, (_, index) => `https://${host}/${index}`),
  );
}

/** Inserts confirmed subscriptions of many callbacks. */
export async function subscribeAll(
  database: Database,
  callbacks: readonly string[],
  nowMs: number,
  values: Partial<SubscriptionRow> = {},
): Promise<void> {
  const ranks = new Map<string, number>();
  const rows = callbacks.map((callback) => {
    const intent = {
      ...newIntent({ callback, lease_seconds: 1_000_000 }),
      callback,
      number: 0,
    };
    const { host, domain } = callbackOf(callback);
    const rank = (ranks.get(domain) ?? 0) + 1;
    ranks.set(domain, rank);
    return {
      id: encodeUlid(nowMs, randomBytes(10)),
      topic: intent.topic,
      callback_key: callback,
      host,
      domain,
      network: null,
      ...subscribed(intent, nowMs),
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
  nowMs = 0,
): Promise<void> {
  return database.write((transaction) => markPending(transaction, topics, snapshot, nowMs));
}

export function storedSubscriptions(database: Database): Promise<SubscriptionRow[]> {
  return database.read.selectFrom('subscriptions').selectAll().orderBy('id').execute();
}

export function storedIntents(database: Database): Promise<Selectable<IntentRow>[]> {
  return database.read.selectFrom('intents').selectAll().orderBy('number').execute();
}

/** Queued denials: callback and reason. */
export async function storedDenials(database: Database): Promise<[string, string][]> {
  const rows = await database.read
    .selectFrom('denials')
    .select(['callback', 'reason'])
    .orderBy('number')
    .execute();
  return rows.map(({ callback, reason }) => [callback, reason]);
}
