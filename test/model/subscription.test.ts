// Every state of a subscription against every event, and what renewals, leases and races make of it.

import { describe, expect, test } from 'vitest';
import {
  acknowledged,
  claimed,
  confirmed,
  type Grant,
  type Intent,
  notAcknowledged,
  NOTHING,
  owed,
  requested,
  type Subscription,
  unconfirmed,
} from '../../src/model/subscription.ts';

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
const NEW: Grant = {
  topicUrl: TOPIC,
  callback: CALLBACK,
  leaseSeconds: 100,
  secret: 'new',
  expiresAt: 1_100_000,
  failures: 0,
  retryAt: 0,
  pendingSnapshot: 0,
  pendingSince: 0,
  claimedSnapshot: 0,
  acknowledgedSnapshot: 0,
  acknowledgedAt: null,
  lastError: null,
};
const ACTIVE: Grant = {
  ...NEW,
  leaseSeconds: 500,
  secret: 'old',
  expiresAt: 1_500_000,
  pendingSnapshot: 3,
  pendingSince: 800_000,
  acknowledgedSnapshot: 3,
  acknowledgedAt: 900_000,
};
/** The terms that a confirmed renewal gives a grant. */
const RENEWED = { leaseSeconds: 100, secret: 'new', expiresAt: 1_100_000 };
const OWED: Grant = { ...ACTIVE, pendingSnapshot: 4, pendingSince: 950_000 };
const IN_FLIGHT: Grant = { ...OWED, claimedSnapshot: 4 };
const FAILED_ONCE: Grant = { ...OWED, failures: 1, retryAt: 1_060_000, lastError: 'answered 500' };
const FAILED_TWICE: Grant = { ...FAILED_ONCE, failures: 2, retryAt: 2_800_000 };
const EXPIRED: Grant = { ...ACTIVE, expiresAt: NOW };

const withGrant = (grant: Grant): Subscription => ({ intents: [], grant });

const STATES = {
  none: NOTHING,
  'pending subscribe': { intents: [SUBSCRIBE], grant: null },
  'pending unsubscribe': { intents: [UNSUBSCRIBE], grant: null },
  active: withGrant(ACTIVE),
  'active, renewal pending': { intents: [SUBSCRIBE], grant: ACTIVE },
  'active, unsubscribe pending': { intents: [UNSUBSCRIBE], grant: ACTIVE },
  'active, owed': withGrant(OWED),
  'active, in flight': withGrant(IN_FLIGHT),
  'active, 1 failure': withGrant(FAILED_ONCE),
  'active, 2 failures': withGrant(FAILED_TWICE),
  expired: withGrant(EXPIRED),
} as const satisfies Record<string, Subscription>;
type State = keyof typeof STATES;

/** An event of a delivery needs a grant; without one nothing happens. */
const withDelivery = (change: (grant: Grant) => Grant | null) => (before: Subscription) =>
  before.grant ? { ...before, grant: change(before.grant) } : before;

