// The transition table of subscriptions: every state and every event.

import { describe, expect, test } from 'vitest';
import { type Intent, type Subscription, notAcknowledged } from '../../src/model/subscription.ts';
import {
  acknowledged,
  claimed,
  confirmed,
  NO_SUBSCRIPTION,
  requested,
  type HubEntry,
  topicChanged,
  unconfirmed,
} from '../support/subscription-model.ts';

const TOPIC = 'https://reviews.example/feed.xml';
const CALLBACK = 'https://reader.example/callback?id=1';
const NOW = 1_000_000;
const WAITS = [60_000, 1_800_000] as const;

const SUBSCRIBE: Intent = {
  mode: 'subscribe',
  number: 7,
  topicUrl: TOPIC,
  callback: CALLBACK,
  leaseSeconds: 100,
  secret: 'new',
};
const UNSUBSCRIBE: Intent = { ...SUBSCRIBE, mode: 'unsubscribe', secret: null };
const LATER_SUBSCRIBE: Intent = { ...SUBSCRIBE, number: 8 };
const LATER_UNSUBSCRIBE: Intent = { ...UNSUBSCRIBE, number: 8 };

/** The subscription after the first confirmed subscribe. */
const NEW: Subscription = {
  topicUrl: TOPIC,
  callback: CALLBACK,
  leaseSeconds: 100,
  secret: 'new',
  expiresAtMs: 1_100_000,
  failures: 0,
  retryAtMs: 0,
  pendingSnapshot: 0,
  pendingSinceMs: 0,
  claimedSnapshot: 0,
  acknowledgedSnapshot: 0,
  acknowledgedAtMs: null,
  lastError: null,
};
const ACTIVE: Subscription = {
  ...NEW,
  leaseSeconds: 500,
  secret: 'old',
  expiresAtMs: 1_500_000,
  pendingSnapshot: 3,
  pendingSinceMs: 800_000,
  acknowledgedSnapshot: 3,
  acknowledgedAtMs: 900_000,
};
/** The terms of a subscription after a confirmed renewal. */
const RENEWED = { leaseSeconds: 100, secret: 'new', expiresAtMs: 1_100_000 };
const PENDING: Subscription = { ...ACTIVE, pendingSnapshot: 4, pendingSinceMs: 950_000 };
const IN_FLIGHT: Subscription = { ...PENDING, claimedSnapshot: 4 };
const FAILED_ONCE: Subscription = {
  ...PENDING,
  failures: 1,
  retryAtMs: 1_060_000,
  lastError: 'answered 500',
};
const FAILED_TWICE: Subscription = { ...FAILED_ONCE, failures: 2, retryAtMs: 2_800_000 };
const EXPIRED: Subscription = { ...ACTIVE, expiresAtMs: NOW };

const withSubscription = (subscription: Subscription): HubEntry => ({ intents: [], subscription });

const STATES = {
  none: NO_SUBSCRIPTION,
  'pending subscribe': { intents: [SUBSCRIBE], subscription: null },
  'pending unsubscribe': { intents: [UNSUBSCRIBE], subscription: null },
  active: withSubscription(ACTIVE),
  'active, renewal pending': { intents: [SUBSCRIBE], subscription: ACTIVE },
  'active, unsubscribe pending': { intents: [UNSUBSCRIBE], subscription: ACTIVE },
  'active, delivery pending': withSubscription(PENDING),
  'active, in flight': withSubscription(IN_FLIGHT),
  'active, 1 failure': withSubscription(FAILED_ONCE),
  'active, 2 failures': withSubscription(FAILED_TWICE),
  expired: withSubscription(EXPIRED),
} as const satisfies Record<string, HubEntry>;
type State = keyof typeof STATES;

/** Delivery events change nothing without a subscription. */
const withDelivery =
  (change: (subscription: Subscription) => Subscription | null) => (before: HubEntry) =>
    before.subscription ? { ...before, subscription: change(before.subscription) } : before;

