// Subscription expiry to the millisecond, renewals, racing requests, and changes during deliveries.

import { describe, expect, test } from 'vitest';
import { type Intent, isActive, type Subscription } from '../../src/model/subscription.ts';
import {
  acknowledged,
  claimed,
  confirmed,
  isPending,
  NO_SUBSCRIPTION,
  notAcknowledged,
  requested,
  stateOf,
  subscribed,
  type HubEntry,
  topicChanged,
  unconfirmed,
} from '../support/subscription-model.ts';

const WAITS = [60_000, 1_800_000] as const;

const intent = (number: number, values: Partial<Intent> = {}): Intent => ({
  mode: 'subscribe',
  number,
  topic_url: 'https://reviews.example/feed.xml',
  callback: 'https://reader.example/callback',
  lease_seconds: 100,
  secret: 'first',
  ...values,
});
const unsubscribe = (number: number) => intent(number, { mode: 'unsubscribe' });

const requests = (...intents: Intent[]): HubEntry => intents.reduce(requested, NO_SUBSCRIPTION);
const active = (values: Partial<Intent> = {}, askedAtMs = 0): HubEntry =>
  confirmed(requests(intent(1, values)), 1, askedAtMs);
const subscriptionIn = ({ subscription }: HubEntry): Subscription => {
  if (!subscription) throw new Error('there is no lease');
  return subscription;
};

describe('a lease', () => {
  test('I4: starts at the time of the challenge', () => {
    expect(subscriptionIn(active({ lease_seconds: 60 }, 5_000)).expires_at).toBe(65_000);
  });

  test('L1: is active one millisecond before its expiry and expired at it', () => {
    const entry = active({ lease_seconds: 60 }, 5_000);
    expect(isActive(subscriptionIn(entry), 64_999)).toBe(true);
    expect(stateOf(entry, 64_999)).toBe('active');
    expect(isActive(subscriptionIn(entry), 65_000)).toBe(false);
    expect(stateOf(entry, 65_000)).toBe('expired');
  });

  test('that expired is pending when requested again, and active once confirmed', () => {
    const again = requested(active(), intent(2));
    expect(stateOf(again, 100_000)).toBe('pending');
    expect(stateOf(confirmed(again, 2, 100_000), 100_000)).toBe('active');
  });

  test('L4: renewed in its last millisecond keeps pending deliveries; a millisecond later it starts from scratch', () => {
    const before = topicChanged(subscriptionIn(active()), 4, 10_000);
    expect(subscribed(before, intent(2, { lease_seconds: 200 }), 99_999)).toEqual({
      ...before,
      lease_seconds: 200,
      expires_at: 299_999,
    });
    expect(subscribed(before, intent(2, { lease_seconds: 200 }), 100_000)).toEqual({
      ...before,
      lease_seconds: 200,
      expires_at: 300_000,
      pending_snapshot: 0,
      pending_since: 0,
    });
  });
});

describe('the state in one word', () => {
  test.each([
    ['none', NO_SUBSCRIPTION],
    ['pending', requests(intent(1))],
    // An unsubscribe of a subscription that was never confirmed.
    ['none', requests(unsubscribe(1))],
    ['active', active()],
    ['active', requested(active(), intent(2))],
    ['active', requested(active(), unsubscribe(2))],
  ] as const)('is %s', (state, entry) => {
    expect(stateOf(entry, 50_000)).toBe(state);
  });
});

describe('S10: a renewal', () => {
  test.each([
    ['a longer lease', { lease_seconds: 1_000 }, { lease_seconds: 1_000, expires_at: 1_050_000 }],
    ['a shorter lease', { lease_seconds: 10 }, { lease_seconds: 10, expires_at: 60_000 }],
    ['another secret', { secret: 'second' }, { secret: 'second', expires_at: 150_000 }],
    ['no secret', { secret: null }, { secret: null, expires_at: 150_000 }],
    [
      'other spellings',
      {
        topic_url: 'https://reviews.example/%66eed.xml',
        callback: 'HTTPS://reader.example/callback',
      },
      {
        topic_url: 'https://reviews.example/%66eed.xml',
        callback: 'HTTPS://reader.example/callback',
        expires_at: 150_000,
      },
    ],
  ])('with %s replaces the terms once verified, not before', (_what, asked, terms) => {
    const before = active();
    const renewing = requested(before, intent(2, asked));
    expect(renewing.subscription).toEqual(before.subscription);
    expect(confirmed(renewing, 2, 50_000)).toEqual({
      intents: [],
      subscription: { ...subscriptionIn(before), ...terms },
    });
  });

  test('keeps acknowledged, pending and in-flight deliveries and the failures', () => {
    const failed = notAcknowledged(
      claimed(topicChanged(subscriptionIn(active()), 4, 10_000), 4),
      'answered 500',
      20_000,
      WAITS,
    );
    const before = {
      intents: [intent(2)],
      subscription: claimed(topicChanged(failed as Subscription, 5, 30_000), 5),
    };
    expect(confirmed(before, 2, 90_000).subscription).toEqual({
      ...before.subscription,
      expires_at: 190_000,
      retry_at: 0,
    });
  });

  test('S11: that fails verification changes nothing', () => {
    const before = active();
    const renewing = requested(before, intent(2, { secret: null, lease_seconds: 1 }));
    expect(unconfirmed(renewing, 2)).toEqual(before);
  });
});

