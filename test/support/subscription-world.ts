// A store and its oracle (subscription-model.ts) side by side: every event is applied to both, and they can
// be compared at any time.

import { expect } from 'vitest';
import { isActive, subscribed, type Subscription } from '../../src/model/subscription.ts';
import type { Database } from '../../src/store/database.ts';
import {
  type ClaimedDelivery,
  type ClaimedIntent,
  deleteExpired,
  isAnythingDue,
  releaseClaims,
} from '../../src/store/hub/deliveries.ts';
import type { Outcome } from '../../src/store/hub/outcomes.ts';
import type { SubscriptionRow } from '../../src/store/schema.ts';
import { removeSubscription } from '../../src/store/hub/subscriptions.ts';
import {
  confirmedOutcome,
  publish,
  record,
  save,
  storedDenials,
  storedIntents,
  storedSubscriptions,
  takeDeliveries,
  takeIntents,
} from './subscriptions.ts';
import {
  acknowledged,
  claimed,
  confirmed,
  isPending,
  NO_SUBSCRIPTION,
  notAcknowledged,
  requested,
  type HubEntry,
  topicChanged,
  unconfirmed,
} from './subscription-model.ts';

export const TOPICS = ['/feed.xml', '/reviews.json'];
/** Each a topic and a callback. */
export const KEYS = [
  '/feed.xml https://a.example/1',
  '/feed.xml https://a.example/2',
  '/reviews.json https://a.example/1',
] as const;
export const OWNERS = ['one', 'two'];
const WAITS = [5_000, 20_000] as const;
const COALESCE_MS = 2_000;
const CLAIM_MS = 15_000;
/** The value in src/store/clock.ts. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** A claimed verification or delivery in flight. */
type InFlight = { readonly ownerId: string; readonly key: string; readonly askedAtMs: number } & (
  | { readonly intent: ClaimedIntent }
  | { readonly delivery: ClaimedDelivery }
);
interface Held {
  readonly by: InFlight;
  readonly untilMs: number;
}

const termsOf = ({
  topic_url,
  callback,
  lease_seconds,
  secret,
}: SubscriptionRow | ClaimedIntent) => ({
  topic_url,
  callback,
  lease_seconds,
  secret,
});
/** The columns of a row that the oracle has. */
const subscriptionOf = (row: SubscriptionRow): Subscription => {
  const names = subscribed({ ...row, mode: 'subscribe', number: 0 }, 0);
  return Object.fromEntries(
    Object.keys(names).map((name) => [name, row[name as keyof Subscription]]),
  ) as unknown as Subscription;
};
const idOf = (inFlight: InFlight) =>
  'intent' in inFlight ? inFlight.intent.number : inFlight.delivery.id;

export class World {
  readonly #database: Database;
  readonly #model = new Map<string, HubEntry>(KEYS.map((key) => [key, NO_SUBSCRIPTION]));
  readonly #claims = new Map<string, Held>();
  readonly #denied: [string, string][] = [];
  #inFlight: InFlight[] = [];
  #nowMs = 1_000_000_000;
  #snapshot = 1;

  constructor(database: Database) {
    this.#database = database;
  }

