// The state of a WebSub subscription and its transitions.

/** A request that its callback has not confirmed yet, as columns. */
export interface Intent {
  mode: 'subscribe' | 'unsubscribe';
  /** Ascending: a later request of the same subscriber supersedes earlier ones. */
  number: number;
  topic_url: string;
  /** The callback URL as requested. */
  callback: string;
  /** The lease that the hub offers, which may differ from the requested one. */
  lease_seconds: number;
  secret: string | null;
}

/**
 * A confirmed subscription of a callback to a topic, and the state of its deliveries, as columns. The table lists all
 * transitions and the functions that run them: `subscribed`, `renewed` and `notAcknowledged` are below, the others
 * are SQL in store/. test/support/subscription-model.ts has the whole table as pure functions, the oracle
 * with which test/store/subscriptions-model.test.ts compares the SQL.
 *
 * | state | event | next state | run by |
 * |---|---|---|---|
 * | any | subscribe or unsubscribe requested | one more intent | `saveIntent` |
 * | intent | challenge fails | the intent is deleted | `recordOutcomes` |
 * | subscribe intent, no active subscription | challenge answered | a new subscription without pending deliveries; earlier intents are superseded | `recordOutcomes`, `subscribed` |
 * | subscribe intent, active subscription | challenge answered | lease renewed: new expiry and secret, a retry delay ends, since the callback answers; earlier intents are superseded | `recordOutcomes`, `renewed` |
 * | unsubscribe intent | challenge answered | no subscription; earlier intents are superseded | `recordOutcomes` |
 * | superseded intent | challenge answered | unchanged | `recordOutcomes` |
 * | active subscription | topic changes | delivery of the new snapshot pending; a retry delay stays | `markPending` |
 * | active subscription | delivery starts | its snapshot claimed | `claimDeliveries` |
 * | active subscription | delivery acknowledged | that snapshot acknowledged, no failures | `recordOutcomes` |
 * | active subscription | 1st or 2nd delivery in a row fails | retry after a delay, with the newest content then | `recordOutcomes`, `notAcknowledged` |
 * | active subscription | 3rd delivery in a row fails | no subscription; denial queued | `recordOutcomes`, `notAcknowledged` |
 * | active subscription | delivery answered 410 | no subscription | `recordOutcomes` |
 * | active subscription | operator removes it | no subscription; denial queued | `removeSubscription` |
 * | active subscription | hub shuts down during a delivery | claim released | `releaseClaims` |
 * | active subscription | lease expires | expired; deleted unless a renewal waits to be verified | `deleteExpired` |
 * | no subscription | outcome of a delivery | unchanged | `recordOutcomes` |
 */
export interface Subscription extends Omit<Intent, 'mode' | 'number'> {
  /** The first moment at which the lease is expired. Times are ms since 1970. */
  expires_at: number;
  /** Failed deliveries in a row. */
  failures: number;
  /** Earliest time of the next delivery after a failure; 0 without failures. */
  retry_at: number;
  /** The snapshot in which the topic last changed; 0 before its first change. */
  pending_snapshot: number;
  /** When the first change was published that no delivery has carried yet. */
  pending_since: number;
  /** The snapshot of the delivery in flight; 0 if none is. */
  claimed_snapshot: number;
  /** The snapshot of the last acknowledged delivery; 0 before the first. */
  acknowledged_snapshot: number;
  acknowledged_at: number | null;
  /** Why the last delivery failed; null if it was acknowledged. */
  last_error: string | null;
}

/** The subscription ends with this many failed deliveries in a row. */
const MAX_FAILURES = 3;

/** Whether the lease of a subscription has not expired. At `expires_at` it has (WebSub, section 5.3.1). */
export function isActive(subscription: Pick<Subscription, 'expires_at'>, nowMs: number): boolean {
  return nowMs < subscription.expires_at;
}

/** What a confirmed subscribe intent changes of an active subscription. The lease starts when the challenge was sent (section 5.3.1). */
export function renewed(
  { topic_url, callback, lease_seconds, secret }: Intent,
  askedAtMs: number,
): Omit<Intent, 'mode' | 'number'> & Pick<Subscription, 'expires_at' | 'retry_at'> {
  const expires_at = askedAtMs + lease_seconds * 1000;
  return { topic_url, callback, lease_seconds, secret, expires_at, retry_at: 0 };
}

export function subscribed(intent: Intent, askedAtMs: number): Subscription {
  return {
    ...renewed(intent, askedAtMs),
    failures: 0,
    pending_snapshot: 0,
    pending_since: 0,
    claimed_snapshot: 0,
    acknowledged_snapshot: 0,
    acknowledged_at: null,
    last_error: null,
  };
}

/**
 * What a failed delivery changes; null if it was one too many, which ends the subscription. `waitsMs`
 * are the delays before the second and the third try.
 */
export function notAcknowledged(
  before: Pick<Subscription, 'failures'>,
  error: string,
  atMs: number,
  waitsMs: readonly [number, number],
): Pick<Subscription, 'claimed_snapshot' | 'failures' | 'retry_at' | 'last_error'> | null {
  const failures = before.failures + 1;
  const wait = waitsMs[failures - 1];
  if (failures >= MAX_FAILURES || wait === undefined) return null;
  return { claimed_snapshot: 0, failures, retry_at: atMs + wait, last_error: error };
}
