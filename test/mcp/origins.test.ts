// Host and Origin checks: pages of rebound domain names are rejected, all other clients are served.

import { describe, expect, test } from 'vitest';
import { OriginPolicy } from '../../src/mcp/origins.ts';

type Case = readonly [host: string | undefined, origin: string | undefined, isServed: boolean];

const LOCAL: readonly Case[] = [
  ['localhost:8080', undefined, true],
  ['127.0.0.1:8080', undefined, true],
  ['[::1]:8080', undefined, true],
  ['192.168.1.9:8080', undefined, true],
  ['reviews:8080', undefined, true],
  ['a.localhost', undefined, true],
  ['localhost:8080', 'http://localhost:6274', true],
  ['localhost:8080', 'http://127.0.0.1:3000', true],
  ['localhost:8080', 'http://a.localhost:3000', true],
  ['localhost:8080', 'http://[::1]:3000', true],
  ['localhost:8080', 'http://127.9.9.9', true],
  ['localhost:8080', 'http://2130706433', true],
  ['localhost:8080', 'https://evil.example', false],
  ['localhost:8080', 'http://8.8.8.8', false],
  ['localhost:8080', 'http://192.168.1.9', false],
  ['localhost:8080', 'http://[2001:db8::1]', false],
  ['localhost:8080', 'http://[::ffff:8.8.8.8]', false],
  ['localhost:8080', 'http://attacker', false],
  ['localhost:8080', 'http://localhost.', false],
  ['localhost:8080', 'http://127.evil.example', false],
  ['localhost:8080', 'http://127.0.0.1.evil.example', false],
  ['192.168.1.9:8080', 'http://192.168.1.9:8080', false],
  ['evil.example', 'http://evil.example', false],
  ['evil.example:8080', undefined, false],
  ['localhost.evil.example', undefined, false],
  ['127.0.0.1.evil.example', undefined, false],
  ['localhost', 'null', false],
  ['localhost', '', false],
  ['localhost', 'file://', false],
  ['localhost', 'http://localhost@evil.example', false],
  [undefined, undefined, false],
  ['', undefined, false],
  ['local host', undefined, false],
];

const PUBLIC: readonly Case[] = [
  ['reviews.example.com', undefined, true],
  ['REVIEWS.example.com:443', undefined, true],
  ['reviews.example.com', 'https://any-agent.example', true],
  ['reviews.example.com', 'http://localhost:6274', true],
  ['reviews.example.com', 'null', false],
  ['reviews.example.com', 'chrome-extension://abc', false],
  ['127.0.0.1:8080', undefined, true],
  ['127.0.0.1:8080', 'https://reviews.example.com', true],
  ['127.0.0.1:8080', 'https://any-agent.example', false],
  ['server:8080', 'http://rebound.example', false],
  ['evil.example', 'https://evil.example', false],
  ['example.com', undefined, false],
  ['reviews.example.com.evil.example', undefined, false],
];

/** A name that merely starts like a loopback address is public. */
const ALMOST_LOCAL: readonly Case[] = [
  ['127.example.com', undefined, true],
  ['127.example.com', 'https://any-agent.example', true],
];

describe.each([
  ['http://localhost:8080', LOCAL],
  ['http://127.0.0.1:8080', LOCAL],
  ['http://[::1]:8080', LOCAL],
  ['https://127.example.com', ALMOST_LOCAL],
  ['https://reviews.example.com', PUBLIC],
] as const)('a server at %s', (baseUrl, cases) => {
  test.each(cases)('Host %s with Origin %s is served: %s', (host, origin, isServed) => {
    const refusal = new OriginPolicy(baseUrl).refuse({
      ...(host === undefined ? {} : { host }),
      ...(origin === undefined ? {} : { origin }),
    });
    expect(refusal === null).toBe(isServed);
  });
});

test('the rejection of a Host says how to fix it', () => {
  expect(
    new OriginPolicy('https://reviews.example.com').refuse({ host: 'reviews.example.org' }),
  ).toBe(
    'expected the Host reviews.example.com, got reviews.example.org; ' +
      'if that is the right name for this server, set BASE_URL to it',
  );
});
