// R8: what the hub takes from one client, for one host, and at all.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { UnavailableError } from '../../src/errors.ts';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { HubEndpoint } from '../../src/hub/endpoint.ts';
import type { Database } from '../../src/store/database.ts';
import { type Answer, TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';
import { storedIntents, subscribe } from '../support/subscriptions.ts';

const HUB = '/api/websub/hub';
const TEXT = 'text/plain; charset=utf-8';

let store: TestStore;
let database: Database;
let server: TestServer;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(async () => {
  await server.close();
  await store.close();
});

async function serve(environment: Record<string, string>): Promise<void> {
  const hub = new HubEndpoint(parseConfig(environment).hub, new AddressPolicy([]), database);
  server = await TestServer.open(await snapshotOf([review()]), { environment, hub });
}

function ask(
  callback = 'https://reader.example/callback',
  headers: Record<string, string> = {},
  mode = 'subscribe',
): Promise<Answer> {
  const body = new URLSearchParams({
    'hub.mode': mode,
    'hub.topic': 'https://reviews.example/feed.xml',
    'hub.callback': callback,
  }).toString();
  return server.ask(HUB, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });
}

describe('HUB_REQUESTS_PER_MINUTE', () => {
  test('answers 429 with Retry-After in a line of text to the request too many', async () => {
    await serve({ HUB_REQUESTS_PER_MINUTE: '2' });
    expect([(await ask()).status, (await ask()).status]).toEqual([202, 202]);
    const { status, headers, text } = await ask();
    expect([status, headers['content-type'], text]).toEqual([
      429,
      TEXT,
      'This client has sent too many requests. Wait as long as Retry-After says.\n',
    ]);
    expect(headers['retry-after']).toMatch(/^[1-9]\d?$/);
    expect(await storedIntents(database)).toHaveLength(2);
    // Readers are not subscribers.
    expect((await server.ask('/feed.xml')).status).toBe(200);
  });

  test('counts what is refused too, and each client alone', async () => {
    await serve({ HUB_REQUESTS_PER_MINUTE: '1', TRUST_PROXY: '1' });
    const from = async (address: string, callback?: string) =>
      (await ask(callback, { 'X-Forwarded-For': address })).status;
    expect(await from('203.0.113.1', 'http://plain.example/')).toBe(400);
    expect(await from('203.0.113.1')).toBe(429);
    expect(await from('203.0.113.2')).toBe(202);
  });

  test('is 60 by default, and of 0 is off', async () => {
    await serve({});
    expect((await ask()).headers['x-ratelimit-limit']).toBe('60');
    await server.close();
    await serve({ HUB_REQUESTS_PER_MINUTE: '0', RATE_LIMIT_PER_MINUTE: '1' });
    for (let count = 0; count < 3; count++) expect((await ask()).status).toBe(202);
  });
});

describe('HUB_MAX_SUBSCRIPTIONS_PER_HOST', () => {
  test('answers 429 with Retry-After to the subscription too many', async () => {
    await serve({ HUB_MAX_SUBSCRIPTIONS_PER_HOST: '2' });
    // The server's clock is the real one.
    await subscribe(database, [{ callback: 'https://reader.example/1' }], Date.now());
    expect((await ask('https://reader.example/2')).status).toBe(202);
    for (const host of ['reader.example', 'READER.example:8443', 'reader.example.']) {
      const { status, headers, text } = await ask(`https://${host}/3`);
      expect([host, status, headers['content-type'], text]).toEqual([
        host,
        429,
        TEXT,
        'The host of this callback has as many subscriptions as one host may have.\n',
      ]);
      expect(headers['retry-after']).toBe('3600');
    }
    // Renewing, ending and others are not concerned.
    expect((await ask('https://reader.example/1')).status).toBe(202);
    expect((await ask('https://reader.example/1', {}, 'unsubscribe')).status).toBe(202);
    expect((await ask('https://other.example/3')).status).toBe(202);
    expect(await storedIntents(database)).toHaveLength(4);
  });
});

test('HUB_MAX_SUBSCRIPTIONS answers 503 with Retry-After to the subscription too many', async () => {
  await serve({ HUB_MAX_SUBSCRIPTIONS: '2' });
  await subscribe(database, [{ callback: 'https://reader.example/1' }], Date.now());
  expect((await ask('https://a.example/')).status).toBe(202);
  const { status, headers, text } = await ask('https://b.example/');
  expect([status, headers['content-type'], headers['retry-after'], text]).toEqual([
    503,
    TEXT,
    '3600',
    'The hub has as many subscriptions as it may have. Try again in an hour.\n',
  ]);
  expect((await ask('https://reader.example/1')).status).toBe(202);
  expect((await ask('https://reader.example/1', {}, 'unsubscribe')).status).toBe(202);
});

test('503 with Retry-After is the answer when 10,000 requests wait', async () => {
  await serve({});
  await database.write(async (transaction) => {
    const waiting = Array.from({ length: 10_000 }, (_, place) => ({
      mode: 'subscribe' as const,
      topic: '/feed.xml',
      callback_key: `https://reader-${place}.example/`,
      host: `reader-${place}.example`,
      domain: `reader-${place}.example`,
      network: null,
      turn: 0,
      topic_url: 'https://reviews.example/feed.xml',
      callback: `https://reader-${place}.example/`,
      lease_seconds: 60,
      secret: null,
      verify_token: null,
      claimed_by: null,
      claimed_until: 0,
    }));
    for (let start = 0; start < waiting.length; start += 1_000) {
      await transaction
        .insertInto('intents')
        .values(waiting.slice(start, start + 1_000))
        .execute();
    }
  });
  const { status, headers, text } = await ask();
  expect([status, headers['content-type'], text]).toEqual([
    503,
    TEXT,
    'Too many requests wait to be verified. Try again in a minute.\n',
  ]);
  expect(headers['retry-after']).toBe('60');
  expect(await storedIntents(database)).toHaveLength(10_000);
});

test('503 with Retry-After is the answer while the store is away; another fault is a fault', async () => {
  await serve({});
  const { config } = server.http;
  await server.close();
  let fault: Error = new UnavailableError('the database cannot be reached');
  const away = { write: () => Promise.reject(fault) } as unknown as Database;
  const hub = new HubEndpoint(config.hub, new AddressPolicy([]), away);
  server = await TestServer.open(await snapshotOf([review()]), { hub });
  const { status, headers, text } = await ask();
  expect([status, headers['content-type'], headers['retry-after'], text]).toEqual([
    503,
    TEXT,
    '60',
    'The hub cannot store requests at the moment. Try again in a minute.\n',
  ]);
  fault = new Error('a bug');
  expect((await ask()).status).toBe(500);
});
