// One request to a callback: what is sent, which part of the response matters, and the time limit.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callbackOf } from '../../src/hub/parse-callback.ts';
import type { Reply } from '../../src/hub/reply.ts';
import { CallbackCalls } from '../support/callback-calls.ts';
import { PATIENCE_MS, until } from '../support/patience.ts';
import { status } from '../support/subscriber.ts';

let calls: CallbackCalls;
beforeAll(async () => {
  calls = await CallbackCalls.open();
});
afterEach(() => calls.closeServers());
afterAll(() => calls.close());

const serve: CallbackCalls['serve'] = (answer) => calls.serve(answer);

/** A server that responds to each request with these bytes. */
const serveText = (text: string) => serve((socket) => void socket.write(text));

const CHALLENGE = 'abcdefghijklmnopqrstuvwxyz012345';
const verify = (url: string) =>
  calls.client.ask(callbackOf(url), [['hub.mode', 'subscribe']], 32, PATIENCE_MS, () => null);
const deliver: CallbackCalls['deliver'] = (...given) => calls.deliver(...given);

const textOf = (reply: Reply) => {
  if (reply.kind === 'answered') return reply.body.toString();
  return reply.kind === 'failed' ? reply.reason : reply.kind;
};
const answered = (code: number) => ({ kind: 'answered', status: code });

describe('what is sent', () => {
  test('S14: a GET keeps the query of the callback, and appends its parameters', async () => {
    const reader = await calls.subscriber();
    await calls.client.ask(
      callbackOf(reader.url('/c?z=1&a=%20b&hub.mode=q')),
      [
        ['hub.mode', 'subscribe'],
        ['hub.topic', 'https://r.example/feed.xml'],
      ],
      32,
      PATIENCE_MS,
      () => null,
    );
    const [{ method, target, headers, body } = {} as never] = reader.received;
    expect([method, target, body.length]).toEqual([
      'GET',
      '/c?z=1&a=%20b&hub.mode=q&hub.mode=subscribe&hub.topic=https%3A%2F%2Fr.example%2Ffeed.xml',
      0,
    ]);
    expect(headers).toEqual({
      host: `127.0.0.1:${reader.port}`,
      connection: 'keep-alive',
      'user-agent': 'public-reviews/1 (tests)',
    });
  });

  test('S15, C1: a POST goes to the callback with its query, and its body is the content alone', async () => {
    const reader = await calls.subscriber();
    expect(await deliver(reader.url('/c?z=1&a=%20b&hub.mode=q'))).toMatchObject(answered(204));
    const [{ method, target, headers, body } = {} as never] = reader.received;
    expect([method, target, body.toString()]).toEqual([
      'POST',
      '/c?z=1&a=%20b&hub.mode=q',
      '<feed/>',
    ]);
    expect(headers).toEqual({
      host: `127.0.0.1:${reader.port}`,
      connection: 'keep-alive',
      'user-agent': 'public-reviews/1 (tests)',
      'content-type': 'application/atom+xml; charset=utf-8',
      'content-length': '7',
      link: '<https://r.example/feed.xml>; rel="self", <https://r.example/hub>; rel="hub"',
    });
  });

  test.each([
    '/A/../b/./c//d',
    '/%7Ea%2f?q=%20+%41',
    '/a\'"<>`{}|^b?"<>\'',
    '/?',
    '/a?b?c&&=&',
    '/%zz?%',
  ])('I8: %s is sent byte for byte', async (target) => {
    const reader = await calls.subscriber();
    await deliver(reader.url(target));
    expect(reader.received[0]?.target).toBe(target);
  });

  test('an empty body is sent as such', async () => {
    const reader = await calls.subscriber();
    expect(await deliver(reader.url(), { body: Buffer.alloc(0) })).toMatchObject(answered(204));
    expect(reader.received[0]?.headers['content-length']).toBe('0');
  });
});