describe('I10: of two requests', () => {
  test('subscribe and then unsubscribe, the later one wins when verified last', () => {
    const both = requests(intent(1), unsubscribe(2));
    expect(confirmed(confirmed(both, 1, 0), 2, 0)).toEqual({ intents: [], subscription: null });
  });

  test('subscribe and then unsubscribe, the later one wins when verified first', () => {
    const both = requests(intent(1), unsubscribe(2));
    expect(confirmed(confirmed(both, 2, 0), 1, 0)).toEqual({ intents: [], subscription: null });
  });

  test('unsubscribe and then subscribe, the later one wins in either order', () => {
    const both = {
      intents: [unsubscribe(2), intent(3, { secret: 'later' })],
      subscription: active().subscription,
    };
    for (const [first, second] of [
      [2, 3],
      [3, 2],
    ] as const) {
      const { intents, subscription } = confirmed(confirmed(both, first, 0), second, 0);
      expect([intents, subscription?.secret]).toEqual([[], 'later']);
    }
  });

  test('the earlier one takes effect if the later one fails verification', () => {
    const both = requests(intent(1), unsubscribe(2));
    expect(confirmed(unconfirmed(both, 2), 1, 0).subscription).toEqual(active().subscription);
  });

  test('the later one still waits when the earlier one is verified', () => {
    const both = requests(intent(1), intent(2, { secret: 'later' }));
    const once = confirmed(both, 1, 0);
    expect(once.intents).toEqual([intent(2, { secret: 'later' })]);
    expect(confirmed(once, 2, 0).subscription?.secret).toBe('later');
  });

  test('the same one verified twice counts once', () => {
    const once = confirmed(requests(intent(1)), 1, 0);
    expect(confirmed(once, 1, 90_000)).toEqual(once);
  });
});

describe('a change', () => {
  const subscription = subscriptionIn(active());

  test('is pending until its snapshot is acknowledged', () => {
    const pending = topicChanged(subscription, 4, 10_000);
    expect([isPending(subscription), isPending(pending), isPending(claimed(pending, 4))]).toEqual([
      false,
      true,
      true,
    ]);
    expect(isPending(acknowledged(claimed(pending, 4), 20_000))).toBe(false);
  });

  test('C11: during a delivery stays pending after it, since its own time', () => {
    const during = topicChanged(claimed(topicChanged(subscription, 4, 10_000), 4), 5, 11_000);
    const after = acknowledged(during, 12_000);
    expect(after).toMatchObject({
      pending_snapshot: 5,
      pending_since: 11_000,
      acknowledged_snapshot: 4,
    });
    expect(isPending(after)).toBe(true);
  });

  test('during a delivery, a second one joins the window of the first', () => {
    const during = topicChanged(
      topicChanged(claimed(topicChanged(subscription, 4, 10_000), 4), 5, 11_000),
      6,
      12_000,
    );
    expect(during).toMatchObject({ pending_snapshot: 6, pending_since: 11_000 });
  });

  test('after a delivery of a newer snapshot opens a new window', () => {
    // The topic did not change between 4 and 6, so the delivery carried the content of 6.
    const sent = acknowledged(claimed(topicChanged(subscription, 4, 10_000), 6), 12_000);
    expect(isPending(sent)).toBe(false);
    expect(topicChanged(sent, 7, 13_000)).toMatchObject({
      pending_snapshot: 7,
      pending_since: 13_000,
    });
  });

  test('C11: before a retry is carried by the retry, which does not come sooner', () => {
    const failed = notAcknowledged(
      claimed(topicChanged(subscription, 4, 10_000), 4),
      'x',
      20_000,
      WAITS,
    ) as Subscription;
    expect(topicChanged(failed, 5, 30_000)).toEqual({ ...failed, pending_snapshot: 5 });
    expect(failed.retry_at).toBe(80_000);
    expect(isPending(acknowledged(claimed(topicChanged(failed, 5, 30_000), 5), 80_001))).toBe(
      false,
    );
  });
});

describe('C10: failed deliveries', () => {
  const pending = topicChanged(subscriptionIn(active({ lease_seconds: 100_000 })), 4, 10_000);
  const fail = (subscription: Subscription, at: number) =>
    notAcknowledged(claimed(subscription, 4), `failed at ${at}`, at, WAITS);

  test('are retried after the first and the second delay; the third failure ends the subscription', () => {
    const once = fail(pending, 20_000) as Subscription;
    expect(once).toMatchObject({ failures: 1, retry_at: 80_000, last_error: 'failed at 20000' });
    const twice = fail(once, 81_000) as Subscription;
    expect(twice).toMatchObject({
      failures: 2,
      retry_at: 1_881_000,
      last_error: 'failed at 81000',
    });
    expect(fail(twice, 1_900_000)).toBeNull();
  });

  test('are reset by an acknowledged one', () => {
    const twice = fail(fail(pending, 20_000) as Subscription, 81_000) as Subscription;
    const well = acknowledged(claimed(twice, 4), 1_900_000);
    expect(well).toMatchObject({ failures: 0, retry_at: 0, last_error: null });
    expect(fail(topicChanged(well, 5, 2_000_000), 2_000_000)).toMatchObject({ failures: 1 });
  });

  test('of an ended subscription do not count for the next one', () => {
    const twice = fail(fail(pending, 20_000) as Subscription, 81_000) as Subscription;
    expect(subscribed(twice, intent(2), twice.expires_at)).toMatchObject({
      failures: 0,
      retry_at: 0,
    });
    expect(subscribed(null, intent(2), 90_000)).toMatchObject({ failures: 0, last_error: null });
  });
});
