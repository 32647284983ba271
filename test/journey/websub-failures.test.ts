// WebSub, sections 5.2 and 7: deliveries that are not acknowledged, and how a subscription ends.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ATOM } from '../support/hub.ts';
import { LocalHub } from '../support/local-hub.ts';
import { until } from '../support/patience.ts';
import { type Received, status, type Subscriber } from '../support/subscriber.ts';

let hub: LocalHub;
let subscriber: Subscriber;
let callback: string;
beforeAll(async () => {
  hub = await LocalHub.open({ HUB_RETRY_DELAYS_SECONDS: '60,1800' });
});
beforeEach(async () => {
  subscriber = await hub.subscriber();
  callback = subscriber.url('/c?id=7');
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

const failures = async () => (await hub.stored(callback))?.failures;
const removed = () => until(async () => (await hub.stored(callback)) === undefined);
const denials = () =>
  subscriber.asked.filter(({ parameters }) => parameters.get('hub.mode') === 'denied');

/** Moves the clock past the wait for a retry, which is up to a tenth longer. Nothing is sent before its end. */
async function waitInVain(seconds: number): Promise<void> {
  const count = subscriber.delivered.length;
  hub.moveClock(seconds - 30);
  // The dispatcher does all that is due in the turn in which it verifies a request.
  const witness = await hub.subscriber();
  for (const target of ['/1', '/2']) await hub.subscribe(witness.url(target));
  expect(subscriber.delivered).toHaveLength(count);
  hub.moveClock(30 + seconds / 10);
}

/** Another subscriber, whose deliveries show that the hub had time to deliver. */
async function witnessOfChanges(count: number): Promise<void> {
  const witness = await hub.subscriber();
  await hub.subscribe(witness.url('/witness'));
  for (let time = 1; time <= count; time++) {
    await hub.change();
    await witness.waitFor('POST', time);
  }
}

test('C8 C9 C10 K3 V3 V4: three failures in a row end a subscription, and its subscriber is notified once', async () => {
  await hub.subscribe(callback, { 'hub.topic': ATOM });
  subscriber.onPost = status(500);
  subscriber.onGet = status(500);
  await hub.change();
  await until(async () => (await failures()) === 1);
  await waitInVain(60);
  await until(async () => (await failures()) === 2);
  await waitInVain(1_800);
  await removed();
  const [first, second, third] = (await subscriber.waitFor('POST', 3)) as [
    Received,
    Received,
    Received,
  ];
  expect([second.body.equals(first.body), third.body.equals(first.body)]).toEqual([true, true]);
  const reason =
    'three%20deliveries%20in%20a%20row%20failed%2C%20the%20last%20one%3A%20answered%20500';
  await until(() => denials().length === 1);
  expect(denials()[0]?.target).toBe(
    `/c?id=7&hub.mode=denied&hub.topic=https%3A%2F%2Freviews.example%2Ffeed.xml&hub.reason=${reason}`,
  );
  await until(() => hub.logged('denial').length > 0);
  await witnessOfChanges(1);
  expect([denials().length, subscriber.delivered.length]).toEqual([1, 3]);
});

test('C6 C12: 410 ends a subscription at once, without a notification', async () => {
  await hub.subscribe(callback);
  subscriber.onPost = status(410);
  await hub.change();
  await removed();
  expect(hub.logged('delivery').at(-1)).toMatchObject({ outcome: 'gone', try: 1 });
  await witnessOfChanges(1);
  expect([subscriber.delivered.length, denials().length]).toEqual([1, 0]);
});

test('C7: any other status is a failure, and no redirect is followed', async () => {
  const elsewhere = await hub.subscriber();
  const codes = [301, 302, 303, 307, 308, 304, 400, 401, 404, 409, 413, 500, 502];
  subscriber.onPost = ({ target }, response) =>
    response.writeHead(Number(target.slice(1)), { Location: elsewhere.url() }).end();
  await Promise.all(codes.map((code) => hub.subscribe(subscriber.url(`/${code}`))));
  await hub.change();
  for (const code of codes) {
    await until(async () => (await hub.stored(subscriber.url(`/${code}`)))?.failures === 1);
    const row = await hub.stored(subscriber.url(`/${code}`));
    expect([row?.failures, row?.last_error]).toEqual([1, `answered ${code}`]);
  }
  expect(elsewhere.received).toEqual([]);
});

describe('C7: a failure is also', () => {
  test('a connection that is reset, and one that is refused', async () => {
    await hub.subscribe(callback);
    subscriber.onPost = (_received, response) => void response.socket?.destroy();
    await hub.change();
    await until(async () => (await failures()) === 1);
    await subscriber.close();
    hub.moveClock(66);
    await until(async () => (await failures()) === 2);
    expect((await hub.stored(callback))?.last_error).toBe('ECONNREFUSED');
  });
});

test('C8: a retry waits as long as the Retry-After of a 503 says, but at most an hour', async () => {
  /** Bounds of the wait: it began after the delivery was received, and before now. */
  const waitAfter = async (seconds: string) => {
    subscriber.onPost = status(503, '', { 'Retry-After': seconds });
    await hub.subscribe(callback);
    await hub.change();
    await until(async () => (await failures()) === 1);
    const retryAt = (await hub.stored(callback))?.retry_at ?? 0;
    const wait = { least: retryAt - Date.now(), most: retryAt - subscriber.delivered.at(-1)!.at };
    await hub.request('unsubscribe', callback);
    return wait;
  };
  // Up to a tenth is added, so that retries do not all happen at once.
  expect((await waitAfter('600')).most).toBeGreaterThanOrEqual(600_000);
  const longest = await waitAfter('7200');
  expect(longest.most).toBeGreaterThanOrEqual(3_600_000);
  expect(longest.least).toBeLessThanOrEqual(3_960_000);
});

test('C11: a retry has the newest content, and a change does not shorten its wait', async () => {
  await hub.subscribe(callback);
  subscriber.onPost = (_received, response) =>
    response.writeHead(subscriber.delivered.length > 1 ? 200 : 500).end();
  await hub.change({ text: 'The first.' });
  await until(async () => (await failures()) === 1);
  await hub.change({ text: 'The second.' });
  await waitInVain(60);
  await subscriber.waitFor('POST', 2);
  const [first, second] = subscriber.delivered as [Received, Received];
  expect(first.body.includes('The second.')).toBe(false);
  expect(second.body.includes('The second.')).toBe(true);
  await until(async () => (await failures()) === 0);
  await hub.change({ text: 'The third.' });
  const [, , third, ...more] = await subscriber.waitFor('POST', 3);
  expect([third?.body.includes('The third.'), more]).toEqual([true, []]);
});
