// The hub's route: what subscribers are answered, and that a refusal leaves nothing behind.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { HubEndpoint } from '../../src/hub/endpoint.ts';
import { parseConfig } from '../../src/config.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { type Answer, type RequestOptions, TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';
import { storedIntents } from '../support/subscriptions.ts';

const HUB = '/api/websub/hub';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const TEXT = 'text/plain; charset=utf-8';
const GIVEN = {
  'hub.mode': 'subscribe',
  'hub.topic': 'https://reviews.example/feed.xml',
  'hub.callback': 'https://reader.example/callback',
};
const ACCEPTED = [202, TEXT, 'Accepted: the callback will be asked to confirm.\n'];

let store: TestStore;
let database: Database;
let snapshot: Snapshot;
beforeAll(async () => {
  store = await TestStore.create();
  database = await store.open();
  snapshot = await snapshotOf([review()]);
});
afterAll(() => store.close());

const open: TestServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
  await database.write((transaction) => transaction.deleteFrom('intents').execute());
});

async function openServer(
  environment: Record<string, string> = {},
  {
    shown = snapshot,
    hub,
    log,
  }: { shown?: Snapshot | null; hub?: Database; log?: (line: string) => void } = {},
): Promise<TestServer> {
  const settings = parseConfig(environment).hub;
  const endpoint = new HubEndpoint(settings, new AddressPolicy([]), hub ?? database);
  const server = await TestServer.open(shown, {
    environment,
    hub: endpoint,
    ...(log ? { log } : {}),
  });
  open.push(server);
  return server;
}

function ask(
  server: TestServer,
  fields: Record<string, string> = {},
  options: RequestOptions = {},
): Promise<Answer> {
  const body = new URLSearchParams({ ...GIVEN, ...fields }).toString();
  return server.ask(HUB, { method: 'POST', headers: FORM, body, ...options });
}

const told = ({ status, headers, text }: Answer) => [status, headers['content-type'], text];

describe('R1: a request that is acceptable', () => {
  test.each(['subscribe', 'unsubscribe'])(
    'to %s is answered 202, and stored by then',
    async (mode) => {
      const server = await openServer();
      const answer = await ask(server, { 'hub.mode': mode, 'hub.secret': 'geheim' });
      expect(told(answer)).toEqual(ACCEPTED);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      });
      expect(await storedIntents(database)).toMatchObject([
        {
          mode,
          topic: '/feed.xml',
          host: 'reader.example',
          lease_seconds: 864_000,
          secret: 'geheim',
        },
      ]);
    },
  );

  test('K6, K7: needs no key, and Authorization is ignored', async () => {
    const server = await openServer();
    for (const value of ['Bearer wrong', 'Basic !', '']) {
      const headers = { ...FORM, Authorization: value };
      expect(told(await ask(server, {}, { headers }))).toEqual(ACCEPTED);
    }
  });

  test.each([
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset=UTF-8',
    'APPLICATION/X-WWW-FORM-URLENCODED;CHARSET=utf-8',
    'application/x-www-form-urlencoded ; charset="utf8"',
    'application/x-www-form-urlencoded; boundary=x',
  ])('S3: may be of the type %s', async (type) => {
    const server = await openServer();
    expect(told(await ask(server, {}, { headers: { 'Content-Type': type } }))).toEqual(ACCEPTED);
  });

  test('may have 8 KiB', async () => {
    const server = await openServer();
    const { length } = new URLSearchParams({ ...GIVEN, x: '' }).toString();
    expect(told(await ask(server, { x: 'a'.repeat(8_192 - length) }))).toEqual(ACCEPTED);
    expect((await ask(server, { x: 'a'.repeat(8_193 - length) })).status).toBe(413);
  });

  test('R6: is answered whether or not there is such a callback', async () => {
    const server = await openServer();
    for (const host of ['does-not-exist.example', '8.8.8.8', 'reader.example:8443']) {
      const callback = { 'hub.callback': `https://${host}/` };
      expect(told(await ask(server, callback))).toEqual(ACCEPTED);
    }
  });
});

