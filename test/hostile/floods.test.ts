// Floods of requests that are allowed one by one: distinct URLs and headers, expensive searches and pages,
// calls, sessions and streams of MCP, and random bytes. Others get complete, right answers meanwhile.

import { Agent, request as sendRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bystanders, RawConnection, statusesOf } from '../support/hostile-client.ts';
import { TestServer } from '../support/http.ts';
import { until } from '../support/patience.ts';
import { randomFrom } from '../support/random.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { BOTH, ENVELOPE, INITIALIZE } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const CONNECTIONS = 32;
const SEED = 20_261_122;

const log: string[] = [];
let server: TestServer;
let bystanders: Bystanders;
beforeAll(async () => {
  const reviews = Array.from({ length: 200 }, (_, index) =>
    review({ id: ulidOf(index + 1), text: `Visit ${index}: the boiler works. `.repeat(10) }),
  );
  server = await TestServer.open(await snapshotOf(reviews), {
    hub: { accept: () => Promise.resolve() },
    log: (line) => log.push(line),
  });
  bystanders = await Bystanders.of(server);
});
afterAll(() => server.close());

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends requests over a few connections; returns how often each status came. */
async function flood(requests: readonly Sent[]): Promise<Record<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const counts: Record<number, number> = {};
  let next = 0;
  const send = ({ path, method = 'GET', headers = {}, body }: Sent) =>
    new Promise<void>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: server.port, agent, path, method, headers };
      const request = sendRequest(options, (response) => {
        const status = response.statusCode as number;
        counts[status] = (counts[status] ?? 0) + 1;
        response.resume().once('end', resolve).once('error', reject);
      });
      request.once('error', reject).end(body);
    });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let at = next++; at < requests.length; at = next++) await send(requests[at] as Sent);
    }),
  );
  agent.destroy();
  return counts;
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

const HTML = { Accept: 'text/html', 'Accept-Encoding': 'br' };
const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: BOTH };
const call = (name: string, args: object, headers: Record<string, string> = {}): Sent => ({
  path: '/mcp',
  method: 'POST',
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  }),
});

/** What is sent, and how often each status comes. */
const FLOODS: readonly (readonly [string, readonly Sent[], Record<number, number>])[] = [
  [
    'distinct searches',
    times(300, (index) => ({ path: `/api/reviews/search?query=visit+${index}&limit=100` })),
    { 200: 300 },
  ],
  [
    'searches for what every review has',
    times(200, (index) => ({ path: `/api/reviews/search?query=e&limit=100&x=${index}` })),
    { 200: 200 },
  ],
  [
    'searches for what no review has, of 10 KB',
    times(200, (index) => ({ path: `/api/reviews/search?query=${'zq'.repeat(5_000)}${index}` })),
    { 200: 200 },
  ],
  [
    'distinct days',
    times(200, (index) => ({
      path: `/api/reviews/since/${new Date(index * 86_400_000).toISOString().slice(0, 10)}`,
    })),
    { 200: 200 },
  ],
  ['distinct unknown paths', times(240, (index) => ({ path: `/${index}` })), { 404: 240 }],
  [
    'distinct unknown pages',
    times(160, (index) => ({ path: `/nowhere/${index}`, headers: HTML })),
    { 404: 160 },
  ],
  [
    'distinct unknown subjects',
    times(120, (index) => ({ path: `/technicians/${index}`, headers: HTML })),
    { 404: 120 },
  ],
  [
    'pages with distinct filters',
    times(150, (index) => ({ path: `/reviews?query=visit+${index}`, headers: HTML })),
    { 200: 150 },
  ],
  [
    'pages with invalid filters',
    times(150, (index) => ({ path: `/reviews?rating=${index + 9}`, headers: HTML })),
    { 400: 150 },
  ],
  [
    'one page under distinct parameters that it does not use',
    times(300, (index) => ({ path: `/?%75tm_${index}=${index}`, headers: HTML })),
    { 200: 300 },
  ],
  [
    'distinct encodings',
    times(300, (index) => ({
      path: '/api/feed.json',
      headers: { 'Accept-Encoding': `br;q=0.${index}, gzip;q=0.5` },
    })),
    { 200: 300 },
  ],
  [
    'distinct tags',
    times(160, (index) => ({
      path: '/api/feed.json',
      headers: { 'If-None-Match': `"${index}"` },
    })),
    { 200: 160 },
  ],
  [
    'distinct client addresses in headers',
    times(160, (index) => ({
      path: '/api/feed.json',
      headers: { 'X-Forwarded-For': `10.0.${index >> 8}.${index & 255}` },
    })),
    { 200: 160 },
  ],
  [
    'calls of the most expensive tool',
    times(120, () => call('search_reviews', { query: 'e', limit: 100 })),
    { 200: 120 },
  ],
  ['calls of unknown tools', times(200, (index) => call(`tool_${index}`, {})), { 200: 200 }],
  [
    'batches of ten expensive calls',
    times(30, () => ({
      ...call('search_reviews', {}),
      headers: { ...JSON_HEADERS, 'MCP-Protocol-Version': '2025-03-26' },
      body: JSON.stringify(
        times(10, (id) => ({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'search_reviews', arguments: { query: 'e', limit: 100 } },
        })),
      ),
    })),
    { 200: 30 },
  ],
  [
    'sessions that are never used',
    times(200, () => ({
      path: '/mcp',
      method: 'POST',
      headers: JSON_HEADERS,
      body: JSON.stringify(INITIALIZE),
    })),
    { 200: 200 },
  ],
  [
    'ends of sessions that nobody has',
    times(160, (index) => ({
      path: '/mcp',
      method: 'DELETE',
      headers: { 'Mcp-Session-Id': `${index}`.padStart(43, 'A') },
    })),
    { 404: 160 },
  ],
  [
    'health checks and metrics',
    times(240, (index) => ({ path: ['/healthz', '/readyz', '/metrics'][index % 3] as string })),
    { 200: 240 },
  ],
];

