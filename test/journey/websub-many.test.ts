// Many subscribers at once, and those among them that do not answer.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { callbackAt, HubProcess } from '../support/hub.ts';
import { until } from '../support/store.ts';
import { status } from '../support/subscriber.ts';

let hub: HubProcess;
beforeAll(async () => {
  hub = await HubProcess.open({
    HUB_MAX_SUBSCRIPTIONS_PER_HOST: '0',
    HUB_RETRY_DELAYS_SECONDS: '60,1800',
    HUB_TIMEOUT_SECONDS: '20',
  });
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

test('a thousand requests at once are a thousand subscriptions, which all get the next change', async () => {
  const subscriber = await hub.subscriber({ address: '0.0.0.0' });
  const targets = Array.from({ length: 1000 }, (_, place) => `/${place}`);
  await hub.subscribeAll(targets.map((target, place) => callbackAt(subscriber, place, target)));
  expect(subscriber.asked).toHaveLength(1000);
  await hub.change({ text: 'To all.' });
  const delivered = await subscriber.waitFor('POST', 1000, 60_000);
  expect(new Set(delivered.map(({ target }) => target))).toEqual(new Set(targets));
  expect(delivered.filter(({ body }) => !body.includes('To all.'))).toEqual([]);
  await until(async () => (await hub.counts()).owed === 0, 60_000);
  expect(subscriber.delivered).toHaveLength(1000);
  expect(await hub.counts()).toEqual({ active: 1000, owed: 0 });
}, 180_000);

/**
 * Hosts are as in reality: of 64, each with about eight callbacks, a quarter has one or two that
 * hang. Requests in flight are limited as the program does by itself: to 256, and 8 to a host.
 */
test('subscribers that hang or refuse do not slow down the others', async () => {
  const subscriber = await hub.subscriber({ address: '0.0.0.0' });
  const gone = await hub.subscriber({ address: '0.0.0.0' });
  const kinds = Array.from({ length: 500 }, (_, place) => {
    if (place % 100 === 50) return 'refuses';
    return place % 20 === 0 ? 'hangs' : 'healthy';
  });
  await hub.subscribeAll(
    kinds.map((kind, place) =>
      callbackAt(kind === 'refuses' ? gone : subscriber, place, `/${kind}/${place}`),
    ),
  );

  /** The 99th percentile of what the healthy ones wait for the next change, in ms. */
  const measure = async (text: string): Promise<number> => {
    await until(async () => (await hub.counts()).owed === 0);
    const start = subscriber.received.length;
    await hub.publish({ source_id: text, date: '2024-01-01', text });
    const published = Date.now();
    const healthy = () =>
      subscriber.received.slice(start).filter(({ target }) => target.startsWith('/healthy/'));
    await until(() => healthy().length === 470, 60_000);
    expect(healthy().every(({ body }) => body.includes(text))).toBe(true);
    const waits = healthy().map(({ at }) => at - published);
    return waits.toSorted((a, b) => a - b)[Math.ceil(0.99 * 470) - 1] as number;
  };

  await measure('Until everything has run once.');
  const withoutBad = await measure('While all are healthy.');
  const answers: NodeJS.Timeout[] = [];
  subscriber.onPost = (received, response) => {
    if (!received.target.startsWith('/hangs/')) return status(204)(received, response);
    answers.push(setTimeout(() => response.end(), 20_000));
  };
  await gone.close();
  const withBad = await measure('While some are not.');
  const isTried = (row: { failures: number; claimed_by: string | null }) =>
    row.failures === 1 || row.claimed_by !== null;
  await until(async () => (await hub.subscriptions()).filter(isTried).length === 30);
  for (const answer of answers) clearTimeout(answer);
  console.info(`99th percentile: ${withoutBad} ms without, ${withBad} ms with the bad ones`);
  // Up to 250 ms until the server sees a new snapshot, and up to 200 ms until its hub sees what is
  // owed, are chance in each run, and no matter of the subscribers.
  expect(withBad).toBeLessThanOrEqual(2 * withoutBad + 450);
}, 180_000);