describe('R3, R4: a refused request gets its reason in a line of text, and is not stored', () => {
  afterEach(async () => {
    expect(await storedIntents(database)).toEqual([]);
  });

  test('400 for what it says, all of it at once', async () => {
    const server = await openServer();
    const answer = await ask(server, {
      'hub.mode': 'publish',
      'hub.callback': 'http://reader.example/',
      'hub.secret': 'a'.repeat(200),
    });
    expect(told(answer)).toEqual([
      400,
      TEXT,
      'hub.mode: expected subscribe or unsubscribe, got "publish"; ' +
        'hub.callback: expected a URL that begins with https:// and a host, ' +
        'got "http://reader.example/"; ' +
        'hub.secret: expected fewer than 200 bytes, got 200\n',
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('400 in one line, whatever was sent', async () => {
    const server = await openServer();
    const answer = await ask(server, { 'hub.mode': 'a\r\nb\u2028c', 'hub.topic': '\n' });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/^[^\r\n]+\n$/);
  });

  test('400 for a body without anything', async () => {
    const server = await openServer();
    for (const options of [
      { body: '' },
      { body: '', headers: { ...FORM, 'Content-Length': '0' } },
    ]) {
      const answer = await ask(server, {}, options);
      expect([answer.status, answer.headers['content-type']]).toEqual([400, TEXT]);
      expect(answer.text).toMatch(/^hub\.mode: expected .+; hub\.topic: .+; hub\.callback: .+\n$/);
    }
  });

  test('400 for a callback on our own origin, and for one that is not public', async () => {
    const server = await openServer();
    for (const callback of [
      'https://reviews.example/x',
      'https://127.0.0.1/',
      'https://intranet/',
    ]) {
      expect((await ask(server, { 'hub.callback': callback })).status).toBe(400);
    }
  });

  test('413 for a body over 8 KiB, with or without Content-Length', async () => {
    const server = await openServer();
    const body = new URLSearchParams({ ...GIVEN, x: 'a'.repeat(9_000) }).toString();
    for (const headers of [FORM, { ...FORM, 'Transfer-Encoding': 'chunked' }]) {
      const answer = await server.ask(HUB, { method: 'POST', headers, body });
      expect([answer.status, answer.headers['content-type']]).toEqual([413, TEXT]);
      expect(answer.text).toMatch(/^[^\r\n{]+\n$/);
    }
  });

  test.each([
    'application/json',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/x-www-form-urlencoded; charset=ISO-8859-1',
    'application/x-www-form-urlencodedx',
    '',
  ])('415 for the type %j', async (type) => {
    const server = await openServer();
    const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
    expect(told(await ask(server, {}, { headers }))).toEqual([
      415,
      TEXT,
      'Expected a body of the type application/x-www-form-urlencoded in UTF-8, not compressed.\n',
    ]);
  });

  test('415 for a body that is compressed, or says so', async () => {
    const server = await openServer();
    const headers = { ...FORM, 'Content-Encoding': 'gzip' };
    expect((await ask(server, {}, { headers })).status).toBe(415);
  });

  test('415 for what is no type at all', async () => {
    const server = await openServer();
    const answer = await ask(server, {}, { headers: { 'Content-Type': 'nonsense' } });
    expect([answer.status, answer.headers['content-type']]).toEqual([415, TEXT]);
    expect(answer.text).toMatch(/^Unsupported Media Type[^\r\n]*\n$/);
  });

  test('405 with Allow for another method', async () => {
    const server = await openServer();
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const answer = await server.ask(HUB, { method });
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'POST, OPTIONS']);
      expect(answer.headers['content-type']).toBe(TEXT);
      expect(answer.text).toBe(method === 'HEAD' ? '' : 'This path takes POST.\n');
    }
  });

  test('503 with Retry-After before there is a snapshot', async () => {
    const server = await openServer({}, { shown: null });
    const answer = await ask(server);
    expect(told(answer)).toEqual([
      503,
      TEXT,
      'Nothing is published yet: the server is starting, or its first publish failed. Try again in a few seconds.\n',
    ]);
    expect(answer.headers['retry-after']).toBe('5');
  });

  test('500 without a word of ours when the store fails, and the log has why', async () => {
    const lines: string[] = [];
    const broken = await store.open();
    await broken.close();
    const server = await openServer({}, { hub: broken, log: (line) => lines.push(line) });
    const answer = await ask(server, { 'hub.secret': 'geheim' });
    expect([answer.status, answer.headers['content-type']]).toEqual([500, TEXT]);
    expect(answer.text).toMatch(/^The server failed\. The request id is [\w-]+\.\n$/);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('geheim');
  });
});

test('a preflight is answered', async () => {
  const server = await openServer();
  const { status, headers, body } = await server.ask(HUB, {
    method: 'OPTIONS',
    headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
  });
  expect([status, body.length]).toEqual([204, 0]);
  expect(headers).toMatchObject({
    allow: 'POST, OPTIONS',
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-origin': '*',
  });
});

describe('a form that a browser sends', () => {
  test.each<[Record<string, string>, number]>([
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }, 400],
    [{ 'Sec-Fetch-Site': 'same-site', Origin: 'https://www.reviews.example' }, 400],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://reviews.example' }, 400],
    [{ Origin: 'https://evil.example' }, 400],
    [{ Origin: 'null' }, 400],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://reviews.example' }, 202],
    [{ 'Sec-Fetch-Site': 'none' }, 202],
    [{ Origin: 'https://reviews.example' }, 202],
    [{}, 202],
  ])('with %j is answered %i', async (headers, status) => {
    const server = await openServer();
    const answer = await ask(server, {}, { headers: { ...FORM, ...headers } });
    expect(answer.status).toBe(status);
    expect(await storedIntents(database)).toHaveLength(status === 202 ? 1 : 0);
    if (status === 400) {
      expect(told(answer)).toEqual([
        400,
        TEXT,
        'Expected a request of a server or of a page of this origin, got one of another site.\n',
      ]);
    }
  });
});
