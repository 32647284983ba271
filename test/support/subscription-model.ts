// The transition table of src/model/subscription.ts as pure functions: the oracle for the SQL of the store.

import { type Intent, isActive, type Lease, leased } from '../../src/model/subscription.ts';

/** What the hub knows of one topic and one callback. */
export interface Subscription {
  /** Not confirmed yet, oldest first. */
  readonly intents: readonly Intent[];
  readonly lease: Lease | null;
}

export const NO_SUBSCRIPTION: Subscription = { intents: [], lease: null };

/** The state in one word; a subscription that is being renewed is active. */
export function stateOf(
  { intents, lease }: Subscription,
  nowMs: number,
): 'none' | 'pending' | 'active' | 'expired' {
  if (lease && isActive(lease, nowMs)) return 'active';
  if (intents.some(({ mode }) => mode === 'subscribe')) return 'pending';
  return lease ? 'expired' : 'none';
}

/** Whether published content has not been acknowledged yet. */
export function isPending(lease: Lease): boolean {
  return lease.pendingSnapshot > lease.acknowledgedSnapshot;
}

/** Every request is verified (WebSub, section 5.1). */
export function requested(subscription: Subscription, intent: Intent): Subscription {
  return { ...subscription, intents: [...subscription.intents, intent] };
}

/** The callback answered the challenge that was sent at `askedAtMs`. */
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

/** The callback did not answer the challenge. */
export function unconfirmed(subscription: Subscription, number: number): Subscription {
  return {
    ...subscription,
    intents: subscription.intents.filter((each) => each.number !== number),
  };
}

/** The topic changed in `snapshot`. */
export function topicChanged(lease: Lease, snapshot: number, atMs: number): Lease {
  const { pendingSnapshot, acknowledgedSnapshot, claimedSnapshot } = lease;
  const isFirst = pendingSnapshot <= acknowledgedSnapshot || pendingSnapshot <= claimedSnapshot;
  return {
    ...lease,
    pendingSnapshot: snapshot,
    pendingSinceMs: isFirst ? atMs : lease.pendingSinceMs,
  };
}

/** A delivery of `snapshot` started. */
export function claimed(lease: Lease, snapshot: number): Lease {
  return { ...lease, claimedSnapshot: snapshot };
}

/** The delivery in flight was answered with 2xx. */
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
