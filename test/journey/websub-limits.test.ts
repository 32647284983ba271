// Rate and subscription limits of the hub, and the coalescing of changes.

import { afterEach, expect, test } from 'vitest';
import { ATOM, FEED } from '../support/hub.ts';
import { LocalHub } from '../support/local-hub.ts';
import { until } from '../support/patience.ts';

let hub: LocalHub;
afterEach(() => hub.close());

test('R8: requests per client and minute are limited, and subscriptions per host', async () => {
  hub = await LocalHub.open({
    HUB_MAX_SUBSCRIPTIONS_PER_HOST: '2',
    HUB_REQUESTS_PER_MINUTE: '8',
  });
  hub.stopClock();
  const subscriber = await hub.subscriber();
  const [first, second, third] = ['/1', '/2', '/3'].map((path) => subscriber.url(path)) as [
    string,
    string,
    string,
  ];
  const ask = (mode: string, callback: string, topic = ATOM) =>
    hub.ask({ 'hub.mode': mode, 'hub.callback': callback, 'hub.topic': topic });
  await hub.subscribe(first);
  await hub.subscribe(second);
  const full = await ask('subscribe', third);
  expect([full.status, full.headers.get('retry-after'), await full.text()]).toEqual([
    429,
    '3600',
    'The host of this callback has as many subscriptions as one host may have.\n',
  ]);
  expect((await ask('subscribe', first, FEED)).status).toBe(429);
  // Renewals and unsubscribing are always possible (V1).
  expect((await ask('subscribe', first)).status).toBe(202);
  await hub.request('unsubscribe', second);
  await hub.subscribe(third);
  const other = await hub.subscriber({ address: '127.0.0.2' });
  expect((await ask('subscribe', other.url())).status).toBe(202);
  const limited = await ask('subscribe', first);
  expect([limited.status, await limited.text()]).toEqual([
    429,
    'This client has sent too many requests. Wait as long as Retry-After says.\n',
  ]);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  // Reading has another limit.
  expect((await hub.server.get('/feed.xml')).status).toBe(200);
});

test('C11: changes within the coalescing window are one delivery', async () => {
  hub = await LocalHub.open({ HUB_COALESCE_SECONDS: '3600' });
  const subscriber = await hub.subscriber();
  await hub.subscribe(subscriber.url());
  for (const text of ['The first.', 'The second.', 'The third.']) {
    await hub.publish({ source_id: text, date: '2024-01-01', text });
  }
  await hub.served();
  hub.moveClock(3_000);
  // The dispatcher delivers all that is due in the turn in which it verifies a request.
  for (const target of ['/1', '/2']) await hub.subscribe(subscriber.url(target));
  expect(subscriber.delivered).toEqual([]);
  hub.moveClock(600);
  await until(async () => (await hub.counts()).pending === 0);
  expect(subscriber.delivered.map(({ body }) => body.includes('The third.'))).toEqual([true]);
});
