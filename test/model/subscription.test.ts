// Every state of a subscription against every event, and what renewals, leases and races make of it.

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

/** What a first confirmed subscribe makes. */
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
/** The terms that a confirmed renewal gives a lease. */
const RENEWED = { leaseSeconds: 100, secret: 'new', expiresAtMs: 1_100_000 };
const OWED: Lease = { ...ACTIVE, pendingSnapshot: 4, pendingSinceMs: 950_000 };
const IN_FLIGHT: Lease = { ...OWED, claimedSnapshot: 4 };
const FAILED_ONCE: Lease = {
  ...OWED,
  failures: 1,
  retryAtMs: 1_060_000,
  lastError: 'answered 500',
};
const FAILED_TWICE: Lease = { ...FAILED_ONCE, failures: 2, retryAtMs: 2_800_000 };
const EXPIRED: Lease = { ...ACTIVE, expiresAtMs: NOW };

const withGrant = (lease: Lease): Subscription => ({ intents: [], lease });

const STATES = {
  none: NO_SUBSCRIPTION,
  'pending subscribe': { intents: [SUBSCRIBE], lease: null },
  'pending unsubscribe': { intents: [UNSUBSCRIBE], lease: null },
  active: withGrant(ACTIVE),
  'active, renewal pending': { intents: [SUBSCRIBE], lease: ACTIVE },
  'active, unsubscribe pending': { intents: [UNSUBSCRIBE], lease: ACTIVE },
  'active, owed': withGrant(OWED),
  'active, in flight': withGrant(IN_FLIGHT),
  'active, 1 failure': withGrant(FAILED_ONCE),
  'active, 2 failures': withGrant(FAILED_TWICE),
  expired: withGrant(EXPIRED),
} as const satisfies Record<string, Subscription>;
type State = keyof typeof STATES;

/** An event of a delivery needs a lease; without one nothing happens. */
const withDelivery = (change: (lease: Lease) => Lease | null) => (before: Subscription) =>
  before.lease ? { ...before, lease: change(before.lease) } : before;

const EVENTS = {
  'subscribe requested': (before: Subscription) => requested(before, LATER_SUBSCRIBE),
  'unsubscribe requested': (before: Subscription) => requested(before, LATER_UNSUBSCRIBE),
  'challenge answered': (before: Subscription) => confirmed(before, 7, NOW),
  'challenge not answered': (before: Subscription) => unconfirmed(before, 7),
  'moot challenge answered': (before: Subscription) => confirmed(before, 6, NOW),
  'moot challenge not answered': (before: Subscription) => unconfirmed(before, 6),
  'topic changes': withDelivery((lease) => topicChanged(lease, 5, NOW)),
  'delivery starts': withDelivery((lease) => claimed(lease, 5)),
  'delivery acknowledged': withDelivery((lease) => acknowledged(lease, NOW)),
  'delivery not acknowledged': withDelivery((lease) =>
    notAcknowledged(lease, 'answered 503', NOW, WAITS),
  ),
} as const;
type Event = keyof typeof EVENTS;

/** What every state is after every event; what is left out stays the same. */
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
    // No delivery is on its way here: these two cannot happen, and the store does not let them.
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
  'active, owed': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // The first change that waits is the one from which the window is counted.
    'topic changes': { lease: { ...OWED, pendingSnapshot: 5, pendingSinceMs: 950_000 } },
    'delivery starts': { lease: { ...OWED, claimedSnapshot: 5 } },
    'delivery acknowledged': { lease: { ...OWED, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW } },
    'delivery not acknowledged': {
      lease: { ...OWED, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, in flight': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // What is on its way carries the change before: this one opens a window of its own.
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
      lease: { ...OWED, failures: 1, retryAtMs: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, 1 failure': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // A change while a retry waits does not shorten the wait.
    'topic changes': { lease: { ...FAILED_ONCE, pendingSnapshot: 5 } },
    'delivery starts': { lease: { ...FAILED_ONCE, claimedSnapshot: 5 } },
    'delivery acknowledged': { lease: { ...OWED, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW } },
    'delivery not acknowledged': {
      lease: { ...OWED, failures: 2, retryAtMs: 2_800_000, lastError: 'answered 503' },
    },
  },
  'active, 2 failures': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    'topic changes': { lease: { ...FAILED_TWICE, pendingSnapshot: 5 } },
    'delivery starts': { lease: { ...FAILED_TWICE, claimedSnapshot: 5 } },
    'delivery acknowledged': { lease: { ...OWED, acknowledgedSnapshot: 0, acknowledgedAtMs: NOW } },
    // C10: the third in a row ends it.
    'delivery not acknowledged': { lease: null },
  },
  expired: {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // It is no lease any more: what happens to it is never looked at again.
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

describe.each(Object.keys(STATES) as State[])('a subscription that is: %s', (state) => {
  test.each(Object.keys(EVENTS) as Event[])('when: %s', (event) => {
    const before: Subscription = STATES[state];
    expect(EVENTS[event](before)).toEqual({ ...before, ...NEXT[state][event] });
  });
});
