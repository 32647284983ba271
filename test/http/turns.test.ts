// Requests that cost CPU take turns: documents are answered in between, clients get turns one after the other,
// and what cannot wait is refused. The clock advances by 1 ms whenever it is read, so each turn runs one request.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Turn } from '../../src/model/http-seam.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { Turns } from '../../src/http/admission/turns.ts';
import { TestServer } from '../support/http.ts';
import { until } from '../support/patience.ts';
import { review } from '../support/reviews.ts';
import { BOTH } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const MANY = 60;
/** A turn of the event loop for each of: reading the request, reading its answer; and some to spare. */
const FEW = 6;

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_reviews', arguments: { query: 'a' } },
});
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const BATCH = `[${Array.from({ length: 5 }, () => CALL).join(',')}]`;
const post = (body: string) =>
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: ${BOTH}\r\n` +
  `MCP-Protocol-Version: 2025-03-26\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe.each([
  ['without a rate limit', {}],
  ['with a rate limit', { RATE_LIMIT_PER_MINUTE: '100000' }],
])('%s', (_what, environment) => {
  let server: TestServer;
  let events: string[];
  const sockets: Socket[] = [];
  beforeAll(async () => {
    let ms = 0;
    server = await TestServer.open(await snapshotOf([review()]), {
      environment: { TRUST_PROXY: 'loopback', ...environment },
      parts: { nowMs: () => (ms += 1) },
    });
  });
  beforeEach(() => {
    events = [];
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(() => accepted().then((count) => count === 0));
  });
  afterAll(() => server.close());

  async function open(name: string): Promise<Socket> {
    const socket = connect(server.port, '127.0.0.1');
    sockets.push(socket);
    let [length, received] = [Infinity, ''];
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      length = end + 4 + Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < length) return;
      received = received.slice(length);
      events.push(name);
    });
    await new Promise((resolve) => socket.once('connect', resolve));
    // The server accepts one connection in a turn of the event loop.
    await until(() => accepted().then((count) => count >= sockets.length));
    return socket;
  }
  const accepted = () =>
    new Promise<number>((resolve) => {
      server.http.app.server.getConnections((_error, count) => resolve(count));
    });
  const openMany = (count: number, name: string) =>
    Promise.all(Array.from({ length: count }, () => open(name)));

  test.each([
    ['searches', get('/api/reviews/search?query=a')],
    ['pages', get('/nowhere')],
    ['long URLs of a cached page', get(`/?${'a=1&'.repeat(1_000)}b=1`)],
    ['MCP calls', post(CALL)],
    ['MCP batches', post(BATCH)],
  ])('a document and a health check are answered while %s wait', async (_name, text) => {
    const [costly, document, health] = [
      await openMany(MANY, 'costly'),
      await open('document'),
      await open('health'),
    ];
    for (const socket of costly) socket.write(text);
    costly[0]?.once('data', () => {
      document.write(get('/feed.xml'));
      health.write(get('/healthz'));
    });
    await until(() => Promise.resolve(events.length === MANY + 2));
    const first = events.indexOf('costly');
    expect(events.indexOf('document') - first).toBeLessThan(FEW);
    expect(events.indexOf('health') - first).toBeLessThan(2 * FEW);
  });

  test('clients get turns one after the other, however many requests one has', async () => {
    const flood = await openMany(MANY, 'flood');
    const [one, other] = [await open('one'), await open('other')];
    const search = (client: string) =>
      get('/api/reviews/search?query=a', `X-Forwarded-For: ${client}\r\n`);
    for (const socket of flood) socket.write(search('192.0.2.1'));
    flood[0]?.once('data', () => {
      one.write(search('192.0.2.2'));
      other.write(search('192.0.2.3'));
    });
    await until(() => Promise.resolve(events.length === MANY + 2));
    const first = events.indexOf('flood');
    expect(events.indexOf('one') - first).toBeLessThan(2 * FEW);
    expect(events.indexOf('other') - first).toBeLessThan(2 * FEW);
  });
});

