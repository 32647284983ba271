// A third-party subscriber (pubsubhubbub 1.0.2 from npm) with the running program.

import { type EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { removeSubscription } from '../../src/store/hub/subscriptions.ts';
import { rawGet } from '../support/fingerprint.ts';
import { LocalHub } from '../support/local-hub.ts';
import { PATIENCE_MS, until } from '../support/patience.ts';

/** The part of the package that this test uses; it has no types. */
interface PubSubHubbub extends EventEmitter {
  callbackUrl: string;
  leaseSeconds: number;
  subscribe(topic: string, hub: string, done: (error: Error | null) => void): void;
  unsubscribe(topic: string, hub: string, done: (error: Error | null) => void): void;
  listener(): (request: IncomingMessage, response: ServerResponse) => void;
}
const pubsubhubbub = createRequire(import.meta.url)('pubsubhubbub') as {
  createServer(): PubSubHubbub;
};

let hub: LocalHub;
let sockets: Server;
afterEach(async () => {
  sockets.closeAllConnections();
  sockets.close();
  await hub.close();
});

/** The next event of this name. */
async function next(subscriber: PubSubHubbub, name: string): Promise<Record<string, any>> {
  const [data] = await once(subscriber, name, { signal: AbortSignal.timeout(PATIENCE_MS) });
  return data as Record<string, any>;
}

/** The library computes the end of the lease from the time of the challenge, which is not before `start`. */
function expectLease(event: Record<string, any>, seconds: number, start: number): void {
  const wholeSeconds = (ms: number) => Math.round(ms / 1000);
  expect(event['lease']).toBeGreaterThanOrEqual(wholeSeconds(start) + seconds);
  expect(event['lease']).toBeLessThanOrEqual(wholeSeconds(Date.now()) + seconds);
}

/** Sends a request; rejects if the hub does not accept it. */
const send = (
  subscriber: PubSubHubbub,
  mode: 'subscribe' | 'unsubscribe',
  topic: string,
  url: string,
) =>
  new Promise<void>((resolve, reject) => {
    subscriber[mode](topic, url, (error) => (error ? reject(error) : resolve()));
  });

test('pubsubhubbub discovers, subscribes, verifies, receives, renews and unsubscribes', async () => {
  hub = await LocalHub.open({ BASE_URL: '' });
  const subscriber = pubsubhubbub.createServer();
  const { key, cert } = hub.certificate;
  sockets = createServer({ key, cert }, subscriber.listener());
  await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve));
  subscriber.callbackUrl = `https://127.0.0.1:${(sockets.address() as AddressInfo).port}/`;

  const head = await fetch(`${hub.server.url}/api/feed.json`, { method: 'HEAD' });
  const [topic, hubUrl] = [...(head.headers.get('link') ?? '').matchAll(/<([^>]+)>/g)].map(
    ([, url]) => url,
  ) as [string, string];
  const query = `topic=${encodeURIComponent(topic)}&hub=${encodeURIComponent(hubUrl)}`;
  const callback = `${subscriber.callbackUrl}?${query}`;
  const leaseEnd = async () => (await hub.stored(callback))?.expires_at ?? 0;

  const start = Date.now();
  const [verified] = await Promise.all([
    next(subscriber, 'subscribe'),
    send(subscriber, 'subscribe', topic, hubUrl),
  ]);
  expect(verified).toMatchObject({ topic, hub: hubUrl });
  expectLease(verified, 864_000, start);
  await until(async () => (await leaseEnd()) > 0);

  const [feed] = await Promise.all([
    next(subscriber, 'feed'),
    hub.change({ text: 'To a subscriber that others wrote.' }),
  ]);
  // The library reads only the first link, and takes the hub from the query of the callback.
  expect(feed).toMatchObject({ topic, hub: hubUrl });
  expect(feed['feed'].equals((await rawGet(topic)).body)).toBe(true);
  expect(feed['feed'].toString()).toContain('To a subscriber that others wrote.');
  await until(async () => (await hub.stored(callback))?.acknowledged_at !== null);

  subscriber.leaseSeconds = 2_000_000;
  const before = await leaseEnd();
  const [renewed] = await Promise.all([
    next(subscriber, 'subscribe'),
    send(subscriber, 'subscribe', topic, hubUrl),
  ]);
  expectLease(renewed, 2_000_000, start);
  await until(async () => (await leaseEnd()) > before);
  await Promise.all([next(subscriber, 'feed'), hub.change()]);

  const [left] = await Promise.all([
    next(subscriber, 'unsubscribe'),
    send(subscriber, 'unsubscribe', topic, hubUrl),
  ]);
  expect(left).toMatchObject({ topic });
  await until(async () => (await leaseEnd()) === 0);

  await send(subscriber, 'subscribe', topic, hubUrl);
  await until(async () => (await leaseEnd()) > 0);
  const { id } = (await hub.stored(callback)) as { id: string };
  const [denied] = await Promise.all([
    next(subscriber, 'denied'),
    removeSubscription(hub.database, id, 'because', Date.now()),
  ]);
  expect(denied).toEqual({ topic, hub: hubUrl });
});
