// The log: one line of JSON for each event, or text for people; ids of requests; and nothing private.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { type Logger, pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LINES, renderEvent } from '../../src/commands/terminal/logger.ts';
import { parseConfig } from '../../src/config.ts';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { Dispatcher } from '../../src/hub/dispatcher.ts';
import { HubEndpoint } from '../../src/hub/endpoint.ts';
import { HubMetrics } from '../../src/hub/metrics.ts';
import type { Database } from '../../src/store/database.ts';
import { FakeCallbacks } from '../support/fake-callbacks.ts';
import { HOSTILE_TEXTS } from '../support/hostile.ts';
import { TestServer } from '../support/http.ts';
import { until } from '../support/patience.ts';
import { review } from '../support/reviews.ts';
import { callTool } from '../support/rpc.ts';
import { ORIGIN, snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';
import { publish, storedSubscriptions } from '../support/subscriptions.ts';
import { unicodeText } from '../support/unicode-text.ts';

/** In everything that must not be logged. */
const PRIVATE = 'private-7d1f';

const lines: string[] = [];
let store: TestStore;
let database: Database;
let server: TestServer;
let dispatcher: Dispatcher;
let callbacks: FakeCallbacks;
beforeAll(async () => {
  const snapshot = await snapshotOf([review({ text: `${PRIVATE} boiler`, author: PRIVATE })]);
  store = await TestStore.create();
  database = await store.open();
  callbacks = new FakeCallbacks();
  const environment = { HUB_COALESCE_SECONDS: '0', HUB_RETRY_DELAYS_SECONDS: '0,0' };
  const { hub } = parseConfig(environment);
  const log = (line: string) => void lines.push(line);
  server = await TestServer.open(snapshot, {
    environment: { ...environment, HUB_REQUESTS_PER_MINUTE: '0' },
    hub: new HubEndpoint(hub, new AddressPolicy([]), database),
    log,
    prepare: (http) => {
      http.routeRead('/planted', () => {
        throw new Error('planted');
      });
    },
  });
  const logger = pino({ level: 'trace', ...LINES }, { write: log });
  dispatcher = new Dispatcher({
    clock: { nowMs: Date.now, elapsedMs: () => performance.now() },
    hub,
    database,
    callbacks: callbacks.client,
    metrics: new HubMetrics(new Registry(), database),
    logger,
    snapshot: () => snapshot,
  });
  dispatcher.start();
});
afterAll(async () => {
  await dispatcher.close(0);
  await server.close();
  await store.close();
});

describe('the log has no', () => {
  test('secrets, queries of callbacks and tokens of subscribers', async () => {
    const body = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.topic': `${ORIGIN}/feed.xml`,
      'hub.callback': `https://reader.example/callback?key=${PRIVATE}`,
      'hub.secret': PRIVATE,
      'hub.verify_token': PRIVATE,
    }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await server.ask('/api/websub/hub', { method: 'POST', headers, body });
    const callback = `https://reader.example/callback?key=${PRIVATE}`;
    const challenge = await callbacks.next(callback);
    challenge.answer(200, challenge.parameters.get('hub.challenge') ?? '');
    await until(async () => (await storedSubscriptions(database)).length === 1);
    await publish(database, ['/feed.xml'], 1, Date.now());
    // Three failed deliveries, and the denial.
    for (let request = 0; request < 4; request++) (await callbacks.next(callback)).answer(500);
    await until(() => lines.some((line) => line.includes('"denial"')));
    expect(lines.filter((line) => line.includes(PRIVATE))).toEqual([]);
    expect(lines.filter((line) => line.includes('reader.example/callback'))).not.toEqual([]);
  });

  test('queries, headers and bodies of readers, nor texts of reviewers, even about a fault', async () => {
    const headers = { Authorization: PRIVATE, Cookie: PRIVATE, Referer: `https://a/${PRIVATE}` };
    await server.ask(`/planted?query=${PRIVATE}`, { headers });
    await server.ask(`/api/reviews/search?query=${PRIVATE}&limit=x`, { headers });
    await server.ask(`/reviews?query=${PRIVATE}`, { headers: { ...headers, Accept: 'text/html' } });
    await server.ask(`/${PRIVATE}`, { headers });
    await server.ask('/mcp', { method: 'POST', headers, body: PRIVATE });
    await callTool(server, 'search_reviews', { query: PRIVATE });
    expect(lines.some((line) => line.includes('planted'))).toBe(true);
    expect(lines.filter((line) => line.includes(PRIVATE))).toEqual([]);
  });
});

