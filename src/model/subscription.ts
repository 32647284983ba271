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
 * transitions and the functions that run them: `leased` and `notAcknowledged` are below, the others are
 * SQL in store/. test/support/subscription-model.ts has the whole table as pure functions, the oracle
 * with which test/store/subscriptions-model.test.ts compares the SQL.
 *
 * | state | event | next state | run by |
 * |---|---|---|---|
 * | any | subscribe or unsubscribe requested | one more intent | `saveIntent` |
 * | intent | challenge fails | the intent is deleted | `recordOutcomes` |
 * | subscribe intent, no active lease | challenge answered | a new lease without pending deliveries; earlier intents are superseded | `recordOutcomes`, `leased` |
 * | subscribe intent, active lease | challenge answered | lease renewed: new expiry and secret; earlier intents are superseded | `recordOutcomes`, `leased` |
 * | unsubscribe intent | challenge answered | no lease; earlier intents are superseded | `recordOutcomes` |
 * | superseded intent | challenge answered | unchanged | `recordOutcomes` |
 * | active lease | topic changes | delivery of the new snapshot pending; a retry delay stays | `markPending` |
 * | active lease | delivery starts | its snapshot claimed | `claimDeliveries` |
 * | active lease | delivery acknowledged | that snapshot acknowledged, no failures | `recordOutcomes` |
 * | active lease | 1st or 2nd delivery in a row fails | retry after a delay, with the newest content then | `recordOutcomes`, `notAcknowledged` |
 * | active lease | 3rd delivery in a row fails | no lease; denial queued | `recordOutcomes`, `notAcknowledged` |
 * | active lease | delivery answered 410 | no lease | `recordOutcomes` |
 * | active lease | operator removes it | no lease; denial queued | `removeSubscription` |
 * | active lease | hub shuts down during a delivery | claim released | `releaseClaims` |
 * | active lease | lease expires | expired; deleted unless a renewal waits to be verified | `deleteExpired` |
 * | no lease | outcome of a delivery | unchanged | `recordOutcomes` |
 */
export interface Lease {
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

/** Whether the lease has not expired. At `expiresAtMs` it has (WebSub, section 5.3.1). */
export function isActive(lease: Pick<Lease, 'expiresAtMs'>, nowMs: number): boolean {
  return nowMs < lease.expiresAtMs;
}

/**
 * The lease after a subscribe intent was confirmed: a renewal of `before` if that is active, else a new
 * one. It starts at `askedAtMs`, when the challenge was sent (section 5.3.1).
 */
export function leased(before: Lease | null, intent: Intent, askedAtMs: number): Lease {
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
 * The lease after a failed delivery; null if it was one too many, which ends the subscription. `waitsMs`
 * are the delays before the second and the third try.
 */
export function notAcknowledged(
  lease: Lease,
  error: string,
  atMs: number,
  waitsMs: readonly [number, number],
): Lease | null {
  const failures = lease.failures + 1;
  const wait = waitsMs[failures - 1];
  if (failures >= MAX_FAILURES || wait === undefined) return null;
  return { ...lease, claimedSnapshot: 0, failures, retryAtMs: atMs + wait, lastError: error };
}