  async request(
    key: string,
    mode: 'subscribe' | 'unsubscribe',
    lease_seconds: number,
    secret: boolean,
  ) {
    const [topic = '', callback = ''] = key.split(' ');
    const terms = { lease_seconds, secret: secret ? `secret ${lease_seconds}` : null };
    await save(this.#database, { mode, topic, callback, ...terms }, this.#nowMs);
    const { number = 0 } = (await storedIntents(this.#database)).at(-1) ?? {};
    const topic_url = `https://reviews.example${topic}`;
    this.#change(key, (before) =>
      requested(before, { mode, number, topic_url, callback, ...terms }),
    );
  }

  async takeIntents(ownerId: string) {
    const nowMs = this.#nowMs;
    const due = (await storedIntents(this.#database)).filter(({ number }) => {
      const held = this.#claims.get(String(number));
      return !held || this.#isOver(held.untilMs, CLAIM_MS);
    });
    const untilMs = nowMs + CLAIM_MS;
    const rows = await takeIntents(this.#database, ownerId, {
      nowMs,
      untilMs,
      longestClaimMs: CLAIM_MS,
    });
    expect(rows.map(({ number }) => number)).toEqual(due.map(({ number }) => number));
    for (const intent of rows) {
      const key = `${intent.topic} ${intent.callback}`;
      this.#hold(String(intent.number), { ownerId, key, askedAtMs: nowMs, intent });
    }
  }

  async takeDeliveries(ownerId: string) {
    const nowMs = this.#nowMs;
    const criteria = {
      nowMs,
      pendingBeforeMs: nowMs - COALESCE_MS,
      snapshot: this.#snapshot,
      longestClaimMs: CLAIM_MS,
      longestRetryMs: Math.max(...WAITS),
    };
    const due = KEYS.filter((key) => this.#isDue(key));
    if (due.length > 0) expect(await isAnythingDue(this.#database.read, criteria)).toBe(true);
    const untilMs = nowMs + CLAIM_MS;
    const rows = await takeDeliveries(this.#database, ownerId, criteria, { untilMs });
    const keys = rows.map(({ topic, callback }) => `${topic} ${callback}`);
    expect(keys.toSorted()).toEqual(due.toSorted());
    for (const [index, delivery] of rows.entries()) {
      const key = keys[index] as string;
      this.#hold(key, { ownerId, key, askedAtMs: nowMs, delivery });
      this.#changeSubscription(key, (subscription) => claimed(subscription, this.#snapshot));
    }
  }

  #isDue(key: string): boolean {
    const subscription = this.#model.get(key)?.subscription;
    const held = this.#claims.get(key);
    if (!subscription || !isActive(subscription, this.#nowMs)) return false;
    if (held && !this.#isOver(held.untilMs, CLAIM_MS)) return false;
    const isSettled =
      subscription.pending_since <= this.#nowMs - COALESCE_MS ||
      // The clock was set back after the publish.
      subscription.pending_since > this.#nowMs;
    return (
      isPending(subscription) &&
      isSettled &&
      this.#isOver(subscription.retry_at, Math.max(...WAITS))
    );
  }

  /** Whether a claim or a delay has ended, or its end is invalid (see src/store/clock.ts). */
  #isOver(untilMs: number, longestMs: number): boolean {
    return untilMs <= this.#nowMs || untilMs > this.#nowMs + longestMs + CLOCK_DIFFERENCE_MS;
  }

  /** Ends something in flight: a challenge in one of two ways, a delivery in one of three. */
  async end(pick: number, how: number) {
    const [ended] = this.#inFlight.splice(pick % (this.#inFlight.length || 1), 1);
    if (!ended) return;
    const { ownerId, key, askedAtMs } = ended;
    if ('intent' in ended) {
      const { intent } = ended;
      const claim = this.#claims.get(String(intent.number));
      if (how < 4) {
        await this.#record(ownerId, confirmedOutcome(intent, askedAtMs));
        const { subscription } = this.#model.get(key) as HubEntry;
        // Deliveries of an expired lease belong to a previous subscription.
        if (subscription && !isActive(subscription, askedAtMs) && this.#waits(key, intent))
          this.#claims.delete(key);
        this.#change(key, (before) => confirmed(before, intent.number, askedAtMs));
      } else {
        await this.#record(ownerId, { kind: 'unconfirmed', intent });
        if (claim?.by === ended) this.#change(key, (before) => unconfirmed(before, intent.number));
      }
      return;
    }
    const isHeld = this.#claims.get(key)?.by === ended;
    if (isHeld) this.#claims.delete(key);
    const change = (next: (subscription: Subscription) => Subscription | null) =>
      isHeld ? this.#changeSubscription(key, next) : undefined;
    const { delivery } = ended;
    if (how < 2) {
      await this.#record(ownerId, { kind: 'acknowledged', isSlow: false, delivery });
      change((subscription) => acknowledged(subscription, this.#nowMs));
    } else if (how < 5) {
      const error = `answered 50${how}`;
      await this.#record(ownerId, { kind: 'not_acknowledged', delivery, error, waitsMs: WAITS });
      change((subscription) => {
        const next = notAcknowledged(subscription, error, this.#nowMs, WAITS);
        const reason = `three deliveries in a row failed, the last one: ${error}`;
        if (!next) this.#denied.push([subscription.callback, reason]);
        return next;
      });
    } else {
      await this.#record(ownerId, { kind: 'gone', delivery });
      change(() => null);
    }
  }

  async publish(topics: readonly string[]) {
    this.#snapshot += 1;
    await publish(this.#database, topics, this.#snapshot, this.#nowMs);
    for (const key of KEYS.filter((each) => topics.includes(each.split(' ')[0] as string))) {
      this.#changeSubscription(key, (subscription) =>
        topicChanged(subscription, this.#snapshot, this.#nowMs),
      );
    }
  }

  async release(ownerId: string) {
    await this.#database.write((transaction) => releaseClaims(transaction, ownerId));
    this.#inFlight = this.#inFlight.filter((each) => each.ownerId !== ownerId);
    for (const [name, { by }] of this.#claims) {
      if (by.ownerId !== ownerId) continue;
      this.#claims.delete(name);
      if ('delivery' in by)
        this.#changeSubscription(by.key, (subscription) => claimed(subscription, 0));
    }
  }

  async remove(key: string) {
    const rows = await storedSubscriptions(this.#database);
    const row = rows.find(({ topic, callback }) => `${topic} ${callback}` === key);
    await removeSubscription(this.#database, row?.id ?? 'none', 'removed', 0);
    if (this.#model.get(key)?.subscription)
      this.#denied.push([key.split(' ')[1] as string, 'removed']);
    this.#changeSubscription(key, () => null);
  }

  async clean() {
    await this.#database.write((transaction) => deleteExpired(transaction, this.#nowMs));
    for (const key of KEYS) {
      const isRenewed = this.#model.get(key)?.intents.some(({ mode }) => mode === 'subscribe');
      this.#changeSubscription(key, (subscription) =>
        isActive(subscription, this.#nowMs) || isRenewed ? subscription : null,
      );
    }
  }

  step(ms: number) {
    this.#nowMs += ms;
  }

  async compare() {
    const intents = await storedIntents(this.#database);
    const leases = await storedSubscriptions(this.#database);
    for (const key of KEYS) {
      const isOf = (row: { topic: string; callback: string }) =>
        `${row.topic} ${row.callback}` === key;
      const row = leases.find(isOf);
      const stored = {
        intents: intents.filter(isOf).map((each) => ({
          mode: each.mode,
          number: each.number,
          ...termsOf(each),
        })),
        subscription: row ? subscriptionOf(row) : null,
      };
      expect({ key, ...stored }).toEqual({ key, ...this.#model.get(key) });
    }
    expect(await storedDenials(this.#database)).toEqual(this.#denied);
  }

  async #record(ownerId: string, outcome: Outcome) {
    await record(this.#database, ownerId, [outcome], this.#nowMs);
  }

  /** An owner that claims something again has lost its earlier claim. */
  #hold(name: string, by: InFlight) {
    const isBefore = (each: InFlight) =>
      each.ownerId === by.ownerId && each.key === by.key && idOf(each) === idOf(by);
    this.#inFlight = [...this.#inFlight.filter((each) => !isBefore(each)), by];
    this.#claims.set(name, { by, untilMs: this.#nowMs + CLAIM_MS });
  }

  #change(key: string, next: (before: HubEntry) => HubEntry) {
    const after = next(this.#model.get(key) as HubEntry);
    if (!after.subscription) this.#claims.delete(key);
    this.#model.set(key, after);
  }

  #waits(key: string, { number }: ClaimedIntent): boolean {
    return (this.#model.get(key) as HubEntry).intents.some((each) => each.number === number);
  }

  #changeSubscription(key: string, next: (subscription: Subscription) => Subscription | null) {
    this.#change(key, (before) =>
      before.subscription ? { ...before, subscription: next(before.subscription) } : before,
    );
  }
}