test('every event is one line of JSON', async () => {
  await server.ask('/planted');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(line.match(/\n/g)).toEqual(['\n']);
    expect(JSON.parse(line)).toMatchObject({
      level: expect.any(String),
      time: expect.any(String),
      msg: expect.any(String),
    });
  }
});

describe('a request id', () => {
  const ask = (path: string, id?: string) =>
    server.ask(path, { headers: id === undefined ? {} : { 'X-Request-Id': id } });

  test.each(['/reviews.json', '/api/reviews/search', '/', '/nowhere', '/healthz', '/planted', '*'])(
    'of a client is repeated by %s',
    async (path) => {
      const id = 'web-1:2026.11_a';
      expect((await ask(path, id)).headers['x-request-id']).toBe(id);
    },
  );

  test('of a client is in the log line and in the detail of a fault', async () => {
    const { text } = await ask('/planted', 'trace-42');
    expect(JSON.parse(text).detail).toBe('The server failed. The request id is trace-42.');
    const ids = lines.map((line) => (JSON.parse(line) as { reqId?: string }).reqId);
    expect(ids).toContain('trace-42');
  });

  test.each(['', 'a b', 'a"b', 'é', '\u001b[31m', '../..', 'a'.repeat(129), '<script>'])(
    '%j is ignored',
    async (id) => {
      const sent = Buffer.from(id).toString('latin1').replaceAll('\u001b', '\\');
      expect((await ask('/reviews.json', sent)).headers).not.toHaveProperty('x-request-id');
      const { headers } = await ask('/planted', sent);
      expect(headers['x-request-id']).toMatch(/^req-[\da-f]{32}$/);
    },
  );

  test('is new for every fault without one', async () => {
    const ids = await Promise.all([ask('/planted'), ask('/planted')]);
    expect(new Set(ids.map(({ headers }) => headers['x-request-id'])).size).toBe(2);
  });
});

describe('LOG_FORMAT=pretty', () => {
  /** What an event looks like. */
  function rendered(write: (logger: Logger) => void): string {
    let line = '';
    write(pino({ level: 'trace', ...LINES }, { write: (text) => void (line = text) }));
    return renderEvent(line);
  }

  test('is a line of time, level, message and members', () => {
    const text = rendered((logger) => logger.info({ topic: '/feed.xml', ms: 12 }, 'delivery'));
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}delivery topic="\/feed\.xml" ms=12\n$/);
  });

  test('has the stack of a fault on lines of its own', () => {
    const text = rendered((logger) => logger.error({ err: new Error('no disk') }, 'failed'));
    expect(text).toMatch(/^\S+ ERROR failed\n {4}Error: no disk\n {8}at /);
  });

  test('never passes control characters to the terminal, and stays one line', () => {
    const texts = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), unicodeText());
    fc.assert(
      fc.property(texts, texts, (message, value) => {
        const text = rendered((logger) => logger.info({ value, [value]: 1 }, message));
        expect(text.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(text.endsWith('\n')).toBe(true);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  test.each([
    ['pretty', /^\d\d:\d\d:\d\d\.\d{3} WARN {2}hello\n$/],
    ['json', /^\{"level":"warn","time":"\d{4}-[^"]+Z",.*"msg":"hello"\}\n$/],
    ['auto', /^\{"level":"warn","time":"\d{4}-[^"]+Z",.*"msg":"hello"\}\n$/],
  ])('%s on stderr that is no terminal', async (logFormat, pattern) => {
    const module = new URL('../../src/commands/terminal/logger.ts', import.meta.url).href;
    const script = `import { createLogger } from '${module}';
      createLogger({ logLevel: 'info', logFormat: '${logFormat}' }).warn('hello');`;
    const options = [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '--eval',
      script,
    ];
    const { stderr } = await promisify(execFile)(process.execPath, options);
    expect(stderr).toMatch(pattern);
  });
});
