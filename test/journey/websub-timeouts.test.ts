// WebSub: callbacks that do not respond within the time limit of a request.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LocalHub } from '../support/local-hub.ts';
import { until } from '../support/patience.ts';
import { confirm, hang } from '../support/subscriber.ts';

let hub: LocalHub;
beforeAll(async () => {
  hub = await LocalHub.open({ HUB_TIMEOUT_SECONDS: '1', HUB_RETRY_DELAYS_SECONDS: '3600,3600' });
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

test('I7: a challenge without a response in time is not confirmed', async () => {
  const subscriber = await hub.subscriber();
  subscriber.onGet = hang;
  await hub.request('subscribe', subscriber.url());
  expect(await hub.stored(subscriber.url())).toBeUndefined();
  expect(hub.logged('verification').at(-1)).toMatchObject({
    outcome: 'unconfirmed',
    reason: 'no complete response within 1 s',
  });
});

test('C7: a delivery without a response in time is a failure', async () => {
  const subscriber = await hub.subscriber();
  subscriber.onGet = confirm;
  subscriber.onPost = hang;
  // A loaded machine may need more than a second for the challenge.
  await until(async () => {
    await hub.request('subscribe', subscriber.url());
    return (await hub.stored(subscriber.url())) !== undefined;
  });
  await hub.change();
  await until(async () => (await hub.stored(subscriber.url()))?.failures === 1);
  expect((await hub.stored(subscriber.url()))?.last_error).toBe('no complete response within 1 s');
});
