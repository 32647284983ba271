// `doctor` finds faults of the public address: of the name, the proxy and its certificate.

import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { StoreFacts } from '../../src/commands/doctor/database.ts';
import type { Finding } from '../../src/commands/doctor/finding.ts';
import { checkReachability } from '../../src/commands/doctor/reachability.ts';
import { parseConfig } from '../../src/config.ts';
import { Refusal } from '../../src/errors.ts';
import { formatVerifierKey, newSeed, signingKey } from '../../src/log/notes.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { DoctorProxy, type ProxyFaults } from '../support/doctor-proxy.ts';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { Press } from '../support/snapshot.ts';
import { Certificate } from '../support/tls.ts';

let server: TestServer;
let trusting: TestServer | undefined;
let snapshot: Snapshot;
let facts: StoreFacts;
let trusted: Certificate;
let strange: Certificate;
const proxies: DoctorProxy[] = [];
const hub = { accept: () => Promise.reject(new Refusal('invalid_request')) };
beforeAll(async () => {
  const press = new Press();
  // Long enough to be compressed.
  await press.publish(Array.from({ length: 30 }, () => review()));
  snapshot = await press.load();
  server = await TestServer.open(snapshot, { hub });
  const manifest = { ...press.manifest!, log: snapshot.log!.manifest };
  facts = { manifest, origin: null };
  trusted = await Certificate.create();
  trusted.trust();
  strange = await Certificate.create();
});
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});
afterAll(async () => {
  await Promise.all([server.close(), trusting?.close()]);
  await Promise.all([trusted.close(), strange.close()]);
});

const openProxy = async (
  proxyFaults: ProxyFaults = {},
  certificate: Certificate | null = trusted,
  port = server.port,
): Promise<string> => {
  const proxy = await DoctorProxy.open(port, certificate, proxyFaults);
  proxies.push(proxy);
  return proxy.origin;
};

const check = (origin: string, of: StoreFacts | null = facts, nowMs = Date.now()) =>
  checkReachability(parseConfig({ BASE_URL: origin }), of, nowMs);

function faults(findings: readonly Finding[]): [string, string, string][] {
  return findings.flatMap(({ status, check: name, message, action }) =>
    status === 'ok' ? [] : [[`${status}: ${name}`, message, action ?? '']],
  );
}

const contains = (text: string): string => expect.stringContaining(text) as string;

test('a sound proxy with TLS has no faults', async () => {
  const findings = await check(await openProxy());
  expect(faults(findings)).toEqual([]);
  expect(findings.map(({ check: name }) => name)).toEqual([
    'TLS',
    'address',
    'proxy headers',
    'compression',
    'ETags',
    'MCP',
  ]);
  expect(await check(await openProxy({}, null))).toHaveLength(5);
});

test('a name that nothing answers', async () => {
  const origin = await openProxy();
  await proxies.pop()!.close();
  expect(faults(await check(origin))).toEqual([
    ['warning: address', `no server runs at ${origin}`, contains('serve')],
  ]);
  const elsewhere = 'https://reviews.invalid';
  expect(faults(await check(elsewhere))).toEqual([
    ['wrong: address', contains(`${elsewhere} does not answer: `), contains('DNS entry')],
  ]);
});

test('a certificate that is not trusted, expires soon or has expired', async () => {
  const origin = await openProxy({}, strange);
  expect(faults(await check(origin))).toEqual([
    ['wrong: TLS', contains('is not trusted: '), contains('a known authority')],
  ]);
  const sound = await openProxy();
  const [tls] = await check(sound);
  const days = Number(/in (\d+) days/.exec(tls!.message)![1]);
  const inDays = (count: number) => Date.now() + count * 86_400_000;
  expect(faults(await check(sound, facts, inDays(days - 5)))).toEqual([
    ['warning: TLS', contains('expires in '), contains('renew the certificate')],
  ]);
  expect(faults(await check(sound, facts, inDays(days + 3)))).toEqual([
    ['wrong: TLS', contains('expired '), contains('renew the certificate')],
  ]);
});