test.each(FLOODS)('%s', async (_what, requests, counts) => {
  expect(await bystanders.during(() => flood(requests))).toEqual(counts);
  expect(log).toEqual([]);
});

describe('streams', () => {
  const listen = (uris: readonly string[]) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: uris }, _meta: ENVELOPE },
    });
    return (
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
      `Accept: ${BOTH}\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    );
  };

  test('beyond those of a client are refused, and are free again when some end', async () => {
    const open = async () => {
      const connection = await RawConnection.open(server.port);
      connection.write(listen(['reviews://business']));
      await connection.answers(1);
      return connection;
    };
    const streams = await bystanders.during(() => Promise.all(times(50, open)));
    const counts = Map.groupBy(streams, ({ statuses }) => statuses[0]);
    expect([counts.get(200)?.length, counts.get(429)?.length]).toEqual([32, 18]);
    for (const stream of streams) stream.end();
    await until(async () => {
      const stream = await open();
      stream.end();
      return stream.statuses[0] === 200;
    });
  });

  test('of 51 resources are refused', async () => {
    const connection = await RawConnection.open(server.port);
    connection.write(listen(times(51, (index) => `reviews://${index}`)));
    await until(() => connection.received.includes('expected at most 50 resources'));
    connection.end();
  });
});

describe('random bytes', () => {
  const VALID =
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n' +
    '{"jsonrpc":"2.0","id":1,"method":"ping"}';

  /** Sends each on a connection of its own; returns all statuses. */
  async function sendEach(texts: readonly Uint8Array[]): Promise<number[]> {
    const statuses: number[] = [];
    await bystanders.during(async () => {
      for (let start = 0; start < texts.length; start += CONNECTIONS) {
        const some = texts.slice(start, start + CONNECTIONS);
        const received = await Promise.all(
          some.map(async (bytes) => {
            const connection = await RawConnection.open(server.port);
            connection.write(bytes);
            connection.socket.end();
            return (await connection.closed()).received;
          }),
        );
        statuses.push(...received.flatMap(statusesOf));
      }
    });
    return statuses;
  }

  test('are no requests', async () => {
    const random = randomFrom(SEED);
    const texts = times(150, () =>
      Uint8Array.from({ length: 1 + Math.floor(random() * 2_000) }, () => random() * 256),
    );
    expect(new Set(await sendEach(texts))).toEqual(new Set([400]));
  });

  test('in a valid request never cause a fault', async () => {
    const random = randomFrom(SEED);
    const texts = times(300, (index) => {
      const path = ['/mcp', '/api/websub/hub', '/reviews?query=a', '/api/reviews/search'][
        index % 4
      ];
      const bytes = Buffer.from(VALID.replace('/mcp', path as string));
      for (let change = 0; change < 1 + (index % 5); change++) {
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      }
      return bytes;
    });
    const statuses = await sendEach(texts);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(log).toEqual([]);
  });
});
