// A store and the pure model side by side: everything that happens happens to both, and they can be
// compared at any time.

import { expect } from 'vitest';
import {
  acknowledged,
  claimed,
  confirmed,
  type Grant,
  isActive,
  isPending,
  notAcknowledged,
  NOTHING,
  owed,
  requested,
  type Subscription,
  unconfirmed,
} from '../../src/model/subscription.ts';
import type { Database } from '../../src/store/database.ts';
import {
  type ClaimedDelivery,
  type ClaimedIntent,
  deleteExpired,
  isAnythingDue,
  releaseClaims,
} from '../../src/store/deliveries.ts';
import type { Outcome } from '../../src/store/outcomes.ts';
import { grantOf, removeSubscription } from '../../src/store/subscriptions.ts';
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

export const TOPICS = ['/feed.xml', '/reviews.json'];
/** A topic and a callback each. */
export const KEYS = [
  '/feed.xml https://a.example/1',
  '/feed.xml https://a.example/2',
  '/reviews.json https://a.example/1',
] as const;
export const WORKERS = ['one', 'two'];
const WAITS = [5_000, 20_000] as const;
const COALESCE_MS = 2_000;
const CLAIM_MS = 15_000;
/** As src/store/clock.ts has it. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** What a worker has under way. Of a subscription that ended meanwhile it changes nothing. */
type UnderWay = { readonly worker: string; readonly key: string; readonly askedAt: number } & (
  | { readonly intent: ClaimedIntent }
  | { readonly delivery: ClaimedDelivery }
);
interface Held {
  readonly by: UnderWay;
  readonly until: number;
}

const idOf = (underWay: UnderWay) =>
  'intent' in underWay ? underWay.intent.number : underWay.delivery.id;

export class World {
  readonly #database: Database;
  readonly #model = new Map<string, Subscription>(KEYS.map((key) => [key, NOTHING]));
  readonly #claims = new Map<string, Held>();
  readonly #denied: [string, string][] = [];
  #underWay: UnderWay[] = [];
  #now = 1_000_000_000;
  #snapshot = 1;

  constructor(database: Database) {
    this.#database = database;
  }

