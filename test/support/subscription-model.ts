// The transition table of src/model/subscription.ts as pure functions: the oracle for the SQL of the store.

import {
  type Intent,
  isActive,
  notAcknowledged as changesOfFailure,
  renewed,
  type Subscription,
  subscribed as newSubscription,
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
  return subscription.pending_snapshot > subscription.acknowledged_snapshot;
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

/** A renewal of `before` if that is active, else a new subscription. */
export function subscribed(
  before: Subscription | null,
  intent: Intent,
  askedAtMs: number,
): Subscription {
  if (!before || !isActive(before, askedAtMs)) return newSubscription(intent, askedAtMs);
  return { ...before, ...renewed(intent, askedAtMs) };
}

/** The delivery in flight failed; null if it was one too many. */
export function notAcknowledged(
  subscription: Subscription,
  ...failure: [error: string, atMs: number, waitsMs: readonly [number, number]]
): Subscription | null {
  const changes = changesOfFailure(subscription, ...failure);
  return changes && { ...subscription, ...changes };
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
  const { pending_snapshot, acknowledged_snapshot, claimed_snapshot } = subscription;
  const isFirst = pending_snapshot <= acknowledged_snapshot || pending_snapshot <= claimed_snapshot;
  return {
    ...subscription,
    pending_snapshot: snapshot,
    pending_since: isFirst ? atMs : subscription.pending_since,
  };
}

/** A delivery of `snapshot` started. */
export function claimed(subscription: Subscription, snapshot: number): Subscription {
  return { ...subscription, claimed_snapshot: snapshot };
}

/** The delivery in flight was answered with 2xx. */
export function acknowledged(subscription: Subscription, atMs: number): Subscription {
  return {
    ...subscription,
    acknowledged_snapshot: subscription.claimed_snapshot,
    claimed_snapshot: 0,
    failures: 0,
    retry_at: 0,
    acknowledged_at: atMs,
    last_error: null,
  };
}
