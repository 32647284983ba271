// A read is answered alike by the table of the router and by the framework, and its handler is called once.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import { type Answer, TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

let server: TestServer;
let calls = 0;
let sent = '';
beforeAll(async () => {
  const snapshot = await snapshotOf([review({ date: '2024-05-17' })]);
  server = await TestServer.open(snapshot, {
    prepare: (http) => {
      http.routeRead('/planted/:id', ({ parameters }) => {
        calls += 1;
        sent = parameters['id'] ?? '';
        throw new Refusal('not_ready');
      });
    },
  });
});
afterAll(() => server.close());

function comparable({ status, headers, text }: Answer) {
  const names = Object.keys(headers).filter((name) => name !== 'date');
  return { status, text, headers: Object.fromEntries(names.map((name) => [name, headers[name]])) };
}

/** The same URL with an escape, which leaves it to the framework. */
const escaped = (path: string) =>
  path.replace(/^\/\w/, (start) => `/%${start.charCodeAt(1).toString(16)}`);

test.each([
  '/api/reviews/search',
  '/api/reviews/search?rating=9&limit=0',
  '/api/reviews/search?rating=1&rating=2',
  '/api/reviews/search?query=%ZZ&cursor=',
  '/api/reviews/search#x',
  '/api/reviews/since/2024-01-01',
  '/api/reviews/since/2024%2D01%2D01',
  '/api/reviews/since/2024-02-30',
  '/api/reviews/since/',
  '/api/reviews/since',
  `/api/reviews/${ulidOf(404)}`,
  '/api/reviews/',
  '/api/reviews/a/b',
  '/reviews.json?x=1',
  '/badge.svg?v=1',
  '/badge.svg/',
  '/mcp/server-card',
  '/nowhere',
])('%s is answered as by the framework, on GET and HEAD', async (path) => {
  for (const method of ['GET', 'HEAD']) {
    const [one, other] = await Promise.all(
      [path, escaped(path)].map((url) => server.ask(url, { method })),
    );
    expect(comparable(one!)).toEqual(comparable(other!));
  }
});

test('a refused request reaches its handler once, with the remedy in its answer', async () => {
  const { status, headers } = await server.ask('/planted/some%20name');
  expect([calls, sent, status, headers['retry-after']]).toEqual([1, 'some name', 503, '5']);
  const plain = await server.ask('/planted/name');
  expect([calls, sent, plain.status, plain.headers['retry-after']]).toEqual([2, 'name', 503, '5']);
});