test('another BASE_URL than the server recorded', async () => {
  const origin = await openProxy();
  const found = faults(await check(origin, { ...facts, origin: 'https://old.example' }));
  expect(found).toEqual([
    ['warning: address', contains('recorded https://old.example'), contains('the same BASE_URL')],
  ]);
});

test('another program, a redirect, and a server of another store', async () => {
  const other = await openProxy({
    intercept: (_request, response) => {
      response.end('It works!');
      return true;
    },
  });
  expect(faults(await check(other))).toEqual([
    ['wrong: address', contains('answered by another program'), contains('upstream address')],
  ]);
  const alone = await openProxy({
    intercept: (_request, response) => {
      response.writeHead(502).end('<h1>Bad Gateway</h1>');
      return true;
    },
  });
  expect(faults(await check(alone))).toEqual([
    ['wrong: address', contains('does not reach the server: status 502'), contains('systemctl')],
  ]);
  const body = { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'no' };
  const site = await openProxy({
    intercept: (_request, response) => {
      response.writeHead(503).end(JSON.stringify(body));
      return true;
    },
  });
  expect(faults(await check(site))).toEqual([
    ['wrong: address', contains('cannot serve this store'), contains('what else is wrong')],
  ]);
  const starting = await openProxy({
    intercept: (_request, response) => {
      response.writeHead(503).end('{"status":"starting"}');
      return true;
    },
  });
  expect(faults(await check(starting))).toEqual([
    ['warning: address', contains('has nothing to serve yet'), contains('wait until the first')],
  ]);
  const moved = await openProxy({
    intercept: (_request, response) => {
      response.writeHead(301, { Location: 'https://www.a.example/readyz' }).end();
      return true;
    },
  });
  expect(faults(await check(moved))).toEqual([
    ['wrong: address', contains('redirects to https://www.a.example'), contains('set BASE_URL')],
  ]);
  const storeHas = (number: number) => ({ ...facts, manifest: { ...facts.manifest!, number } });
  expect(faults(await check(await openProxy(), storeHas(7)))).toEqual([
    ['wrong: address', contains('the store has 7: it serves an older'), contains('no cache keep')],
  ]);
  expect(faults(await check(await openProxy(), storeHas(0)))).toEqual([
    ['wrong: address', contains('the store has 0: it serves a newer'), contains('was restored')],
  ]);
});

test('files without a server, as they are exported, and older ones', async () => {
  const host = await openProxy({
    intercept: ({ url }, response) => {
      if (url === '/reviews.json') return false;
      response.writeHead(404).end('Not Found');
      return true;
    },
  });
  expect(await check(host)).toMatchObject([{ check: 'TLS' }, { check: 'files', status: 'ok' }]);
  const { documents } = facts.manifest!;
  const document = { ...documents['/reviews.json'], changedAt: 1 };
  const manifest = { ...facts.manifest!, documents: { ...documents, '/reviews.json': document } };
  const changed = { ...facts, manifest };
  expect(faults(await check(host, changed))).toEqual([
    ['warning: files', contains('which differ from the store'), contains('upload what is in it')],
  ]);
});

test('a server of another store whose snapshot has the same number', async () => {
  const { log } = facts.manifest!;
  const keys = [formatVerifierKey(signingKey('reviews.example/log', 'log', newSeed()))];
  const manifest = { ...facts.manifest!, log: { ...log!, keys } };
  expect(faults(await check(await openProxy(), { ...facts, manifest }))).toEqual([
    ['wrong: address', contains('serves another store'), contains('the same DATABASE_URL')],
  ]);
  // After a rotation one of two keys is enough.
  const rotated = { ...facts.manifest!, log: { ...log!, keys: [...keys, ...log!.keys] } };
  expect(faults(await check(await openProxy(), { ...facts, manifest: rotated }))).toEqual([]);
});

