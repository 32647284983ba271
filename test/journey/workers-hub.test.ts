// The hub of a server with several workers: all accept requests, and one runs the dispatcher.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { callbackAt, HubProcess } from '../support/hub.ts';
import { until } from '../support/patience.ts';
import { type Subscriber, status } from '../support/subscriber.ts';
import { isAlive, TWO, workersOf } from '../support/workers.ts';

const CALLBACKS = 60;
const CONCURRENCY = 6;

let hub: HubProcess;
let subscriber: Subscriber;
/** Deliveries with a delayed response, the first until there is another: the current number, and the highest. */
const inFlight = { now: 0, most: 0 };

beforeAll(async () => {
  hub = await HubProcess.open(
    {
      HUB_CONCURRENCY: String(CONCURRENCY),
      HUB_CONCURRENCY_PER_HOST: '2',
      HUB_TIMEOUT_SECONDS: '60',
    },
    ...TWO,
  );
  subscriber = await hub.subscriber({ address: '0.0.0.0' });
  subscriber.onPost = (received, response) => {
    inFlight.now += 1;
    inFlight.most = Math.max(inFlight.most, inFlight.now);
    const several = until(() => inFlight.most > 1);
    void several.then(() =>
      setTimeout(() => {
        inFlight.now -= 1;
        status(204)(received, response);
      }, 50),
    );
  };
});
afterAll(() => hub.close());

test('both workers accept requests, and each request is verified once', async () => {
  const callbacks = Array.from({ length: CALLBACKS }, (_, index) =>
    callbackAt(subscriber, index, `/${index}`),
  );
  await hub.subscribeAll(callbacks);
  expect(subscriber.asked).toHaveLength(CALLBACKS);
});

test('a change is delivered once to each subscriber, within the concurrency of the program', async () => {
  for (const text of ['The first.', 'The second.']) {
    const before = subscriber.delivered.length;
    await hub.publish({ source_id: text, date: '2024-01-01', text });
    await until(async () => (await hub.counts()).pending === 0 && inFlight.now === 0);
    const delivered = subscriber.delivered.slice(before);
    expect(delivered.filter(({ body }) => !body.includes(text))).toEqual([]);
    expect(new Set(delivered.map(({ target }) => target)).size).toBe(CALLBACKS);
    expect(delivered).toHaveLength(CALLBACKS);
  }
  expect(inFlight.most).toBeLessThanOrEqual(CONCURRENCY);
});

test('a change while the lead is killed is delivered by its successor, repeating only deliveries in flight', async () => {
  const before = subscriber.delivered.length;
  const [lead] = workersOf(hub.server);
  await hub.publish({ source_id: 'third', date: '2024-01-01', text: 'The third.' });
  await until(() => subscriber.delivered.length > before + CONCURRENCY);
  const claimants = new Set((await hub.subscriptions()).map((row) => row.claimed_by ?? ''));
  process.kill(lead!, 'SIGKILL');
  await until(() => !isAlive(lead!));
  await hub.expireClaims([...claimants]);
  await until(async () => (await hub.counts()).pending === 0 && inFlight.now === 0);
  const delivered = subscriber.delivered.slice(before);
  expect(new Set(delivered.map(({ target }) => target)).size).toBe(CALLBACKS);
  expect(delivered.length).toBeLessThanOrEqual(CALLBACKS + CONCURRENCY);
});
