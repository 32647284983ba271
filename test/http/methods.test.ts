// What each path answers to each method, and the headers that every answer has.

import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf([review({ id: ulidOf(1) }), review()]));
});
afterAll(() => server.close());

const READ = [
  '/reviews.json',
  '/insights.json',
  '/api/feed.json',
  '/feed.xml',
  '/api/reviews/search?limit=1',
  '/api/reviews/since/2024-01-01',
  `/api/reviews/${ulidOf(1)}`,
  '/openapi.json',
  '/.well-known/api-catalog',
  '/developers/reference',
  '/llms.txt',
  '/llms-full.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemaps/pages.xml',
];
const OPERATING = ['/healthz', '/readyz', '/metrics'];
const ALL = [...READ, ...OPERATING];
const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];
// CONNECT asks for a tunnel, which Node refuses by closing the connection.
const OTHERS = METHODS.filter((method) => ![...READ_METHODS, 'CONNECT'].includes(method));
const BODY_TYPES = ['application/json', 'image/unheard-of', 'nonsense', ''];

describe.each(READ)('%s', (path) => {
  test('answers HEAD with the headers of GET and no body', async () => {
    for (const encoding of ['identity', 'br']) {
      const headers = { 'Accept-Encoding': encoding };
      const get = await server.ask(path, { headers });
      const head = await server.ask(path, { method: 'HEAD', headers });
      expect(get.status).toBe(200);
      expect(head.status).toBe(200);
      expect(head.body).toHaveLength(0);
      const { date: _get, ...expected } = get.headers;
      const { date: _head, ...actual } = head.headers;
      expect(actual).toEqual(expected);
      expect(actual['content-length']).toBe(String(get.body.length));
    }
  });

  test('ignores Authorization, and a body of GET', async () => {
    const plain = await server.ask(path);
    const other = await server.ask(path, {
      // Without a length these bytes would be the beginning of another request.
      headers: {
        Authorization: 'Bearer wrong',
        'Content-Type': 'nonsense',
        'Content-Length': '8',
      },
      body: 'nonsense',
    });
    expect([other.status, other.text]).toEqual([200, plain.text]);
  });

  test('may be cached for a minute by anybody', async () => {
    expect((await server.ask(path)).headers['cache-control']).toBe(
      'public, max-age=60, stale-while-revalidate=600',
    );
  });
});

describe.each(ALL)('%s', (path) => {
  test('answers every other method with 405 and Allow, whatever the body', async () => {
    expect(OTHERS).toEqual(expect.arrayContaining(['POST', 'PROPFIND', 'PATCH', 'QUERY', 'TRACE']));
    for (const [place, method] of OTHERS.entries()) {
      const type = BODY_TYPES[place % BODY_TYPES.length]!;
      const answer = await server.ask(path, {
        method,
        headers: type === '' ? {} : { 'Content-Type': type },
        ...(method === 'TRACE' ? {} : { body: '{"not json' }),
      });
      expect([method, answer.status, answer.headers.allow]).toEqual([
        method,
        405,
        'GET, HEAD, OPTIONS',
      ]);
      expect(JSON.parse(answer.text)).toEqual({
        type: 'about:blank',
        title: 'Method Not Allowed',
        status: 405,
        detail: 'This path is read with GET or HEAD.',
      });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  });

  test('answers a preflight, with a body of whatever type or none', async () => {
    for (const type of [null, ...BODY_TYPES]) {
      const answer = await server.ask(path, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://shop.example',
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'if-none-match',
          ...(type === null || type === '' ? {} : { 'Content-Type': type }),
        },
        ...(type === null ? {} : { body: 'x' }),
      });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': expect.stringContaining('If-None-Match'),
        'access-control-max-age': '86400',
        allow: 'GET, HEAD, OPTIONS',
      });
    }
  });
});

describe('every answer', () => {
  test.each([
    ['200', '/reviews.json', {}],
    ['200 of the framework', '/reviews.json?x=1', {}],
    ['200 of a search', '/api/reviews/search', {}],
    ['200 of health', '/healthz', {}],
    ['200 of readiness', '/readyz', {}],
    ['304', '/reviews.json', { headers: { 'If-None-Match': '*' } }],
    ['304 of a search', '/api/reviews/search', { headers: { 'If-None-Match': '*' } }],
    ['400', '/api/reviews/search?limit=0', {}],
    ['400 of the URL', '/%zz', {}],
    ['404', '/nowhere', {}],
    ['404 of a review', `/api/reviews/${ulidOf(404)}`, {}],
    ['405', '/reviews.json', { method: 'DELETE' }],
  ])('(%s) may be read by the scripts of any site', async (status, path, options) => {
    const answer = await server.ask(path, options);
    expect(answer.status).toBe(Number.parseInt(status, 10));
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const exposed = answer.headers['access-control-expose-headers']!.split(', ');
    for (const name of [
      'ETag',
      'Last-Modified',
      'Link',
      'Mcp-Session-Id',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Retry-After',
    ]) {
      expect(exposed).toContain(name);
    }
    const names = answer.rawHeaders.filter((_, place) => place % 2 === 0);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test.each(['/reviews.json', '/api/feed.json', '/feed.xml'])(
    'of the topic %s advertises itself and then the hub, on GET, HEAD and 304',
    async (path) => {
      const link =
        `<https://reviews.example${path}>; rel="self", ` +
        '<https://reviews.example/api/websub/hub>; rel="hub"';
      for (const options of [
        {},
        { method: 'HEAD' },
        { headers: { 'If-None-Match': '*' } },
        { headers: { 'Accept-Encoding': 'br' } },
      ]) {
        expect((await server.ask(path, options)).headers['link']).toBe(link);
      }
      expect((await server.ask(`${path}?v=2`)).headers['link']).toBe(link);
    },
  );

  test.each(['/insights.json', '/api/reviews/search', '/api/reviews/since/2024-01-01', '/healthz'])(
    'of %s, which is no topic, advertises nothing',
    async (path) => {
      expect((await server.ask(path)).headers).not.toHaveProperty('link');
    },
  );

  test.each([
    ['/reviews.json', 'application/json; charset=utf-8'],
    ['/insights.json', 'application/json; charset=utf-8'],
    ['/api/feed.json', 'application/json; charset=utf-8'],
    ['/feed.xml', 'application/atom+xml; charset=utf-8'],
    ['/api/reviews/search', 'application/json; charset=utf-8'],
    ['/api/reviews/since/2024-01-01', 'application/json; charset=utf-8'],
    [`/api/reviews/${ulidOf(1)}`, 'application/json; charset=utf-8'],
  ])('of %s has the type %s', async (path, type) => {
    expect((await server.ask(path)).headers['content-type']).toBe(type);
  });
});

test('a document is found by its path however that is written, and with any query behind it', async () => {
  const plain = await server.ask('/reviews.json');
  for (const path of [
    '/reviews%2Ejson',
    '/%72eviews.json',
    '/reviews.json?',
    '/reviews.json?a=%zz',
  ]) {
    const { status, headers, text } = await server.ask(path);
    expect([path, status, headers.etag, text]).toEqual([path, 200, plain.headers.etag, plain.text]);
  }
  const absolute = 'GET http://reviews.example/reviews.json HTTP/1.1';
  const raw = await server.askRaw(`${absolute}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(raw).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect((await server.ask('/reviews.json/')).status).toBe(404);
  expect((await server.ask('/Reviews.json')).status).toBe(404);
});
