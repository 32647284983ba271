// What a request is addressed to: forms of its target, and its Host.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const BROWSER = { accept: 'text/html' };

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf([review()]));
});
afterAll(() => server.close());

describe('a target that is no path', () => {
  test.each([
    '*',
    'reviews.json',
    'example.com:80',
    'ftp://a/',
    'http://',
    'http:///',
    'http://a@b/',
    'http://a b/',
  ])(
    '%s is refused by GET, HEAD, POST and OPTIONS, and changes no other answer',
    async (target) => {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const raw = await server.askRaw(
          `${method} ${target} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n`,
        );
        expect(raw).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      }
      const missing = await server.ask('/nowhere', { headers: BROWSER });
      expect(missing.status).toBe(404);
      expect(missing.text).toContain('<h1>We can’t find that page</h1>');
    },
  );

  test('is answered with the problem, in the shape of all errors', async () => {
    const raw = await server.askRaw('GET * HTTP/1.1\r\nHost: a\r\n\r\n');
    const [head = '', body = ''] = raw.split('\r\n\r\n');
    expect(head).toContain('Access-Control-Allow-Origin: *');
    expect(head).toContain('Cache-Control: no-store');
    expect(head).toContain('Connection: close');
    expect(JSON.parse(body)).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'The request has invalid values.',
      issues: [
        {
          code: 'malformed_target',
          path: ['url'],
          message:
            'expected a path that begins with "/", or an absolute URL of http or https, got "*"',
        },
      ],
    });
  });

  test('is counted', async () => {
    await server.askRaw('GET * HTTP/1.1\r\nHost: a\r\n\r\n');
    const { text } = await server.ask('/metrics');
    expect(text).toMatch(/http_requests_total\{route="unknown",status="400"\} \d+/);
  });
});

describe('an absolute target', () => {
  test.each([
    ['http://other.example/reviews.json', 'application/json'],
    ['HTTP://other.example:81/reviews.json?a=http://b/', 'application/json'],
    ['https://[::1]:8080/feed.xml', 'application/atom+xml'],
    ['http://other.example', 'text/html'],
    ['http://other.example?utm_source=a', 'text/html'],
  ])('%s is answered like its path', async (target, type) => {
    const raw = await server.askRaw(
      `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(raw).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(raw).toContain(`Content-Type: ${type}`);
  });

  test('names the host, whatever the Host header says (RFC 9112, section 3.2.2)', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const ask = (target: string, host: string) =>
      server.askRaw(
        `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
          'Accept: application/json, text/event-stream\r\nConnection: close\r\n' +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      );
    expect(await ask('/mcp', 'evil.example')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('http://evil.example/mcp', 'localhost')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('http://localhost/mcp', 'evil.example')).not.toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('the Host header', () => {
  test.each(['a b<>"', '', 'a/b', 'a@b', 'a:b', '[::1'])(
    'that is %j gets 400 (RFC 9112, section 3.2)',
    async (host) => {
      for (const path of ['/healthz', '/reviews.json', '/api/reviews/search', '/nowhere']) {
        const raw = await server.askRaw(
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        );
        expect([path, raw.split(' ')[1]]).toEqual([path, '400']);
        expect(raw).toContain('expected a Host header with a host and perhaps a port');
      }
    },
  );

  test.each(['a', 'a.example:8080', '[::1]:80', '127.0.0.1', 'A-b_c.example'])(
    'that is %s is answered',
    async (host) => {
      const raw = await server.askRaw(
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(raw.split(' ')[1]).toBe('200');
    },
  );

  test.each(['/reviews.json', '/', '/api/reviews/search', '/nowhere', '/healthz'])(
    'given twice is refused for %s',
    async (path) => {
      for (const second of ['Host: a', 'host: b', 'HOST:']) {
        const raw = await server.askRaw(`GET ${path} HTTP/1.1\r\nHost: a\r\n${second}\r\n\r\n`);
        expect(raw).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
        expect(raw).toContain('expected one Host header, got several');
      }
    },
  );

  test('given twice is refused for the hub and MCP', async () => {
    for (const path of ['/mcp', '/api/websub/hub']) {
      const raw = await server.askRaw(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`,
      );
      expect(raw).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    }
  });
});
