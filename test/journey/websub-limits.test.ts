// Who uses the hub too much is told to come back later.

import { afterEach, expect, test } from 'vitest';
import { ATOM, FEED } from '../support/hub.ts';
import { LocalHub } from '../support/local-hub.ts';
import { until } from '../support/store.ts';

let hub: LocalHub;
afterEach(() => hub.close());

test('R8: a client has so many requests a minute, and a host so many subscriptions', async () => {
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
  // A renewal is none more, and to leave there is always room (V1).
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
  // Readers are not clients of the hub.
  expect((await hub.server.get('/feed.xml')).status).toBe(200);
});

test('C11: changes within the time that the hub waits for others are one delivery', async () => {
  hub = await LocalHub.open({ HUB_COALESCE_SECONDS: '3600' });
  const subscriber = await hub.subscriber();
  await hub.subscribe(subscriber.url());
  for (const text of ['The first.', 'The second.', 'The third.']) {
    await hub.publish({ source_id: text, date: '2024-01-01', text });
  }
  await hub.served();
  hub.moveClock(3_000);
  // The hub delivers what is due in the turn in which it takes a request.
  for (const target of ['/1', '/2']) await hub.subscribe(subscriber.url(target));
  expect(subscriber.delivered).toEqual([]);
  hub.moveClock(600);
  await until(async () => (await hub.counts()).pending === 0);
  expect(subscriber.delivered.map(({ body }) => body.includes('The third.'))).toEqual([true]);
});
