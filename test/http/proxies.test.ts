// Who the client is behind proxies, as each of them writes X-Forwarded-For.

import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const CLIENT = '203.0.113.1';
/** What a client writes in the hope of being taken for another each time. */
const forged = (round: number) => `198.51.100.${round}`;

/** How a proxy fills in the header: names and values in turn, of what it is sent by CLIENT. */
type Proxy = (sent: string) => string[];
const append: Proxy = (sent) => ['X-Forwarded-For', `${sent}, ${CLIENT}`];
const overwrite: Proxy = () => ['X-Forwarded-For', CLIENT];
const addLine: Proxy = (sent) => ['X-Forwarded-For', sent, 'X-Forwarded-For', CLIENT];
const passOn: Proxy = (sent) => ['X-Forwarded-For', sent];

let server: TestServer;
afterEach(() => server.close());

async function serve(TRUST_PROXY: string): Promise<void> {
  const environment = { TRUST_PROXY, RATE_LIMIT_PER_MINUTE: '1' };
  server = await TestServer.open(await snapshotOf([review()]), { environment });
}

function statusOf(headers: readonly string[]): Promise<number> {
  const { port } = server;
  return new Promise((resolve, reject) => {
    const all = ['Host', 'localhost', ...headers];
    request({ host: '127.0.0.1', port, path: '/reviews.json', headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode as number);
    })
      .once('error', reject)
      .end();
  });
}

describe.each([
  ['nginx with $remote_addr, Caddy, HAProxy with set-header', overwrite],
  ['nginx with $proxy_add_x_forwarded_for, Apache', append],
  ['HAProxy with option forwardfor', addLine],
] as const)('behind %s', (_name, proxy) => {
  test.each(['on', '1', '127.0.0.1', '127.0.0.0/8,::1'])(
    'TRUST_PROXY=%s counts the client, whatever it writes itself',
    async (trust) => {
      await serve(trust);
      expect(await statusOf(proxy(forged(1)))).toBe(200);
      expect(await statusOf(proxy(forged(2)))).toBe(429);
      expect(await statusOf(proxy(`${forged(3)}, 127.0.0.1`))).toBe(429);
    },
  );

  test('TRUST_PROXY=off counts the proxy', async () => {
    await serve('off');
    expect(await statusOf(proxy(forged(1)))).toBe(200);
    expect(await statusOf(['X-Forwarded-For', '203.0.113.77'])).toBe(429);
  });
});

test('behind two proxies the right-most address that is not trusted is the client', async () => {
  for (const trust of ['2', '127.0.0.1,10.0.0.0/8']) {
    await serve(trust);
    const chain = (sent: string) => ['X-Forwarded-For', `${sent}, ${CLIENT}, 10.0.0.5`];
    expect(await statusOf(chain(forged(1)))).toBe(200);
    expect(await statusOf(chain(forged(2)))).toBe(429);
    await server.close();
  }
  await serve('on');
  // One proxy is believed: the address before the nearest is the other proxy.
  expect(await statusOf(['X-Forwarded-For', `${CLIENT}, 10.0.0.5`])).toBe(200);
  expect(await statusOf(['X-Forwarded-For', '203.0.113.2, 10.0.0.5'])).toBe(429);
});

test('a proxy outside of the trusted networks is the client itself', async () => {
  await serve('10.0.0.0/8');
  expect(await statusOf(overwrite(''))).toBe(200);
  expect(await statusOf(['X-Forwarded-For', '203.0.113.2'])).toBe(429);
});

test('a proxy that passes the header on unchanged lets clients choose: the documented snippets do not', async () => {
  await serve('1');
  expect(await statusOf(passOn(forged(1)))).toBe(200);
  expect(await statusOf(passOn(forged(2)))).toBe(200);
});