describe('the status', () => {
  test.each([200, 201, 202, 204, 205, 299, 300, 304, 400, 404, 410, 429, 500, 503, 599])(
    '%d is reported',
    async (code) => {
      const reader = await calls.subscriber();
      reader.onPost = status(code);
      reader.onGet = status(code);
      expect(await deliver(reader.url())).toMatchObject(answered(code));
      expect(await verify(reader.url())).toMatchObject(answered(code));
    },
  );

  test.each([301, 302, 303, 307, 308])(
    'I5, C7: %d is not followed, not even to the same server',
    async (code) => {
      const reader = await calls.subscriber();
      const headers = { Location: reader.url('/elsewhere') };
      reader.onPost = status(code, '', headers);
      reader.onGet = status(code, '', headers);
      expect(await deliver(reader.url())).toMatchObject(answered(code));
      expect(await verify(reader.url())).toMatchObject(answered(code));
      expect(reader.received.map(({ target }) => target)).toEqual([
        '/callback',
        '/callback?hub.mode=subscribe',
      ]);
    },
  );

  test('of 1xx is skipped; the next one counts', async () => {
    const { url } = await server1xx('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
    expect(textOf(await verify(url))).toBe(CHALLENGE);
    const reader = await server1xx(
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n',
    );
    expect(await deliver(reader.url)).toMatchObject(answered(200));
  });

  test('of 1xx without another one is a failure', async () => {
    const server = await serveText('HTTP/1.1 103 Early Hints\r\n\r\n');
    const reply = await deliver(server.url(), { timeoutMs: 300 });
    expect(reply).toEqual({ kind: 'failed', reason: 'no complete response within 0.3 s' });
  });

  test.each(['101 Switching Protocols', '100 Continue'])(
    'of %s, unrequested, fails only this request',
    async (line) => {
      const server = await serveText(
        `HTTP/1.1 ${line}\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n`,
      );
      expect(await deliver(server.url(), { timeoutMs: 300 })).toMatchObject({ kind: 'failed' });
    },
  );

  test.each([
    ['60', 60],
    ['0', 0],
    ['-1', null],
    ['1.5', null],
    ['9999999999', null],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ['', null],
  ])('comes with Retry-After: %s', async (value, retryAfterSeconds) => {
    const reader = await calls.subscriber();
    reader.onPost = status(503, '', { 'Retry-After': value });
    expect(await deliver(reader.url())).toMatchObject({ status: 503, retryAfterSeconds });
  });
});

/** A server that sends some bytes before its response, which is the challenge. */
async function server1xx(before: string): Promise<{ url: string }> {
  const answer = `HTTP/1.1 200 OK\r\nContent-Length: 32\r\n\r\n${CHALLENGE}`;
  return { url: (await serveText(before + answer)).url() };
}

describe('a response that is not HTTP', () => {
  test.each([
    ['nothing', ''],
    ['something else', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['half a status', 'HTTP/1.1 20'],
    ['half the headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(20_000)}`],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na'],
  ])('fails: %s, then end of stream', async (_what, text) => {
    const server = await serve((socket) => socket.end(text));
    for (const reply of [await deliver(server.url()), await verify(server.url())]) {
      expect(reply.kind).toBe('failed');
      expect(textOf(reply)).not.toContain('127.0.0.1');
    }
  });

  test('fails when the connection closes before the status', async () => {
    const server = await serve((socket) => socket.destroy());
    expect(await deliver(server.url())).toMatchObject({ kind: 'failed' });
    expect(await verify(server.url())).toMatchObject({ kind: 'failed' });
  });

  test('fails within the time limit if the server does not speak TLS', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    expect(await deliver(url, { timeoutMs: 300 })).toEqual({
      kind: 'failed',
      reason: 'no complete response within 0.3 s',
    });
    // The connection itself is closed by its own timeout at the latest.
    const [socket] = sockets;
    socket?.resume();
    await until(() => socket?.readyState !== 'open');
    socket?.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });
});