  async request(key: string, mode: 'subscribe' | 'unsubscribe', lease: number, secret: boolean) {
    const [topic = '', callback = ''] = key.split(' ');
    const terms = { leaseSeconds: lease, secret: secret ? `secret ${lease}` : null };
    await save(this.#database, { mode, topic, callback, ...terms }, this.#now);
    const { number = 0 } = (await storedIntents(this.#database)).at(-1) ?? {};
    const topicUrl = `https://reviews.example${topic}`;
    this.#change(key, (before) =>
      requested(before, { mode, number, topicUrl, callback, ...terms }),
    );
  }

  async takeIntents(worker: string) {
    const now = this.#now;
    const due = (await storedIntents(this.#database)).filter(({ number }) => {
      const held = this.#claims.get(String(number));
      return !held || this.#isOver(held.until, CLAIM_MS);
    });
    const until = now + CLAIM_MS;
    const rows = await takeIntents(this.#database, worker, {
      now,
      until,
      longestClaimMs: CLAIM_MS,
    });
    expect(rows.map(({ number }) => number)).toEqual(due.map(({ number }) => number));
    for (const intent of rows) {
      const key = `${intent.topic} ${intent.callback}`;
      this.#hold(String(intent.number), { worker, key, askedAt: now, intent });
    }
  }

  async takeDeliveries(worker: string) {
    const now = this.#now;
    const readiness = {
      now,
      pendingBefore: now - COALESCE_MS,
      snapshot: this.#snapshot,
      longestClaimMs: CLAIM_MS,
      longestRetryMs: Math.max(...WAITS),
    };
    const due = KEYS.filter((key) => this.#isDue(key));
    if (due.length > 0) expect(await isAnythingDue(this.#database.read, readiness)).toBe(true);
    const until = now + CLAIM_MS;
    const rows = await takeDeliveries(this.#database, worker, readiness, { until });
    const keys = rows.map(({ topic, callback }) => `${topic} ${callback}`);
    expect(keys.toSorted()).toEqual(due.toSorted());
    for (const [place, delivery] of rows.entries()) {
      const key = keys[place] as string;
      this.#hold(key, { worker, key, askedAt: now, delivery });
      this.#changeGrant(key, (grant) => claimed(grant, this.#snapshot));
    }
  }

  #isDue(key: string): boolean {
    const grant = this.#model.get(key)?.grant;
    const held = this.#claims.get(key);
    if (!grant || !isActive(grant, this.#now)) return false;
    if (held && !this.#isOver(held.until, CLAIM_MS)) return false;
    const isSettled =
      grant.pendingSince <= this.#now - COALESCE_MS ||
      // Published before the clock was set back.
      grant.pendingSince > this.#now;
    return isPending(grant) && isSettled && this.#isOver(grant.retryAt, Math.max(...WAITS));
  }

  /** Whether a claim or a wait has ended, or ends later than any can that a right clock has made. */
  #isOver(until: number, longestMs: number): boolean {
    return until <= this.#now || until > this.#now + longestMs + CLOCK_DIFFERENCE_MS;
  }

  /** One thing under way ends: a challenge well or not, a delivery in one of three ways. */
  async end(pick: number, how: number) {
    const [ended] = this.#underWay.splice(pick % (this.#underWay.length || 1), 1);
    if (!ended) return;
    const { worker, key, askedAt } = ended;
    if ('intent' in ended) {
      const { intent } = ended;
      const claim = this.#claims.get(String(intent.number));
      if (how < 4) {
        await this.#record(worker, confirmedOutcome(intent, askedAt));
        const { grant } = this.#model.get(key) as Subscription;
        // A lease that had run out was another subscription, and so were its deliveries.
        if (grant && !isActive(grant, askedAt) && this.#waits(key, intent))
          this.#claims.delete(key);
        this.#change(key, (before) => confirmed(before, intent.number, askedAt));
      } else {
        await this.#record(worker, { kind: 'unconfirmed', intent });
        if (claim?.by === ended) this.#change(key, (before) => unconfirmed(before, intent.number));
      }
      return;
    }
    const isHeld = this.#claims.get(key)?.by === ended;
    if (isHeld) this.#claims.delete(key);
    const change = (next: (grant: Grant) => Grant | null) =>
      isHeld ? this.#changeGrant(key, next) : undefined;
    const { delivery } = ended;
    if (how < 2) {
      await this.#record(worker, { kind: 'acknowledged', isSlow: false, delivery });
      change((grant) => acknowledged(grant, this.#now));
    } else if (how < 5) {
      const error = `answered 50${how}`;
      await this.#record(worker, { kind: 'not_acknowledged', delivery, error, waitsMs: WAITS });
      change((grant) => {
        const next = notAcknowledged(grant, error, this.#now, WAITS);
        const reason = `three deliveries in a row failed, the last one: ${error}`;
        if (!next) this.#denied.push([grant.callback, reason]);
        return next;
      });
    } else {
      await this.#record(worker, { kind: 'gone', delivery });
      change(() => null);
    }
  }

  async publish(topics: readonly string[]) {
    this.#snapshot += 1;
    await publish(this.#database, topics, this.#snapshot, this.#now);
    for (const key of KEYS.filter((each) => topics.includes(each.split(' ')[0] as string))) {
      this.#changeGrant(key, (grant) => owed(grant, this.#snapshot, this.#now));
    }
  }

  async release(worker: string) {
    await this.#database.write((transaction) => releaseClaims(transaction, worker));
    this.#underWay = this.#underWay.filter((each) => each.worker !== worker);
    for (const [name, { by }] of this.#claims) {
      if (by.worker !== worker) continue;
      this.#claims.delete(name);
      if ('delivery' in by) this.#changeGrant(by.key, (grant) => claimed(grant, 0));
    }
  }

  async remove(key: string) {
    const rows = await storedSubscriptions(this.#database);
    const row = rows.find(({ topic, callback }) => `${topic} ${callback}` === key);
    await removeSubscription(this.#database, row?.id ?? 'none', 'removed', 0);
    if (this.#model.get(key)?.grant) this.#denied.push([key.split(' ')[1] as string, 'removed']);
    this.#changeGrant(key, () => null);
  }

  async clean() {
    await this.#database.write((transaction) => deleteExpired(transaction, this.#now));
    for (const key of KEYS) {
      const isRenewed = this.#model.get(key)?.intents.some(({ mode }) => mode === 'subscribe');
      this.#changeGrant(key, (grant) => (isActive(grant, this.#now) || isRenewed ? grant : null));
    }
  }

  step(ms: number) {
    this.#now += ms;
  }

  async compare() {
    const intents = await storedIntents(this.#database);
    const grants = await storedSubscriptions(this.#database);
    for (const key of KEYS) {
      const isOf = (row: { topic: string; callback: string }) =>
        `${row.topic} ${row.callback}` === key;
      const row = grants.find(isOf);
      const stored = {
        intents: intents.filter(isOf).map((each) => ({
          mode: each.mode,
          number: each.number,
          topicUrl: each.topic_url,
          callback: each.callback,
          leaseSeconds: each.lease_seconds,
          secret: each.secret,
        })),
        grant: row ? grantOf(row) : null,
      };
      expect({ key, ...stored }).toEqual({ key, ...this.#model.get(key) });
    }
    expect(await storedDenials(this.#database)).toEqual(this.#denied);
  }

  async #record(worker: string, outcome: Outcome) {
    await record(this.#database, worker, [outcome], this.#now);
  }

  /** A worker that takes a thing again has forgotten that it had it before. */
  #hold(name: string, by: UnderWay) {
    const isBefore = (each: UnderWay) =>
      each.worker === by.worker && each.key === by.key && idOf(each) === idOf(by);
    this.#underWay = [...this.#underWay.filter((each) => !isBefore(each)), by];
    this.#claims.set(name, { by, until: this.#now + CLAIM_MS });
  }

  #change(key: string, next: (before: Subscription) => Subscription) {
    const after = next(this.#model.get(key) as Subscription);
    if (!after.grant) this.#claims.delete(key);
    this.#model.set(key, after);
  }

  #waits(key: string, { number }: ClaimedIntent): boolean {
    return (this.#model.get(key) as Subscription).intents.some((each) => each.number === number);
  }

  #changeGrant(key: string, next: (grant: Grant) => Grant | null) {
    this.#change(key, (before) =>
      before.grant ? { ...before, grant: next(before.grant) } : before,
    );
  }
}
