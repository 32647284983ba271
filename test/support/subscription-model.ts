// The transition table of src/model/subscription.ts as pure functions: the oracle for the SQL of the store.

import {
  type Intent,
  isActive,
  type Subscription,
  subscribed,
} from '../../src/model/subscription.ts';

/** What the hub knows of one topic and one callback. */
export interface HubEntry {
  /** Not confirmed yet, oldest first. */
  readonly intents: readonly Intent[];
  readonly subscription: Subscription | null;
}

export const NO_SUBSCRIPTION: HubEntry = { intents: [], subscription: null };

/** The state in one word; a subscription that is being renewed is active. */
export function stateOf(
  { intents, subscription }: HubEntry,
  nowMs: number,
): 'none' | 'pending' | 'active' | 'expired' {
  if (subscription && isActive(subscription, nowMs)) return 'active';
  if (intents.some(({ mode }) => mode === 'subscribe')) return 'pending';
  return subscription ? 'expired' : 'none';
}

/** Whether published content has not been acknowledged yet. */
export function isPending(subscription: Subscription): boolean {
  return subscription.pendingSnapshot > subscription.acknowledgedSnapshot;
}

/** Every request is verified (WebSub, section 5.1). */
export function requested(entry: HubEntry, intent: Intent): HubEntry {
  return { ...entry, intents: [...entry.intents, intent] };
}

/** The callback answered the challenge that was sent at `askedAtMs`. */
export function confirmed(entry: HubEntry, number: number, askedAtMs: number): HubEntry {
  const intent = entry.intents.find((each) => each.number === number);
  if (!intent) return entry;
  return {
    intents: entry.intents.filter((each) => each.number > number),
    subscription:
      intent.mode === 'unsubscribe' ? null : subscribed(entry.subscription, intent, askedAtMs),
  };
}

/** The callback did not answer the challenge. */
export function unconfirmed(entry: HubEntry, number: number): HubEntry {
  return {
    ...entry,
    intents: entry.intents.filter((each) => each.number !== number),
  };
}

/** The topic changed in `snapshot`. */
export function topicChanged(
  subscription: Subscription,
  snapshot: number,
  atMs: number,
): Subscription {
  const { pendingSnapshot, acknowledgedSnapshot, claimedSnapshot } = subscription;
  const isFirst = pendingSnapshot <= acknowledgedSnapshot || pendingSnapshot <= claimedSnapshot;
  return {
    ...subscription,
    pendingSnapshot: snapshot,
    pendingSinceMs: isFirst ? atMs : subscription.pendingSinceMs,
  };
}

/** A delivery of `snapshot` started. */
export function claimed(subscription: Subscription, snapshot: number): Subscription {
  return { ...subscription, claimedSnapshot: snapshot };
}

/** The delivery in flight was answered with 2xx. */
export function acknowledged(subscription: Subscription, atMs: number): Subscription {
  return {
    ...subscription,
    acknowledgedSnapshot: subscription.claimedSnapshot,
    claimedSnapshot: 0,
    failures: 0,
    retryAtMs: 0,
    acknowledgedAtMs: atMs,
    lastError: null,
  };
}