test('a proxy that removes compression, weakens ETags or drops conditions', async () => {
  const plain = await openProxy({
    toServer: (headers) => ({ ...headers, 'accept-encoding': undefined }),
  });
  expect(faults(await check(plain))).toEqual([
    ['warning: compression', contains('removes the compression'), contains('Accept-Encoding')],
  ]);
  const weak = await openProxy({
    toClient: ({ etag, ...headers }) => (etag ? { ...headers, etag: `W/${etag}` } : headers),
  });
  expect(faults(await check(weak))).toEqual([
    ['warning: ETags', contains('the ETag arrives as W/'), contains('switch compression off')],
  ]);
  const unconditional = await openProxy({
    toServer: (headers) => ({ ...headers, 'if-none-match': undefined }),
  });
  expect(faults(await check(unconditional))).toEqual([
    ['warning: ETags', contains('answered with 200'), contains('If-None-Match')],
  ]);
});

test('clients that choose their address, and subscribers that are kept out', async () => {
  // The proxy passes on what the client wrote.
  trusting = await TestServer.open(snapshot, { hub, environment: { TRUST_PROXY: '1' } });
  const forgeable = await openProxy({}, trusted, trusting.port);
  expect(faults(await check(forgeable))).toEqual([
    ['wrong: proxy headers', contains('can choose their address'), contains('overwrite X-Forw')],
  ]);
  const overwriting = await openProxy(
    { toServer: (headers) => ({ ...headers, 'x-forwarded-for': '198.51.100.1' }) },
    trusted,
    trusting.port,
  );
  expect(faults(await check(overwriting))).toEqual([]);
  const silent = await openProxy({
    toClient: (headers) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !/ratelimit/.test(name))),
  });
  expect(faults(await check(silent))).toEqual([
    ['warning: proxy headers', contains('without X-RateLimit headers'), contains('pass')],
  ]);
  const closed = await openProxy({
    intercept: ({ url }, response) => {
      if (url !== '/api/websub/hub') return false;
      response.writeHead(404).end();
      return true;
    },
  });
  expect(faults(await check(closed))).toEqual([
    ['wrong: hub', contains('subscribers get status 404'), contains('pass POST of forms')],
  ]);
});

test('a proxy that redirects documents, and a cache that serves an old one', async () => {
  const redirecting = await openProxy({
    intercept: ({ url }, response) => {
      if (url !== '/reviews.json') return false;
      response.writeHead(302, { Location: '/login' }).end();
      return true;
    },
  });
  expect(faults(await check(redirecting))).toEqual([
    ['wrong: content', contains('/reviews.json is answered with 302, to /login'), contains('pass')],
  ]);
  const old = await openProxy({
    toClient: (headers) => ({ ...headers, 'last-modified': 'Sat, 01 Jan 2022 00:00:00 GMT' }),
  });
  expect(faults(await check(old))).toEqual([
    ['wrong: content', contains('unlike the store'), contains('clear the cache')],
  ]);
});

test('a proxy that keeps agents out, or changes the Host', async () => {
  const closed = await openProxy({
    intercept: ({ url }, response) => {
      if (url !== '/mcp') return false;
      response.writeHead(403).end('no');
      return true;
    },
  });
  expect(faults(await check(closed))).toEqual([
    ['wrong: MCP', 'agents get status 403: "no"', contains('pass POST /mcp with its Host header')],
  ]);
  // A public name of this machine that needs no name server.
  const name = 'http://[::ffff:7f00:1]';
  const named = await TestServer.open(snapshot, { hub, environment: { BASE_URL: name } });
  const throughProxy = async (proxyFaults: ProxyFaults) => {
    const { port } = new URL(await openProxy(proxyFaults, null, named.port));
    return faults(await check(`${name}:${port}`));
  };
  expect(await throughProxy({})).toEqual([
    ['warning: metrics', contains('/metrics is answered'), contains('set X-Forwarded-For')],
  ]);
  const toServer = (headers: IncomingHttpHeaders) => ({ ...headers, 'x-real-ip': '192.0.2.1' });
  expect(await throughProxy({ toServer })).toEqual([]);
  for (const host of ['public_reviews', '127.0.0.1:8080', 'backend.internal.example']) {
    expect(await throughProxy({ toServer: (headers) => ({ ...toServer(headers), host }) })).toEqual(
      [['wrong: MCP', contains('agents get status 403'), contains('Host header')]],
    );
  }
  await named.close();
});