const EVENTS = {
  'subscribe requested': (before: Subscription) => requested(before, LATER_SUBSCRIBE),
  'unsubscribe requested': (before: Subscription) => requested(before, LATER_UNSUBSCRIBE),
  'challenge answered': (before: Subscription) => confirmed(before, 7, NOW),
  'challenge not answered': (before: Subscription) => unconfirmed(before, 7),
  'moot challenge answered': (before: Subscription) => confirmed(before, 6, NOW),
  'moot challenge not answered': (before: Subscription) => unconfirmed(before, 6),
  'topic changes': withDelivery((grant) => owed(grant, 5, NOW)),
  'delivery starts': withDelivery((grant) => claimed(grant, 5)),
  'delivery acknowledged': withDelivery((grant) => acknowledged(grant, NOW)),
  'delivery not acknowledged': withDelivery((grant) =>
    notAcknowledged(grant, 'answered 503', NOW, WAITS),
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
    'challenge answered': { intents: [], grant: NEW },
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
    'topic changes': { grant: { ...ACTIVE, pendingSnapshot: 5, pendingSince: NOW } },
    'delivery starts': { grant: { ...ACTIVE, claimedSnapshot: 5 } },
    // No delivery is on its way here: these two cannot happen, and the store does not let them.
    'delivery acknowledged': {
      grant: { ...ACTIVE, acknowledgedSnapshot: 0, acknowledgedAt: NOW },
    },
    'delivery not acknowledged': {
      grant: { ...ACTIVE, failures: 1, retryAt: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, renewal pending': {
    'subscribe requested': { intents: [SUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [SUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [], grant: { ...ACTIVE, ...RENEWED } },
    'challenge not answered': { intents: [] },
    'topic changes': { grant: { ...ACTIVE, pendingSnapshot: 5, pendingSince: NOW } },
    'delivery starts': { grant: { ...ACTIVE, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      grant: { ...ACTIVE, acknowledgedSnapshot: 0, acknowledgedAt: NOW },
    },
    'delivery not acknowledged': {
      grant: { ...ACTIVE, failures: 1, retryAt: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, unsubscribe pending': {
    'subscribe requested': { intents: [UNSUBSCRIBE, LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [UNSUBSCRIBE, LATER_UNSUBSCRIBE] },
    'challenge answered': { intents: [], grant: null },
    'challenge not answered': { intents: [] },
    'topic changes': { grant: { ...ACTIVE, pendingSnapshot: 5, pendingSince: NOW } },
    'delivery starts': { grant: { ...ACTIVE, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      grant: { ...ACTIVE, acknowledgedSnapshot: 0, acknowledgedAt: NOW },
    },
    'delivery not acknowledged': {
      grant: { ...ACTIVE, failures: 1, retryAt: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, owed': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // The first change that waits is the one from which the window is counted.
    'topic changes': { grant: { ...OWED, pendingSnapshot: 5, pendingSince: 950_000 } },
    'delivery starts': { grant: { ...OWED, claimedSnapshot: 5 } },
    'delivery acknowledged': { grant: { ...OWED, acknowledgedSnapshot: 0, acknowledgedAt: NOW } },
    'delivery not acknowledged': {
      grant: { ...OWED, failures: 1, retryAt: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, in flight': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // What is on its way carries the change before: this one opens a window of its own.
    'topic changes': { grant: { ...IN_FLIGHT, pendingSnapshot: 5, pendingSince: NOW } },
    'delivery starts': { grant: { ...IN_FLIGHT, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      grant: {
        ...ACTIVE,
        pendingSnapshot: 4,
        pendingSince: 950_000,
        acknowledgedSnapshot: 4,
        acknowledgedAt: NOW,
      },
    },
    'delivery not acknowledged': {
      grant: { ...OWED, failures: 1, retryAt: 1_060_000, lastError: 'answered 503' },
    },
  },
  'active, 1 failure': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // A change while a retry waits does not shorten the wait.
    'topic changes': { grant: { ...FAILED_ONCE, pendingSnapshot: 5 } },
    'delivery starts': { grant: { ...FAILED_ONCE, claimedSnapshot: 5 } },
    'delivery acknowledged': { grant: { ...OWED, acknowledgedSnapshot: 0, acknowledgedAt: NOW } },
    'delivery not acknowledged': {
      grant: { ...OWED, failures: 2, retryAt: 2_800_000, lastError: 'answered 503' },
    },
  },
  'active, 2 failures': {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    'topic changes': { grant: { ...FAILED_TWICE, pendingSnapshot: 5 } },
    'delivery starts': { grant: { ...FAILED_TWICE, claimedSnapshot: 5 } },
    'delivery acknowledged': { grant: { ...OWED, acknowledgedSnapshot: 0, acknowledgedAt: NOW } },
    // C10: the third in a row ends it.
    'delivery not acknowledged': { grant: null },
  },
  expired: {
    'subscribe requested': { intents: [LATER_SUBSCRIBE] },
    'unsubscribe requested': { intents: [LATER_UNSUBSCRIBE] },
    // It is no grant any more: what happens to it is never looked at again.
    'topic changes': { grant: { ...EXPIRED, pendingSnapshot: 5, pendingSince: NOW } },
    'delivery starts': { grant: { ...EXPIRED, claimedSnapshot: 5 } },
    'delivery acknowledged': {
      grant: { ...EXPIRED, acknowledgedSnapshot: 0, acknowledgedAt: NOW },
    },
    'delivery not acknowledged': {
      grant: { ...EXPIRED, failures: 1, retryAt: 1_060_000, lastError: 'answered 503' },
    },
  },
};

describe.each(Object.keys(STATES) as State[])('a subscription that is: %s', (state) => {
  test.each(Object.keys(EVENTS) as Event[])('when: %s', (event) => {
    const before: Subscription = STATES[state];
    expect(EVENTS[event](before)).toEqual({ ...before, ...NEXT[state][event] });
  });
});
