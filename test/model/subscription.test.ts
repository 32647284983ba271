// The transition table of subscriptions: every state and every event.

import { describe, expect, test } from 'vitest';
import type { Intent, Subscription } from '../../src/model/subscription.ts';
import {
  acknowledged,
  claimed,
  confirmed,
  NO_SUBSCRIPTION,
  notAcknowledged,
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
  topic_url: TOPIC,
  callback: CALLBACK,
  lease_seconds: 100,
  secret: 'new',
};
const UNSUBSCRIBE: Intent = { ...SUBSCRIBE, mode: 'unsubscribe', secret: null };
const LATER_SUBSCRIBE: Intent = { ...SUBSCRIBE, number: 8 };
const LATER_UNSUBSCRIBE: Intent = { ...UNSUBSCRIBE, number: 8 };

/** The subscription after the first confirmed subscribe. */
const NEW: Subscription = {
  topic_url: TOPIC,
  callback: CALLBACK,
  lease_seconds: 100,
  secret: 'new',
  expires_at: 1_100_000,
  failures: 0,
  retry_at: 0,
  pending_snapshot: 0,
  pending_since: 0,
  claimed_snapshot: 0,
  acknowledged_snapshot: 0,
  acknowledged_at: null,
  last_error: null,
};
const ACTIVE: Subscription = {
  ...NEW,
  lease_seconds: 500,
  secret: 'old',
  expires_at: 1_500_000,
  pending_snapshot: 3,
  pending_since: 800_000,
  acknowledged_snapshot: 3,
  acknowledged_at: 900_000,
};
/** The terms of a subscription after a confirmed renewal. */
const RENEWED = { lease_seconds: 100, secret: 'new', expires_at: 1_100_000 };
const PENDING: Subscription = { ...ACTIVE, pending_snapshot: 4, pending_since: 950_000 };
const IN_FLIGHT: Subscription = { ...PENDING, claimed_snapshot: 4 };
const FAILED_ONCE: Subscription = {
  ...PENDING,
  failures: 1,
  retry_at: 1_060_000,
  last_error: 'answered 500',
};
const FAILED_TWICE: Subscription = { ...FAILED_ONCE, failures: 2, retry_at: 2_800_000 };
const EXPIRED: Subscription = { ...ACTIVE, expires_at: NOW };

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
    'topic changes': { subscription: { ...ACTIVE, pending_snapshot: 5, pending_since: NOW } },
    'delivery starts': { subscription: { ...ACTIVE, claimed_snapshot: 5 } },
    // No delivery is in flight, so these two cannot happen; the store prevents them.
    'delivery acknowledged': {
      subscription: { ...ACTIVE, acknowledged_snapshot: 0, acknowledged_at: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...ACTIVE, failures: 1, retry_at: 1_060_000, last_error: 'answered 503' },
    },
  },
  'active, renewal pending': {
    'subscribe requested': { intents: [SUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [SUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [], subscription: { ...ACTIVE, ...RENEWED } },
    'challenge not answered': { intents: [] },
    'topic changes': { subscription: { ...ACTIVE, pending_snapshot: 5, pending_since: NOW } },
    'delivery starts': { subscription: { ...ACTIVE, claimed_snapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...ACTIVE, acknowledged_snapshot: 0, acknowledged_at: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...ACTIVE, failures: 1, retry_at: 1_060_000, last_error: 'answered 503' },
    },
  },
  'active, unsubscribe pending': {
    'subscribe requested': { intents: [UNSUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [UNSUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [], subscription: null },
    'challenge not answered': { intents: [] },
    'topic changes': { subscription: { ...ACTIVE, pending_snapshot: 5, pending_since: NOW } },
    'delivery starts': { subscription: { ...ACTIVE, claimed_snapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...ACTIVE, acknowledged_snapshot: 0, acknowledged_at: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...ACTIVE, failures: 1, retry_at: 1_060_000, last_error: 'answered 503' },
    },
  },
  'active, delivery pending': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // The window starts with the first pending change.
    'topic changes': { subscription: { ...PENDING, pending_snapshot: 5, pending_since: 950_000 } },
    'delivery starts': { subscription: { ...PENDING, claimed_snapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...PENDING, acknowledged_snapshot: 0, acknowledged_at: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...PENDING, failures: 1, retry_at: 1_060_000, last_error: 'answered 503' },
    },
  },
  'active, in flight': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // The delivery in flight carries the previous change; this one opens its own window.
    'topic changes': { subscription: { ...IN_FLIGHT, pending_snapshot: 5, pending_since: NOW } },
    'delivery starts': { subscription: { ...IN_FLIGHT, claimed_snapshot: 5 } },
    'delivery acknowledged': {
      subscription: {
        ...ACTIVE,
        pending_snapshot: 4,
        pending_since: 950_000,
        acknowledged_snapshot: 4,
        acknowledged_at: NOW,
      },
    },
    'delivery not acknowledged': {
      subscription: { ...PENDING, failures: 1, retry_at: 1_060_000, last_error: 'answered 503' },
    },
  },
  'active, 1 failure': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // A change does not shorten a retry delay.
    'topic changes': { subscription: { ...FAILED_ONCE, pending_snapshot: 5 } },
    'delivery starts': { subscription: { ...FAILED_ONCE, claimed_snapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...PENDING, acknowledged_snapshot: 0, acknowledged_at: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...PENDING, failures: 2, retry_at: 2_800_000, last_error: 'answered 503' },
    },
  },
  'active, 2 failures': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    'topic changes': { subscription: { ...FAILED_TWICE, pending_snapshot: 5 } },
    'delivery starts': { subscription: { ...FAILED_TWICE, claimed_snapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...PENDING, acknowledged_snapshot: 0, acknowledged_at: NOW },
    },
    // C10: the third failure in a row ends the subscription.
    'delivery not acknowledged': { subscription: null },
  },
  expired: {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // Expired: later changes do not matter.
    'topic changes': { subscription: { ...EXPIRED, pending_snapshot: 5, pending_since: NOW } },
    'delivery starts': { subscription: { ...EXPIRED, claimed_snapshot: 5 } },
    'delivery acknowledged': {
      subscription: { ...EXPIRED, acknowledged_snapshot: 0, acknowledged_at: NOW },
    },
    'delivery not acknowledged': {
      subscription: { ...EXPIRED, failures: 1, retry_at: 1_060_000, last_error: 'answered 503' },
    },
  },
};

describe.each(Object.keys(STATES) as State[])('a subscription in the state: %s', (state) => {
  test.each(Object.keys(EVENTS) as Event[])('when: %s', (event) => {
    const before: HubEntry = STATES[state];
    expect(EVENTS[event](before)).toEqual({ ...before, ...NEXT[state][event] });
  });
});

test('a confirmed renewal ends the delay of a retry, and the failures count', () => {
  const before: HubEntry = { intents: [SUBSCRIBE], subscription: FAILED_TWICE };
  expect(confirmed(before, 7, NOW).subscription).toEqual({
    ...FAILED_TWICE,
    ...RENEWED,
    retry_at: 0,
  });
});
