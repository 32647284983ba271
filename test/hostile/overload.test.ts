// Under overload the server refuses what costs CPU, answers what is cached and the health checks, and
// recovers by itself. The clocks are the test's own.

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientCosts, costsOf } from '../../src/http/admission/client-costs.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { Overload } from '../../src/http/admission/overload.ts';
import { ROUTES } from '../../src/model/routes.ts';
import { TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { post } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const TURN_MS = HTTP_LIMITS.lateMs + 1;

let cpuMs = 0;
let elapsedMs = 0;
let overload: Overload;
/** Event loop turns that use so much CPU each. */
const turns = (count: number, costMs: number) => {
  for (let turn = 0; turn < count; turn++) {
    cpuMs += costMs;
    elapsedMs += Math.max(costMs, 100);
    overload.check();
  }
};
const create = () => new Overload({ cpuMs: () => cpuMs, elapsedMs: () => elapsedMs });

describe('overload', () => {
  beforeEach(() => {
    overload = create();
  });

  test('is three expensive turns in a row', () => {
    turns(2, TURN_MS);
    expect(overload.isOverloaded).toBe(false);
    turns(1, TURN_MS);
    expect(overload.isOverloaded).toBe(true);
  });

  test('is not single expensive turns, such as showing a new snapshot', () => {
    for (let round = 0; round < 20; round++) {
      turns(2, TURN_MS);
      turns(1, 50);
      expect(overload.isOverloaded).toBe(false);
    }
  });

  test('is not a machine that is busy with other programs', () => {
    elapsedMs += 60_000;
    turns(10, 100);
    expect(overload.isOverloaded).toBe(false);
  });

  test('ends two seconds after the last expensive turn', () => {
    turns(3, TURN_MS);
    elapsedMs += 1_999;
    expect(overload.isOverloaded).toBe(true);
    elapsedMs += 1;
    expect(overload.isOverloaded).toBe(false);
  });

  test('is found at once if it comes back within ten seconds, later after three turns again', () => {
    turns(3, TURN_MS);
    elapsedMs += 5_000;
    turns(1, TURN_MS);
    expect(overload.isOverloaded).toBe(true);
    elapsedMs += 20_000;
    turns(1, 50);
    turns(2, TURN_MS);
    expect(overload.isOverloaded).toBe(false);
  });
});

test('a server that nobody asks measures nothing', () => {
  vi.useFakeTimers();
  let measured = 0;
  const quiet = new Overload({ cpuMs: () => (measured += 1), elapsedMs: () => 0 });
  measured = 0;
  vi.advanceTimersByTime(60_000);
  expect(measured).toBe(0);
  expect(quiet.isOverloaded).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(measured).toBeGreaterThan(5);
  vi.advanceTimersByTime(10_000);
  const rest = measured;
  vi.advanceTimersByTime(60_000);
  expect(measured).toBe(rest);
  vi.useRealTimers();
});

describe.each([
  ['without a rate limit', {}],
  ['with a rate limit', { RATE_LIMIT_PER_MINUTE: '100000' }],
])('under overload, %s,', (_what, environment) => {
  let server: TestServer;
  beforeAll(async () => {
    overload = create();
    server = await TestServer.open(await snapshotOf([review({ id: ulidOf(1) })]), {
      environment,
      parts: { overload },
    });
    await server.ask('/', { headers: { Accept: 'text/html' } });
    turns(3, TURN_MS);
  });
  afterAll(() => server.close());

  test.each(['/reviews.json', '/insights.json', '/feed.xml', '/api/feed.json?utm_source=a'])(
    'the document %s is answered',
    async (path) => {
      expect((await server.ask(path)).status).toBe(200);
    },
  );

  test.each([ROUTES.getHealth.path, ROUTES.getReadiness.path, ROUTES.getMetrics.path])(
    '%s is answered',
    async (path) => {
      expect((await server.ask(path)).status).toBe(200);
    },
  );

  test.each([
    '/api/reviews/search?query=a',
    '/api/reviews/since/2024-01-01',
    '/technicians',
    '/nowhere',
  ])('%s gets 503 with Retry-After', async (path) => {
    const { status, headers, text } = await server.ask(path);
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([
      503,
      '2',
      'no-store',
    ]);
    expect(JSON.parse(text)).toMatchObject({ status: 503, title: 'Service Unavailable' });
  });

  test('calls of MCP and forms get 503', async () => {
    const ping = await post(server, { jsonrpc: '2.0', id: 1, method: 'ping' });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = await server.ask('/api/websub/hub', { method: 'POST', headers, body: 'a=b' });
    expect([ping.status, form.status]).toEqual([503, 503]);
    expect(ping.headers['retry-after']).toBe('2');
  });

  test('refused requests are counted', async () => {
    const { text } = await server.ask('/metrics');
    expect(text).toMatch(/^http_requests_total\{route="shed",status="503"\} [1-9]/m);
  });

  test('afterwards everything is answered', async () => {
    elapsedMs += 2_000;
    expect((await server.ask('/api/reviews/search?query=a')).status).toBe(200);
    expect((await post(server, { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
  });
});

test.each([{}, { RATE_LIMIT_PER_MINUTE: '1000' }])(
  'with %j, cached pages are answered under overload',
  async (environment) => {
    overload = create();
    const server = await TestServer.open(await snapshotOf([review()]), {
      environment,
      parts: { overload },
    });
    const ask = (path: string) => server.ask(path, { headers: { Accept: 'text/html' } });
    await ask('/');
    turns(3, TURN_MS);
    expect([(await ask('/')).status, (await ask('/faq')).status]).toEqual([200, 503]);
    await server.close();
  },
);

test('who took most of the time is refused, and others are answered', async () => {
  overload = create();
  let nowMs = 0;
  const server = await TestServer.open(await snapshotOf([review()]), {
    environment: { TRUST_PROXY: 'loopback' },
    // Each turn takes a millisecond.
    parts: { overload, nowMs: () => (nowMs += 1) },
  });
  const search = async (client: string) =>
    (await server.ask('/api/reviews/search?query=a', { headers: { 'X-Forwarded-For': client } }))
      .status;
  await search('198.51.100.2');
  for (let count = 0; count < 30; count++) await search('198.51.100.1');
  turns(3, TURN_MS);
  expect([await search('198.51.100.1'), await search('198.51.100.2')]).toEqual([503, 200]);
  // A client that has asked for nothing yet is not to blame.
  expect(await search('198.51.100.3')).toBe(200);
  // Ten seconds later it is forgotten who asked for much.
  nowMs += 20_000;
  await search('198.51.100.2');
  turns(3, TURN_MS);
  expect(await search('198.51.100.1')).toBe(200);
  await server.close();
});

test('who took most of the time of one site is not to blame at another', async () => {
  overload = create();
  const all = new ClientCosts(() => 0);
  const [flooded, other] = await Promise.all(
    ['a', 'b'].map(async (site) =>
      TestServer.open(await snapshotOf([review()]), {
        parts: { overload, costs: costsOf(site, all), nowMs: counting() },
      }),
    ),
  );
  const search = async (server: TestServer | undefined) =>
    (await server!.ask('/api/reviews/search?query=a')).status;
  await search(other);
  for (let count = 0; count < 30; count++) await search(flooded);
  turns(3, TURN_MS);
  expect([await search(flooded), await search(other)]).toEqual([503, 200]);
  await Promise.all([flooded?.close(), other?.close()]);
});

/** A clock on which each turn takes a millisecond. */
function counting(): () => number {
  let ms = 0;
  return () => (ms += 1);
}

test('all are refused if many took a little each', async () => {
  overload = create();
  const server = await TestServer.open(await snapshotOf([review()]), {
    environment: { TRUST_PROXY: 'loopback' },
    parts: { overload, nowMs: counting() },
  });
  const search = async (client: number) =>
    (
      await server.ask('/api/reviews/search?query=a', {
        headers: { 'X-Forwarded-For': `198.51.100.${client}` },
      })
    ).status;
  for (let client = 0; client < 40; client++) await search(client);
  turns(3, TURN_MS);
  expect([await search(1), await search(2), await search(200)]).toEqual([503, 503, 503]);
  await server.close();
});

test('the clocks of a running server measure the CPU time of its thread', () => {
  const real = new Overload();
  const end = performance.now() + 20;
  while (performance.now() < end);
  real.check();
  expect(real.isOverloaded).toBe(false);
});
