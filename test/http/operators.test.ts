// Who may read metrics and details of faults.

import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { OperatorNetworks } from '../../src/http/operators.ts';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const BASE_URL = 'https://reviews.example.com';

describe('a request', () => {
  test.each<[string, IncomingHttpHeaders, boolean]>([
    ['127.0.0.1', {}, true],
    ['127.9.9.9', {}, true],
    ['::1', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['::ffff:203.0.113.1', {}, false],
    ['203.0.113.1', {}, false],
    ['fe80::1%eth0', {}, false],
    ['', {}, false],
    ['127.0.0.1', { 'x-forwarded-for': '203.0.113.1' }, false],
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1, 203.0.113.1' }, false],
    ['127.0.0.1', { 'x-forwarded-for': '203.0.113.1, 127.0.0.1' }, false],
    ['127.0.0.1', { 'x-forwarded-for': 'unknown' }, false],
    ['127.0.0.1', { 'x-forwarded-for': '' }, false],
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, true],
    ['127.0.0.1', { 'x-real-ip': '203.0.113.1' }, false],
    ['127.0.0.1', { forwarded: 'for=127.0.0.1' }, false],
    ['203.0.113.1', { 'x-forwarded-for': '127.0.0.1' }, false],
    ['127.0.0.1', { origin: 'https://evil.example' }, false],
    ['127.0.0.1', { origin: 'null' }, false],
  ])('from %s with %j is an operator’s: %s', (remoteAddress, headers, isOperator) => {
    const socket = { remoteAddress } as Socket;
    const all = { host: 'localhost:8080', ...headers };
    expect(new OperatorNetworks(LOOPBACK, BASE_URL).include({ headers: all, socket })).toBe(
      isOperator,
    );
  });

  test.each<[string | undefined, boolean]>([
    ['127.0.0.1:8080', true],
    ['[::1]:8080', true],
    ['192.168.1.9', true],
    ['localhost', true],
    ['a.localhost:8080', true],
    ['app:8080', true],
    ['app_1:8080', true],
    ['reviews.example.com', true],
    ['REVIEWS.example.com:443', true],
    ['evil.example', false],
    ['evil.example:8080', false],
    ['127.0.0.1.evil.example', false],
    ['localhost.evil.example', false],
    ['localhost@evil.example', false],
    ['example.com', false],
    ['local host', false],
    ['', false],
    [undefined, false],
  ])('with the Host %s is an operator’s: %s', (host, isOperator) => {
    const headers = host === undefined ? {} : { host };
    const socket = { remoteAddress: '127.0.0.1' } as Socket;
    expect(new OperatorNetworks(LOOPBACK, BASE_URL).include({ headers, socket })).toBe(isOperator);
  });

  test('may be anybody’s where all networks are named', () => {
    const all = new OperatorNetworks(['0.0.0.0/0', '::/0'], BASE_URL);
    for (const remoteAddress of ['203.0.113.1', '2001:db8::1', '::ffff:203.0.113.1']) {
      const headers = { host: 'localhost' };
      expect(all.include({ headers, socket: { remoteAddress } as Socket })).toBe(true);
    }
  });
});

test('a page of a name that is rebound to this server gets neither metrics nor details', async () => {
  const server = await TestServer.open(await snapshotOf([review()]), {
    environment: { BASE_URL },
  });
  try {
    server.http.store = { reachable: false, detail: 'db.internal' };
    const ask = (path: string, host: string) =>
      server.askRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await ask('/metrics', 'evil.example:8080')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('http://evil.example/metrics', 'localhost')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('/readyz', 'evil.example:8080')).not.toContain('db.internal');
    for (const host of ['app:8080', '127.0.0.1', 'reviews.example.com']) {
      expect(await ask('/metrics', host)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await ask('/readyz', host)).toContain('db.internal');
    }
  } finally {
    await server.close();
  }
});

describe('a stranger', () => {
  const STRANGER = { headers: { 'X-Forwarded-For': '203.0.113.1' } };
  let server: TestServer;
  afterEach(() => server.close());

  test.each(['off', '1'])('gets no metrics with TRUST_PROXY=%s', async (TRUST_PROXY) => {
    server = await TestServer.open(await snapshotOf([review()]), { environment: { TRUST_PROXY } });
    const refused = await server.ask('/metrics', STRANGER);
    expect([refused.status, refused.headers['cache-control']]).toEqual([403, 'no-store']);
    expect(JSON.parse(refused.text)).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail:
        'This path answers clients of OPERATOR_NETWORKS only, ' +
        'at an IP address, a name without a dot, or the host of BASE_URL.',
    });
    expect((await server.ask('/metrics')).status).toBe(200);
  });

  test('learns from /readyz whether store and publishing work, and no details', async () => {
    server = await TestServer.open(await snapshotOf([review()]));
    const detail = 'getaddrinfo ENOTFOUND db.internal';
    server.http.store = { reachable: false, detail };
    server.http.publishing = { status: 'failing', detail };
    const stranger = await server.ask('/readyz', STRANGER);
    expect([stranger.status, JSON.parse(stranger.text)]).toEqual([
      200,
      {
        status: 'ready',
        snapshot: 1,
        store: { status: 'unreachable' },
        publishing: { status: 'failing' },
      },
    ]);
    expect(await server.json('/readyz')).toMatchObject({
      store: { detail },
      publishing: { detail },
    });
  });

  test('may read metrics where OPERATOR_NETWORKS names its network', async () => {
    const environment = { OPERATOR_NETWORKS: '127.0.0.0/8,203.0.113.0/24' };
    server = await TestServer.open(await snapshotOf([review()]), { environment });
    expect((await server.ask('/metrics', STRANGER)).status).toBe(200);
  });
});