const EVENTS = {
  'subscribe requested': (before: HubEntry) => requested(before, LATER_SUBSCRIBE),
  'unsubscribe requested': (before: HubEntry) => requested(before, LATER_UNSUBSCRIBE),
  'challenge answered': (before: HubEntry) => confirmed(before, 7, NOW),
  'challenge not answered': (before: HubEntry) => unconfirmed(before, 7),
  'superseded challenge answered': (before: HubEntry) => confirmed(before, 6, NOW),
  'superseded challenge not answered': (before: HubEntry) => unconfirmed(before, 6),
  'topic changes': withDelivery((subscription) => topicChanged(subscription, 5, NOW)),
  'delivery starts': withDelivery((subscription) => claimed(subscription, 5)),
  'delivery acknowledged': withDelivery((subscription) => acknowledged(subscription, NOW)),
  'delivery not acknowledged': withDelivery((subscription) =>
    notAcknowledged(subscription, 'answered 503', NOW, WAITS),
  ),
} as const;
type Event = keyof typeof EVENTS;

/** The changes to every state by every event; omitted ones change nothing. */
const NEXT: Record<State, Partial<Record<Event, Partial<HubEntry>>>> = {
  none: {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
  },
  'pending subscribe': {
    'subscribe requested': { intents: [SUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [SUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [], subscription: NEW },
    'challenge not answered': { intents: [] },
  },
  'pending unsubscribe': {
    'subscribe requested': { intents: [UNSUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [UNSUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [] },
    'challenge not answered': { intents: [] },
  },
  active: {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    'topic changes': { subscription: { ...ACTIVE, pendingSnapshot: 5, pendingSinceMs: NOW } },
    'delivery starts': { subscription: { ...ACTIVE, claimedSnapshot: 5 } },
    // No delivery is in flight, so these two cannot happen; the store prevents them.
    'delivery acknowledged': {
      subscription: { ...ACTIVE, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...ACTIVE, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, renewal pending': {
    'subscribe requested': { intents: [SUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [SUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [], subscription: { ...ACTIVE, ...RENEWED } },
    'challenge not answered': { intents: [] },
    'topic changes': { subscription: { ...ACTIVE, pendingSnapshot: 5, pendingSinceMs: NOW } },
    'delivery starts': { subscription: { ...ACTIVE, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...ACTIVE, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...ACTIVE, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, unsubscribe pending': {
    'subscribe requested': { intents: [UNSUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [UNSUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [], subscription: null },
    'challenge not answered': { intents: [] },
    'topic changes': { subscription: { ...ACTIVE, pendingSnapshot: 5, pendingSinceMs: NOW } },
    'delivery starts': { subscription: { ...ACTIVE, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...ACTIVE, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...ACTIVE, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, delivery pending': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // The window starts with the first pending change.
    'topic changes': { subscription: { ...PENDING, pendingSnapshot: 5, pendingSinceMs: 950_000 } },
    'delivery starts': { subscription: { ...PENDING, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...PENDING, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...PENDING, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, in flight': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // The delivery in flight carries the previous change; this one opens its own window.
    'topic changes': { subscription: { ...IN_FLIGHT, pendingSnapshot: 5, pendingSinceMs: NOW } },
    'delivery starts': { subscription: { ...IN_FLIGHT, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      subscription: {
        ...ACTIVE,
        pendingSnapshot: 4,
        pendingSinceMs: 950_000,
        acknowledgedSnapshot: 4,
        acknowledgedAtMs: NOW,
      },
    },
    'delivery not acknowledged': {
      subscription: { ...PENDING, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, 1 failure': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // A change does not shorten a retry delay.
    'topic changes': { subscription: { ...FAILED_ONCE, pendingSnapshot: 5 } },
    'delivery starts': { subscription: { ...FAILED_ONCE, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...PENDING, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...PENDING, failures: 2, retryAtMs: 2_800_000, lastError: 'answered 503' },
    },
  },
  'active, 2 failures': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    'topic changes': { subscription: { ...FAILED_TWICE, pendingSnapshot: 5 } },
    'delivery starts': { subscription: { ...FAILED_TWICE, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...PENDING, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    // C10: the third failure in a row ends the subscription.
    'delivery not acknowledged': { subscription: null },
  },
  expired: {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // Expired: later changes do not matter.
    'topic changes': { subscription: { ...EXPIRED, pendingSnapshot: 5, pendingSinceMs: NOW } },
    'delivery starts': { subscription: { ...EXPIRED, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...EXPIRED, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...EXPIRED, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
};

describe.each(Object.keys(STATES) as State[])('a subscription in the state: %s', (state) => {
  test.each(Object.keys(EVENTS) as Event[])('when: %s', (event) => {
    const before: HubEntry = STATES[state];
    expect(EVENTS[event](before)).toEqual({ ...before, ...NEXT[state][event] });
  });
});