describe('turns', () => {
  let ms: number;
  let cpuMs: number;
  let turns: Turns;
  let refused: number[];
  beforeEach(() => {
    ms = 0;
    cpuMs = 0;
    refused = [];
    turns = new Turns({
      clientOf: (request) => (request as unknown as { client: string }).client,
      onRefused: (status) => refused.push(status),
      nowMs: () => ms,
      cpuMs: () => cpuMs,
    });
  });

  /** What happened to a request: the turn that it got, its status, or nothing yet. */
  class Asked {
    turn: Turn | null | undefined;
    statusCode = 0;
    retryAfter: string | undefined;
    destroyed = false;

    constructor(client: string) {
      turns.take(
        { client, method: 'GET' } as unknown as IncomingMessage,
        this as unknown as ServerResponse,
        (turn) => {
          this.turn = turn;
        },
      );
    }

    writeHead(status: number, headers: readonly string[]): void {
      this.statusCode = status;
      this.retryAfter = headers[headers.indexOf('Retry-After') + 1];
    }

    end(): void {}
  }
  const ask = (client: string) => new Asked(client);
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  test('begin at once while there is time', () => {
    const first = ask('a');
    first.turn?.end();
    expect(ask('a').turn).toBeTruthy();
    // Nobody else until it ends, or until the next turn.
    expect(ask('b').turn).toBeUndefined();
  });

  test('continue in the next turn of the event loop after one that is not ended', async () => {
    const [first, second] = [ask('a'), ask('b')];
    expect(second.turn).toBeUndefined();
    await nextTurn();
    expect(second.turn).toBeTruthy();
    // The end of an old turn is not the end of a newer one.
    const third = ask('c');
    first.turn?.end();
    expect(third.turn).toBeUndefined();
    second.turn?.end();
    expect(third.turn).toBeTruthy();
  });

  test('stop for this turn of the event loop when its time is spent', async () => {
    const first = ask('a');
    const [second, third] = [ask('b'), ask('c')];
    ms += 1;
    first.turn?.end();
    expect([second.turn, third.turn]).toEqual([undefined, undefined]);
    await nextTurn();
    expect([second.turn, third.turn]).toEqual([{ end: expect.any(Function) }, undefined]);
    second.turn?.end();
    expect(third.turn).toBeTruthy();
  });

  test('are not given to clients that disconnected', async () => {
    ask('a');
    const [gone, next] = [ask('b'), ask('c')];
    gone.destroyed = true;
    await nextTurn();
    expect([gone.turn, gone.statusCode]).toEqual([null, 0]);
    expect(next.turn).toBeTruthy();
  });

  test('are refused with 503 to requests that waited while too much CPU was spent on others', async () => {
    ask('a');
    const old = ask('b');
    cpuMs += HTTP_LIMITS.waitingCpuMs + 1;
    await nextTurn();
    expect([old.turn, old.statusCode, old.retryAfter]).toEqual([null, 503, '2']);
    expect(refused).toEqual([503]);
  });

  test('are not refused to requests that waited because other programs have the CPU', async () => {
    ask('a');
    const old = ask('b');
    ms += 1_000_000;
    await nextTurn();
    expect([old.turn, refused]).toEqual([{ end: expect.any(Function) }, []]);
  });

  test('are refused with 429 to the client that has most requests waiting', () => {
    ask('a');
    const flood = Array.from({ length: HTTP_LIMITS.waitingRequests }, () => ask('flood'));
    const more = ask('flood');
    expect([more.turn, more.statusCode, more.retryAfter]).toEqual([null, 429, '2']);
    const other = ask('other');
    expect([other.turn, other.statusCode]).toEqual([undefined, 0]);
    // Its newest request made room.
    expect(flood.map(({ statusCode }) => statusCode).indexOf(429)).toBe(flood.length - 1);
    expect(refused).toEqual([429, 429]);
  });
});
