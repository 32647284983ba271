// What operators rely on: health, readiness, metrics, the rate limit, and a new snapshot.

import { afterEach, describe, expect, test } from 'vitest';
import { TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { Press, snapshotOf } from '../support/snapshot.ts';

const open: TestServer[] = [];
async function openServer(...args: Parameters<typeof TestServer.open>): Promise<TestServer> {
  const server = await TestServer.open(...args);
  open.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const OK = { status: 'ok' };
const READ = [
  '/reviews.json',
  '/insights.json',
  '/api/feed.json',
  '/feed.xml',
  '/api/reviews/search',
  '/api/reviews/since/2024-01-01',
  `/api/reviews/${ulidOf(1)}`,
];

describe('before a snapshot is loaded', () => {
  test('every read is 503 with Retry-After, and readiness says that the server starts', async () => {
    const server = await openServer(null);
    for (const path of READ) {
      const answer = await server.ask(path, { headers: { 'If-None-Match': '*' } });
      expect([path, answer.status, answer.headers['retry-after']]).toEqual([path, 503, '5']);
      expect(JSON.parse(answer.text)).toEqual({
        type: 'about:blank',
        title: 'Service Unavailable',
        status: 503,
        detail:
          'Nothing is published yet: the server is starting, or its first publish failed. Try again in a few seconds.',
      });
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    const readiness = await server.ask('/readyz');
    expect([readiness.status, JSON.parse(readiness.text)]).toEqual([
      503,
      { status: 'starting', snapshot: null, store: OK, publishing: OK },
    ]);
    expect((await server.ask('/healthz')).status).toBe(200);
    expect((await server.ask('/nowhere')).status).toBe(404);
    expect((await server.ask('/reviews.json', { method: 'POST' })).status).toBe(405);
  });

  test('readiness says that the server starts, too, while others are awaited; reads are answered', async () => {
    const server = await openServer(await snapshotOf([review({ id: ulidOf(1) })]));
    server.http.isAwaitingOthers = true;
    const readiness = await server.ask('/readyz');
    expect([readiness.status, JSON.parse(readiness.text)]).toEqual([
      503,
      { status: 'starting', snapshot: null, store: OK, publishing: OK },
    ]);
    for (const path of READ) expect((await server.ask(path)).status).toBe(200);
    server.http.isAwaitingOthers = false;
    expect((await server.ask('/readyz')).status).toBe(200);
  });

  test('and once it is, all are answered', async () => {
    const server = await openServer(null);
    server.http.show(await snapshotOf([review({ id: ulidOf(1) })]));
    for (const path of [...READ, '/readyz']) expect((await server.ask(path)).status).toBe(200);
  });
});

describe('operating endpoints', () => {
  test('are not stored by caches', async () => {
    const server = await openServer(await snapshotOf([review()]));
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await server.ask(path, { method });
        expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-store']);
      }
    }
  });

  test('say that the process lives and what it serves', async () => {
    const server = await openServer(await snapshotOf([review()]));
    expect(await server.json('/healthz')).toEqual({ status: 'ok' });
    expect(await server.json('/readyz')).toEqual({
      status: 'ready',
      snapshot: 1,
      store: OK,
      publishing: OK,
    });
  });

  test('say that the store is away, and readers are answered all the same', async () => {
    const server = await openServer(await snapshotOf([review({ id: ulidOf(1) })]));
    server.http.store = { reachable: false, detail: 'disk I/O error' };
    const readiness = await server.ask('/readyz');
    expect([readiness.status, JSON.parse(readiness.text)]).toEqual([
      200,
      {
        status: 'ready',
        snapshot: 1,
        store: { status: 'unreachable', detail: 'disk I/O error' },
        publishing: OK,
      },
    ]);
    for (const path of READ) expect((await server.ask(path)).status).toBe(200);
  });

  test.each(['failing', 'waiting'] as const)(
    'say that publishing is %s, beside the store, and readers are answered all the same',
    async (status) => {
      const server = await openServer(await snapshotOf([review({ id: ulidOf(1) })]));
      server.http.publishing = { status, detail: 'no sum' };
      const readiness = await server.ask('/readyz');
      expect([readiness.status, JSON.parse(readiness.text)]).toEqual([
        200,
        { status: 'ready', snapshot: 1, store: OK, publishing: { status, detail: 'no sum' } },
      ]);
      for (const path of READ) expect((await server.ask(path)).status).toBe(200);
    },
  );

  test('say that publishing fails before there is a snapshot', async () => {
    const server = await openServer(null);
    server.http.publishing = { status: 'failing', detail: 'no sum' };
    const readiness = await server.ask('/readyz');
    expect([readiness.status, JSON.parse(readiness.text)]).toEqual([
      503,
      {
        status: 'starting',
        snapshot: null,
        store: OK,
        publishing: { status: 'failing', detail: 'no sum' },
      },
    ]);
  });

  test('count requests by route and status, whatever paths clients make up', async () => {
    const server = await openServer(await snapshotOf([review()]));
    await server.ask('/reviews.json');
    await server.ask('/reviews.json?x');
    await server.ask('/reviews.json', { headers: { 'If-None-Match': '*' } });
    await server.ask('/api/reviews/since/2024-01-01');
    await server.ask('/api/reviews/since/2024-01-02');
    await server.ask('/made-up-by-a-client');
    const { text, headers } = await server.ask('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toContain('http_requests_total{route="/reviews.json",status="200"} 2\n');
    expect(text).toContain('http_requests_total{route="/reviews.json",status="304"} 1\n');
    expect(text).toContain(
      'http_requests_total{route="/api/reviews/since/:date",status="200"} 2\n',
    );
    expect(text).toContain('http_requests_total{route="unknown",status="404"} 1\n');
    expect(text).not.toContain('made-up');
    expect(text).toContain('public_reviews_snapshot_number 1\n');
    expect(text).toContain('public_reviews_published_reviews 1\n');
  });

  test('leave /metrics out where METRICS is off', async () => {
    const server = await openServer(await snapshotOf([]), { environment: { METRICS: 'off' } });
    expect((await server.ask('/metrics')).status).toBe(404);
  });
});

describe('RATE_LIMIT_PER_MINUTE', () => {
  test('answers 429 with Retry-After to the request too many, documents included', async () => {
    for (const path of ['/reviews.json', '/api/reviews/search']) {
      const server = await openServer(await snapshotOf([review()]), {
        environment: { RATE_LIMIT_PER_MINUTE: '3' },
      });
      for (let count = 0; count < 3; count++) expect((await server.ask(path)).status).toBe(200);
      const refused = await server.ask(path, { headers: { 'If-None-Match': '*' } });
      expect(refused.status).toBe(429);
      expect(refused.headers).toMatchObject({
        'x-ratelimit-limit': '3',
        'x-ratelimit-remaining': '0',
        'cache-control': 'no-store',
      });
      expect(refused.headers['retry-after']).toMatch(/^[1-9]\d?$/);
      expect(refused.headers['access-control-allow-origin']).toBe('*');
      expect(JSON.parse(refused.text)).toEqual({
        type: 'about:blank',
        title: 'Too Many Requests',
        status: 429,
        detail: 'This client has sent too many requests. Wait as long as Retry-After says.',
      });
      // The alert of an overload counts "shed".
      const counted = (await server.ask('/metrics')).text;
      expect(counted).toContain('http_requests_total{route="rate-limited",status="429"} 1\n');
      expect(counted).not.toContain('route="shed"');
    }
  });

  test.each([
    ['/reviews.json', 200],
    ['/feed.xml', 304],
    ['/api/reviews/search', 200],
    ['/', 200],
    ['/badge.svg', 200],
    ['/llms.txt', 200],
    ['/nowhere', 404],
  ])(
    'tells one client nothing in an answer of %s that a shared cache may keep',
    async (path, status) => {
      const server = await openServer(await snapshotOf([review()]), {
        environment: { RATE_LIMIT_PER_MINUTE: '3' },
      });
      const answer = await server.ask(path, {
        headers: { accept: 'text/html', ...(status === 304 ? { 'If-None-Match': '*' } : {}) },
      });
      expect(answer.status).toBe(status);
      expect(answer.headers['cache-control']).toContain('public');
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual(
        [],
      );
    },
  );

  test('tells MCP clients how much is left: their answers are not kept', async () => {
    const server = await openServer(await snapshotOf([review()]), {
      environment: { RATE_LIMIT_PER_MINUTE: '3' },
    });
    const { headers } = await server.ask('/mcp', { method: 'POST' });
    expect(headers['x-ratelimit-remaining']).toBe('2');
  });

  test('never refuses health, readiness and metrics', async () => {
    const server = await openServer(await snapshotOf([review()]), {
      environment: { RATE_LIMIT_PER_MINUTE: '1' },
    });
    await server.ask('/reviews.json');
    expect((await server.ask('/reviews.json')).status).toBe(429);
    for (let round = 0; round < 3; round++) {
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        expect((await server.ask(path)).status).toBe(200);
      }
    }
  });

  test('counts each client alone, told by a proxy that is trusted', async () => {
    const server = await openServer(await snapshotOf([review()]), {
      environment: { RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY: '1' },
    });
    const from = async (address: string) =>
      (await server.ask('/reviews.json', { headers: { 'X-Forwarded-For': address } })).status;
    expect(await from('203.0.113.1')).toBe(200);
    expect(await from('203.0.113.2')).toBe(200);
    expect(await from('203.0.113.1')).toBe(429);
    // What a client writes itself stands before what the proxy adds, and is not believed.
    expect(await from('203.0.113.9, 203.0.113.1')).toBe(429);
  });

  test('of 0 is off', async () => {
    const server = await openServer(await snapshotOf([review()]));
    const { headers } = await server.ask('/reviews.json');
    expect(headers).not.toHaveProperty('x-ratelimit-limit');
  });
});

test('a new snapshot is served from the next request on, and the old tag no longer matches', async () => {
  const press = new Press();
  await press.publish([review()]);
  const server = await openServer(await press.load());
  const old = await server.ask('/reviews.json');
  await press.publish([review(), review()]);
  server.http.show(await press.load());
  const answer = await server.ask('/reviews.json', {
    headers: { 'If-None-Match': old.headers.etag! },
  });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text).reviews).toHaveLength(2);
  expect(await server.json('/readyz')).toMatchObject({ snapshot: 2 });
});

test('Cache-Control is settable, for documents and for what is made on request', async () => {
  const server = await openServer(await snapshotOf([review({ id: ulidOf(1) })]), {
    environment: { CACHE_CONTROL: 'public, max-age=5' },
  });
  for (const path of READ) {
    expect((await server.ask(path)).headers['cache-control']).toBe('public, max-age=5');
  }
});
