// The transition table of subscriptions: every state and every event.

import { describe, expect, test } from 'vitest';
import { type Intent, type Lease, notAcknowledged } from '../../src/model/subscription.ts';
import {
  acknowledged,
  claimed,
  confirmed,
  NO_SUBSCRIPTION,
  requested,
  type Subscription,
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

/** The lease after the first confirmed subscribe. */
const NEW: Lease = {
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
const ACTIVE: Lease = {
  ...NEW,
  leaseSeconds: 500,
  secret: 'old',
  expiresAtMs: 1_500_000,
  pendingSnapshot: 3,
  pendingSinceMs: 800_000,
  acknowledgedSnapshot: 3,
  acknowledgedAtMs: 900_000,
};
/** The terms of a lease after a confirmed renewal. */
const RENEWED = { leaseSeconds: 100, secret: 'new', expiresAtMs: 1_100_000 };
const PENDING: Lease = { ...ACTIVE, pendingSnapshot: 4, pendingSinceMs: 950_000 };
const IN_FLIGHT: Lease = { ...PENDING, claimedSnapshot: 4 };
const FAILED_ONCE: Lease = {
  ...PENDING,
  failures: 1,
  retryAtMs: 1_060_000,
  lastError: 'answered 500',
};
const FAILED_TWICE: Lease = { ...FAILED_ONCE, failures: 2, retryAtMs: 2_800_000 };
const EXPIRED: Lease = { ...ACTIVE, expiresAtMs: NOW };

const withLease = (lease: Lease): Subscription => ({ intents: [], lease });

const STATES = {
  none: NO_SUBSCRIPTION,
  'pending subscribe': { intents: [SUBSCRIBE], lease: null },
  'pending unsubscribe': { intents: [UNSUBSCRIBE], lease: null },
  active: withLease(ACTIVE),
  'active, renewal pending': { intents: [SUBSCRIBE], lease: ACTIVE },
  'active, unsubscribe pending': { intents: [UNSUBSCRIBE], lease: ACTIVE },
  'active, delivery pending': withLease(PENDING),
  'active, in flight': withLease(IN_FLIGHT),
  'active, 1 failure': withLease(FAILED_ONCE),
  'active, 2 failures': withLease(FAILED_TWICE),
  expired: withLease(EXPIRED),
} as const satisfies Record<string, Subscription>;
type State = keyof typeof STATES;

/** Delivery events change nothing without a lease. */
const withDelivery = (change: (lease: Lease) => Lease | null) => (before: Subscription) =>
  before.lease ? { ...before, lease: change(before.lease) } : before;

const EVENTS = {
  'subscribe requested': (before: Subscription) => requested(before, LATER_SUBSCRIBE),
  'unsubscribe requested': (before: Subscription) => requested(before, LATER_UNSUBSCRIBE),
  'challenge answered': (before: Subscription) => confirmed(before, 7, NOW),
  'challenge not answered': (before: Subscription) => unconfirmed(before, 7),
  'superseded challenge answered': (before: Subscription) => confirmed(before, 6, NOW),
  'superseded challenge not answered': (before: Subscription) => unconfirmed(before, 6),
  'topic changes': withDelivery((lease) => topicChanged(lease, 5, NOW)),
  'delivery starts': withDelivery((lease) => claimed(lease, 5)),
  'delivery acknowledged': withDelivery((lease) => acknowledged(lease, NOW)),
  'delivery not acknowledged': withDelivery((lease) =>
    notAcknowledged(lease, 'answered 503', NOW, WAITS),
  ),
} as const;
type Event = keyof typeof EVENTS;

/** The changes to every state by every event; omitted ones change nothing. */
const NEXT: Record<State, Partial<Record<Event, Partial<Subscription>>>> = {
  none: {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
  },
  'pending subscribe': {
    'subscribe requested': { intents: [SUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [SUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [], lease: NEW },
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
    'topic changes': { lease: { ...ACTIVE, pendingSnapshot: 5, pendingSinceMs: NOW } },
    'delivery starts': { lease: { ...ACTIVE, claimedSnapshot: 5 } },
    // No delivery is in flight, so these two cannot happen; the store prevents them.
    'delivery acknowledged': {
      lease: { ...ACTIVE, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      lease: { ...ACTIVE, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, renewal pending': {
    'subscribe requested': { intents: [SUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [SUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [], lease: { ...ACTIVE, ...RENEWED } },
    'challenge not answered': { intents: [] },
    'topic changes': { lease: { ...ACTIVE, pendingSnapshot: 5, pendingSinceMs: NOW } },
    'delivery starts': { lease: { ...ACTIVE, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      lease: { ...ACTIVE, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      lease: { ...ACTIVE, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, unsubscribe pending': {
    'subscribe requested': { intents: [UNSUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [UNSUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [], lease: null },
    'challenge not answered': { intents: [] },
    'topic changes': { lease: { ...ACTIVE, pendingSnapshot: 5, pendingSinceMs: NOW } },
    'delivery starts': { lease: { ...ACTIVE, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      lease: { ...ACTIVE, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      lease: { ...ACTIVE, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, delivery pending': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // The window starts with the first pending change.
    'topic changes': { lease: { ...PENDING, pendingSnapshot: 5, pendingSinceMs: 950_000 } },
    'delivery starts': { lease: { ...PENDING, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      lease: { ...PENDING, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      lease: { ...PENDING, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, in flight': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // The delivery in flight carries the previous change; this one opens its own window.
    'topic changes': { lease: { ...IN_FLIGHT, pendingSnapshot: 5, pendingSinceMs: NOW } },
    'delivery starts': { lease: { ...IN_FLIGHT, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      lease: {
        ...ACTIVE,
        pendingSnapshot: 4,
        pendingSinceMs: 950_000,
        acknowledgedSnapshot: 4,
        acknowledgedAtMs: NOW,
      },
    },
    'delivery not acknowledged': {
      lease: { ...PENDING, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, 1 failure': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // A change does not shorten a retry delay.
    'topic changes': { lease: { ...FAILED_ONCE, pendingSnapshot: 5 } },
    'delivery starts': { lease: { ...FAILED_ONCE, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      lease: { ...PENDING, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      lease: { ...PENDING, failures: 2, retryAtMs: 2_800_000, lastError: 'answered 503' },
    },
  },
  'active, 2 failures': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    'topic changes': { lease: { ...FAILED_TWICE, pendingSnapshot: 5 } },
    'delivery starts': { lease: { ...FAILED_TWICE, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      lease: { ...PENDING, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    // C10: the third failure in a row ends the subscription.
    'delivery not acknowledged': { lease: null },
  },
  expired: {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // Expired: later changes do not matter.
    'topic changes': { lease: { ...EXPIRED, pendingSnapshot: 5, pendingSinceMs: NOW } },
    'delivery starts': { lease: { ...EXPIRED, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      lease: { ...EXPIRED, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW },
    },
    'delivery not acknowledged': {
      lease: { ...EXPIRED, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
};

describe.each(Object.keys(STATES) as State[])('a subscription in the state: %s', (state) => {
  test.each(Object.keys(EVENTS) as Event[])('when: %s', (event) => {
    const before: Subscription = STATES[state];
    expect(EVENTS[event](before)).toEqual({ ...before, ...NEXT[state][event] });
  });
});
