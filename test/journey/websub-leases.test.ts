// WebSub, sections 5.3.1 and 8.2: a lease lasts exactly until its end.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ATOM } from '../support/hub.ts';
import { LocalHub } from '../support/local-hub.ts';
import { until } from '../support/patience.ts';
import { confirm, status, type Subscriber } from '../support/subscriber.ts';

const LEASE_SECONDS = 7_200;

let hub: LocalHub;
let subscriber: Subscriber;
let callback: string;
beforeAll(async () => {
  hub = await LocalHub.open({
    HUB_LEASE_MAX_SECONDS: String(LEASE_SECONDS),
    // Longer than a lease.
    HUB_RETRY_DELAYS_SECONDS: '10000,10000',
  });
});
beforeEach(async () => {
  subscriber = await hub.subscriber();
  callback = subscriber.url();
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

const endOfLease = async () => (await hub.stored(callback))?.expires_at as number;

/** A change that a new subscriber receives. */
async function changeForAll(text: string): Promise<void> {
  const witness = await hub.subscriber();
  await hub.subscribe(witness.url('/witness'));
  await hub.change({ text });
  await witness.waitFor('POST', 1);
}

test('L1 L2 C12: no delivery after the longest lease, whatever was requested', async () => {
  await hub.subscribe(callback, { 'hub.lease_seconds': '2000000' });
  const announced = Number(subscriber.asked[0]?.parameters.get('hub.lease_seconds'));
  expect(announced).toBe(LEASE_SECONDS);
  await hub.change();
  await subscriber.waitFor('POST', 1);
  hub.moveClock(announced);
  await changeForAll('After the lease.');
  expect(subscriber.delivered).toHaveLength(1);
  // The row stays for a while: a clock that jumps may be wrong.
  expect(await endOfLease()).toBeLessThanOrEqual(Date.now());
});

test('L1: a lease ends even if a retry waits, and even if the server was not running', async () => {
  const other = await hub.subscriber();
  await hub.subscribe(callback);
  subscriber.onPost = status(500);
  await hub.change();
  await until(async () => (await hub.stored(callback))?.failures === 1);
  const { retry_at: retryAt, expires_at: end } = (await hub.stored(callback)) as {
    retry_at: number;
    expires_at: number;
  };
  expect(retryAt).toBeGreaterThan(end);
  await hub.subscribe(other.url());
  await hub.server.close();
  // Later than the lease and the wait for the retry.
  hub.moveClock(12_000);
  await hub.start();
  await changeForAll('After a restart.');
  expect([subscriber.delivered.length, other.delivered.length]).toEqual([1, 0]);
  expect(subscriber.asked).toHaveLength(1);
});

test('L4: a renewal leaves no gap, and its lease starts with its own challenge', async () => {
  await hub.subscribe(callback);
  const first = await endOfLease();
  let answer = () => {};
  subscriber.onGet = (received, response) => (answer = () => confirm(received, response));
  hub.moveClock(LEASE_SECONDS / 2);
  await hub.ask({ 'hub.mode': 'subscribe', 'hub.callback': callback, 'hub.topic': ATOM });
  await subscriber.waitFor('GET', 2);
  await hub.change({ text: 'While the renewal waits.' });
  await subscriber.waitFor('POST', 1);
  expect(await endOfLease()).toBe(first);
  answer();
  await hub.settled(callback);
  const renewed = await endOfLease();
  expect(renewed).toBeGreaterThanOrEqual(first + (LEASE_SECONDS / 2) * 1_000);
  expect(renewed).toBeLessThanOrEqual((subscriber.asked[1]?.at as number) + LEASE_SECONDS * 1_000);
  // The first lease has ended, the renewed one has not.
  hub.moveClock(LEASE_SECONDS / 2 + 60);
  await hub.change({ text: 'After the first lease.' });
  await subscriber.waitFor('POST', 2);
});
