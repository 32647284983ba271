// Errors: one shape for all of them, all issues at once, and nothing of our internals.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RequestOptions, TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const log: string[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf([review()]), {
    log: (line) => void log.push(line),
    prepare: (http) => {
      http.routeRead('/planted', () => {
        throw new Error('the password is hunter2');
      });
      http.routeReply('/planted-later', () => Promise.reject(new Error('the password is hunter2')));
      http.routeRead('/planted-status', () => {
        throw Object.assign(new Error('the password is hunter2'), { statusCode: 503 });
      });
    },
  });
});
afterAll(() => server.close());

const LONG = 'x'.repeat(5000);

describe('an error', () => {
  test.each<[string, number, string, RequestOptions]>([
    ['an unknown path', 404, '/nowhere', {}],
    ['an unknown path with a query', 404, '/nowhere?x=%zz', {}],
    ['a folder', 404, '/api/reviews/', {}],
    ['an unknown review', 404, `/api/reviews/${ulidOf(404)}`, {}],
    ['a review of no possible id', 404, '/api/reviews/__proto__', {}],
    ['a review of a very long id', 404, `/api/reviews/${LONG}`, {}],
    ['another method', 405, '/reviews.json', { method: 'PUT' }],
    ['a body to an unknown path', 404, '/nowhere', { method: 'POST', body: LONG }],
    [
      'a body of no known type to an unknown path',
      404,
      '/nowhere',
      { method: 'POST', body: '{', headers: { 'Content-Type': 'nonsense' } },
    ],
    ['QUERY without a type to an unknown path', 404, '/nowhere', { method: 'QUERY' }],
    ['PROPFIND of an unknown path', 404, '/nowhere', { method: 'PROPFIND', body: '<a/>' }],
    ['OPTIONS of an unknown path', 404, '/nowhere', { method: 'OPTIONS' }],
    ['bad percent-encoding', 400, '/api/reviews/since/%zz', {}],
    ['percent-encoding that is not UTF-8', 400, '/%ff', {}],
    ['a bad date', 400, '/api/reviews/since/yesterday', {}],
    ['a very long date', 400, `/api/reviews/since/${LONG}`, {}],
    ['a bad parameter', 400, '/api/reviews/search?rating=9', {}],
    ['a fault of ours', 500, '/planted', {}],
  ])('(%s) is %i in the shape of all errors', async (_what, status, path, options) => {
    const answer = await server.ask(path, options);
    expect([
      answer.status,
      answer.headers['content-type'],
      answer.headers['cache-control'],
    ]).toEqual([status, 'application/json; charset=utf-8', 'no-store']);
    expect(answer.headers).not.toHaveProperty('etag');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    const problem = JSON.parse(answer.text);
    expect(problem).toMatchObject({
      type: 'about:blank',
      title: expect.stringMatching(/^[A-Z]/),
      status,
      detail: expect.stringMatching(/\.$/),
    });
    expect(Object.keys(problem).toSorted()).toEqual([
      'detail',
      ...(status === 400 ? ['issues'] : []),
      'status',
      'title',
      'type',
    ]);
    for (const issue of problem.issues ?? []) {
      expect(Object.keys(issue).toSorted()).toEqual(['code', 'message', 'path']);
      expect(issue.message).toMatch(/^expected .+, got ./);
    }
  });

  test('answers HEAD without a body', async () => {
    const answer = await server.ask('/nowhere', { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([404, '']);
  });

  test('of bad percent-encoding says what came', async () => {
    expect(await server.json('/api/reviews/since/%zz')).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'The request has invalid values.',
      issues: [
        {
          code: 'malformed_url',
          path: ['url'],
          message:
            'expected percent signs to be followed by the digits of UTF-8 characters, ' +
            'got "/api/reviews/since/%zz"',
        },
      ],
    });
  });

  test.each(['/planted', '/planted-later', '/planted-status'])(
    'of ours (%s) has a fixed text and the id under which it was logged, never internals',
    async (path) => {
      const answer = await server.ask(path);
      expect(answer.status).toBe(500);
      const { detail, ...rest } = JSON.parse(answer.text);
      expect(rest).toEqual({ type: 'about:blank', title: 'Internal Server Error', status: 500 });
      const [, id] = /^The server failed\. The request id is (req-\w+)\.$/.exec(detail)!;
      expect(`${JSON.stringify(answer.headers)}${answer.text}`).not.toMatch(/hunter2|\.ts|at /);
      const logged = log.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === id);
      expect(logged).toEqual([
        expect.objectContaining({
          err: expect.objectContaining({ message: 'the password is hunter2' }),
        }),
      ]);
    },
  );
});

describe('bytes that are no request', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 400, 'Bad Request'],
    ['an unknown method', 'FROBNICATE / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad Request'],
    ['two lengths', 'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400, ''],
    [
      'headers over 16 KiB',
      `GET /reviews.json HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
  ])('(%s) get an error in the shape of all errors', async (_what, bytes, status, title) => {
    const answer = await server.askRaw(bytes);
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} ${title}`));
    expect(head).toContain('\r\nContent-Type: application/json; charset=utf-8');
    expect(head).toContain(`\r\nContent-Length: ${body.length}`);
    expect(head).toContain('\r\nAccess-Control-Allow-Origin: *');
    const problem = JSON.parse(body);
    expect(problem).toMatchObject({ type: 'about:blank', status, detail: expect.any(String) });
    expect('issues' in problem).toBe(status === 400);
    for (const { message } of problem.issues ?? []) expect(message).toMatch(/^expected .+, got ./);
    expect((await server.ask('/reviews.json')).status).toBe(200);
  });
});
