// A WebSub subscription: what the hub knows of one topic and one callback, and what every event
// makes of it. Pure. The store keeps it, for many rows with one statement where it can; a test holds
// its statements to what is said here.

/** What a subscriber has asked for and not yet confirmed. */
export interface Intent {
  readonly mode: 'subscribe' | 'unsubscribe';
  /** Grows with every request: of two, the later one is what the subscriber wants. */
  readonly number: number;
  /** The topic's URL as the request gave it. */
  readonly topicUrl: string;
  /** The callback as the request gave it. */
  readonly callback: string;
  /** What is leased, whatever was wished. */
  readonly leaseSeconds: number;
  readonly secret: string | null;
}

/** What a subscriber has confirmed, and how far its deliveries have come. Times are ms since 1970. */
export interface Lease {
  readonly topicUrl: string;
  readonly callback: string;
  readonly leaseSeconds: number;
  readonly secret: string | null;
  /** From then on it is over. */
  readonly expiresAtMs: number;
  /** Deliveries in a row that were not acknowledged. */
  readonly failures: number;
  /** No delivery before, because of a failure; 0 without one. */
  readonly retryAtMs: number;
  /** The snapshot in which the topic last changed, 0 before it did. */
  readonly pendingSnapshot: number;
  /** When the first change was published that no delivery has carried yet. */
  readonly pendingSinceMs: number;
  /** The snapshot whose content is on its way, 0 where none is. */
  readonly claimedSnapshot: number;
  /** The newest snapshot whose content was acknowledged, 0 before the first. */
  readonly acknowledgedSnapshot: number;
  readonly acknowledgedAtMs: number | null;
  /** Why the last delivery was not acknowledged; null where it was. */
  readonly lastError: string | null;
}

/** Deliveries in a row that may fail; with this one the subscription ends. */
export const FAILURES_TO_END = 3;

/**
 * | state | event | next |
 * |---|---|---|
 * | any | subscribe or unsubscribe requested | the same, with one more intent |
 * | an intent | its challenge is not answered | the same without that intent: nothing, or the lease unchanged |
 * | a subscribe intent | its challenge is answered | active: a new lease that owes nothing, or the lease with another lease and secret; older intents are moot |
 * | an unsubscribe intent | its challenge is answered | the lease is removed; older intents are moot |
 * | a moot intent | its challenge is answered | the same |
 * | active | the topic changes | active, the new snapshot owed; the wait for a retry stays as it is |
 * | active | a delivery starts | active, its snapshot claimed |
 * | active | a delivery is acknowledged | active, no failures, that snapshot acknowledged |
 * | active | a 1st or 2nd delivery in a row is not acknowledged | active, tried again after a wait with what is newest then |
 * | active | the 3rd in a row is not acknowledged | the lease is removed, and the subscriber told `denied` |
 * | active | a delivery is answered 410 | the lease is removed |
 * | active | the lease runs out | expired: no lease, as far as anybody can tell |
 * | no lease | any event of a delivery | the same |
 */
export interface Subscription {
  /** Not yet confirmed, oldest first. */
  readonly intents: readonly Intent[];
  readonly lease: Lease | null;
}

/** What is known of a topic and a callback that nobody has asked for. */
export const NO_SUBSCRIPTION: Subscription = { intents: [], lease: null };

export type SubscriptionState = 'none' | 'pending' | 'active' | 'expired';

/** The state in one word; a subscription that is being renewed is active. */
export function stateOf({ intents, lease }: Subscription, nowMs: number): SubscriptionState {
  if (lease && isActive(lease, nowMs)) return 'active';
  if (intents.some(({ mode }) => mode === 'subscribe')) return 'pending';
  return lease ? 'expired' : 'none';
}

/** Whether the lease still runs; at the very moment it ends it does not (WebSub, section 5.3.1). */
export function isActive(lease: Pick<Lease, 'expiresAtMs'>, nowMs: number): boolean {
  return nowMs < lease.expiresAtMs;
}

/** Whether there is content that was published and not acknowledged. */
export function isPending(lease: Lease): boolean {
  return lease.pendingSnapshot > lease.acknowledgedSnapshot;
}

/** Each request is verified, however many there are (section 5.1). */
export function requested(subscription: Subscription, intent: Intent): Subscription {
  return { ...subscription, intents: [...subscription.intents, intent] };
}

/**
 * The callback has answered the challenge that was sent at `askedAtMs`: the lease runs from then
 * (section 5.3.1).
 */
export function confirmed(
  subscription: Subscription,
  number: number,
  askedAtMs: number,
): Subscription {
  const intent = subscription.intents.find((each) => each.number === number);
  if (!intent) return subscription;
  return {
    intents: subscription.intents.filter((each) => each.number > number),
    lease: intent.mode === 'unsubscribe' ? null : leased(subscription.lease, intent, askedAtMs),
  };
}

/** The lease that a confirmed subscribe makes of the one before. */
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

/** The callback has not answered the challenge: everything else stays (section 5.3.1). */
export function unconfirmed(subscription: Subscription, number: number): Subscription {
  return {
    ...subscription,
    intents: subscription.intents.filter((each) => each.number !== number),
  };
}

/** The topic has changed with a snapshot. */
export function topicChanged(lease: Lease, snapshot: number, atMs: number): Lease {
  const { pendingSnapshot, acknowledgedSnapshot, claimedSnapshot } = lease;
  const isFirst = pendingSnapshot <= acknowledgedSnapshot || pendingSnapshot <= claimedSnapshot;
  return {
    ...lease,
    pendingSnapshot: snapshot,
    pendingSinceMs: isFirst ? atMs : lease.pendingSinceMs,
  };
}

/** A delivery with the content of a snapshot is on its way. */
export function claimed(lease: Lease, snapshot: number): Lease {
  return { ...lease, claimedSnapshot: snapshot };
}

/** The delivery that was on its way got a 2xx. */
export function acknowledged(lease: Lease, atMs: number): Lease {
  return {
    ...lease,
    acknowledgedSnapshot: lease.claimedSnapshot,
    claimedSnapshot: 0,
    failures: 0,
    retryAtMs: 0,
    acknowledgedAtMs: atMs,
    lastError: null,
  };
}

/** The delivery that was on its way got anything else, or nothing; null where that was once too
 * often. `waitsMs` are the waits before a second and a third try. */
export function notAcknowledged(
  lease: Lease,
  error: string,
  atMs: number,
  waitsMs: readonly [number, number],
): Lease | null {
  const failures = lease.failures + 1;
  const wait = waitsMs[failures - 1];
  if (failures >= FAILURES_TO_END || wait === undefined) return null;
  return { ...lease, claimedSnapshot: 0, failures, retryAtMs: atMs + wait, lastError: error };
}
