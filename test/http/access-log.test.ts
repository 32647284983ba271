// The log of answers: off by default; a line for each answer, whichever way it goes, that names no person.

import { afterEach, expect, test } from 'vitest';
import { TestServer } from '../support/http.ts';
import { until } from '../support/patience.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

let server: TestServer;
let lines: Record<string, unknown>[];
afterEach(() => server.close());

async function open(environment: Record<string, string>): Promise<void> {
  lines = [];
  server = await TestServer.open(await snapshotOf([review()]), {
    environment: { LOG_LEVEL: 'warn', TRUST_PROXY: '1', ...environment },
    log(line) {
      const event = JSON.parse(line) as Record<string, unknown>;
      if (event['msg'] === 'request') lines.push(event);
    },
  });
}

/** Sends a request, and waits for its line. */
async function lineOf(path: string, client: string, options = {}): Promise<unknown[]> {
  const before = lines.length;
  await server.ask(path, {
    headers: { 'X-Forwarded-For': client, 'X-Request-Id': 'of-the-proxy' },
    ...options,
  });
  await until(() => lines.length > before);
  const { client: shown, method, path: logged, status, ms, reqId } = lines.at(-1)!;
  expect(reqId).toBe('of-the-proxy');
  expect(ms).toEqual(expect.any(Number));
  return [shown, method, logged, status];
}

test('has documents, answers in turns, those of the framework, streams and refusals', async () => {
  await open({ ACCESS_LOG: 'on', RATE_LIMIT_PER_MINUTE: '2' });
  const [reader, other] = ['203.0.113.77', '2001:db8:aaaa:bbbb::7'];
  const seen = [
    await lineOf('/reviews.json', reader),
    await lineOf('/api/reviews/search?query=my+illness', reader),
    await lineOf('/reviews.json', reader),
    await lineOf('/nothing/here', other),
    await lineOf('/mcp', other, { method: 'POST', body: '{}' }),
    await lineOf('/healthz', '::1'),
    await lineOf(`/${'x'.repeat(300)}`, '198.51.100.1', { method: 'HEAD' }),
  ];
  expect(seen.slice(0, 4)).toEqual([
    ['203.0.113.0', 'GET', '/reviews.json', 200],
    ['203.0.113.0', 'GET', '/api/reviews/search', 200],
    ['203.0.113.0', 'GET', '/reviews.json', 429],
    ['2001:db8:aaaa::', 'GET', '/nothing/here', 404],
  ]);
  expect(seen[4]!.slice(1, 3)).toEqual(['POST', '/mcp']);
  expect(seen[5]!.slice(2)).toEqual(['/healthz', 200]);
  expect(String(seen[6]![2])).toHaveLength(200);
  expect(JSON.stringify(lines)).not.toMatch(/illness|113\.77|bbbb/);
});

test('is off by default', async () => {
  await open({});
  await server.ask('/reviews.json');
  await server.ask('/healthz');
  expect(lines).toEqual([]);
});
