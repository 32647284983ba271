// The state of a WebSub subscription and its transitions.

/** A request that its callback has not confirmed yet. */
export interface Intent {
  readonly mode: 'subscribe' | 'unsubscribe';
  /** Ascending: a later request of the same subscriber supersedes earlier ones. */
  readonly number: number;
  /** The topic's URL as requested. */
  readonly topicUrl: string;
  /** The callback URL as requested. */
  readonly callback: string;
  /** The lease that the hub offers, which may differ from the requested one. */
  readonly leaseSeconds: number;
  readonly secret: string | null;
}

/**
 * A confirmed subscription of a callback to a topic, and the state of its deliveries. The table lists all
 * transitions and the functions that run them: `subscribed` and `notAcknowledged` are below, the others are
 * SQL in store/. test/support/subscription-model.ts has the whole table as pure functions, the oracle
 * with which test/store/subscriptions-model.test.ts compares the SQL.
 *
 * | state | event | next state | run by |
 * |---|---|---|---|
 * | any | subscribe or unsubscribe requested | one more intent | `saveIntent` |
 * | intent | challenge fails | the intent is deleted | `recordOutcomes` |
 * | subscribe intent, no active subscription | challenge answered | a new subscription without pending deliveries; earlier intents are superseded | `recordOutcomes`, `subscribed` |
 * | subscribe intent, active subscription | challenge answered | lease renewed: new expiry and secret; earlier intents are superseded | `recordOutcomes`, `subscribed` |
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
export interface Subscription {
  readonly topicUrl: string;
  readonly callback: string;
  readonly leaseSeconds: number;
  readonly secret: string | null;
  /** The first moment at which the lease is expired. Times are ms since 1970. */
  readonly expiresAtMs: number;
  /** Failed deliveries in a row. */
  readonly failures: number;
  /** Earliest time of the next delivery after a failure; 0 without failures. */
  readonly retryAtMs: number;
  /** The snapshot in which the topic last changed; 0 before its first change. */
  readonly pendingSnapshot: number;
  /** When the first change was published that no delivery has carried yet. */
  readonly pendingSinceMs: number;
  /** The snapshot of the delivery in flight; 0 if none is. */
  readonly claimedSnapshot: number;
  /** The snapshot of the last acknowledged delivery; 0 before the first. */
  readonly acknowledgedSnapshot: number;
  readonly acknowledgedAtMs: number | null;
  /** Why the last delivery failed; null if it was acknowledged. */
  readonly lastError: string | null;
}

/** The subscription ends with this many failed deliveries in a row. */
const MAX_FAILURES = 3;

/** Whether the lease of a subscription has not expired. At `expiresAtMs` it has (WebSub, section 5.3.1). */
export function isActive(subscription: Pick<Subscription, 'expiresAtMs'>, nowMs: number): boolean {
  return nowMs < subscription.expiresAtMs;
}

/**
 * The subscription after a subscribe intent was confirmed: a renewal of `before` if that is active, else a new
 * one. It starts at `askedAtMs`, when the challenge was sent (section 5.3.1).
 */
export function subscribed(
  before: Subscription | null,
  intent: Intent,
  askedAtMs: number,
): Subscription {
  const { topicUrl, callback, leaseSeconds, secret } = intent;
  const terms = { topicUrl, callback, leaseSeconds, secret };
  const expiresAtMs = askedAtMs + leaseSeconds * 1000;
  if (before && isActive(before, askedAtMs)) return { ...before, ...terms, expiresAtMs };
  return {
    ...terms,
    expiresAtMs,
    failures: 0,
    retryAtMs: 0,
    pendingSnapshot: 0,
    pendingSinceMs: 0,
    claimedSnapshot: 0,
    acknowledgedSnapshot: 0,
    acknowledgedAtMs: null,
    lastError: null,
  };
}

/**
 * The subscription after a failed delivery; null if it was one too many, which ends it. `waitsMs`
 * are the delays before the second and the third try.
 */
export function notAcknowledged(
  subscription: Subscription,
  error: string,
  atMs: number,
  waitsMs: readonly [number, number],
): Subscription | null {
  const failures = subscription.failures + 1;
  const wait = waitsMs[failures - 1];
  if (failures >= MAX_FAILURES || wait === undefined) return null;
  return {
    ...subscription,
    claimedSnapshot: 0,
    failures,
    retryAtMs: atMs + wait,
    lastError: error,
  };
}
