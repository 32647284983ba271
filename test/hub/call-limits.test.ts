// The limits of requests per minute to one domain and one network.

import { beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { CallLimits } from '../../src/hub/call-limits.ts';

let elapsedMs: number;
beforeEach(() => {
  elapsedMs = 0;
});

/** With the default of 10: 60 requests a minute to a domain, 240 to a network, half of them unproven. */
const limitsOf = (maxSubscriptionsPerHost = 10) =>
  new CallLimits({ ...parseConfig({}).hub, maxSubscriptionsPerHost }, () => elapsedMs);

/** Sends requests until a limit is reached; returns how many. */
function send(limits: CallLimits, domain: string, network: string, isUnproven = false): number {
  for (let sent = 0; sent < 10_000; sent++) {
    const isLimited =
      limits.hasExhausted(domain, isUnproven) ||
      limits.exhaustedNetwork([network], isUnproven) !== undefined;
    if (isLimited) return sent;
    limits.count(domain, [network], isUnproven);
  }
  return Infinity;
}

test('a domain gets six requests a minute for each subscription of a host', () => {
  const limits = limitsOf();
  expect(send(limits, 'a.example', '192.0.2.1')).toBe(60);
  expect(limits.exhausted(false)).toEqual({ domains: ['a.example'], networks: [] });
  expect(send(limits, 'b.example', '192.0.2.1')).toBe(60);
});

test('unproven callbacks get half of them', () => {
  const limits = limitsOf();
  expect(send(limits, 'a.example', '192.0.2.1', true)).toBe(30);
  expect([limits.exhausted(true).domains, limits.exhausted(false).domains]).toEqual([
    ['a.example'],
    [],
  ]);
  expect(send(limits, 'a.example', '192.0.2.1')).toBe(30);
});

test('a network gets four times as many, whatever the domains', () => {
  const limits = limitsOf();
  let sent = 0;
  for (let index = 0; index < 50; index++) sent += send(limits, `${index}.example`, '192.0.2.1');
  expect(sent).toBe(240);
  expect(limits.exhausted(false).networks).toEqual(['192.0.2.1']);
  expect(send(limits, 'other.example', '192.0.2.2')).toBe(60);
});

test('no sliding minute exceeds the limit', () => {
  const limits = limitsOf();
  const times: number[] = [];
  for (; elapsedMs < 600_000; elapsedMs += 700) {
    for (let sent = send(limits, 'a.example', '192.0.2.1'); sent > 0; sent--) times.push(elapsedMs);
  }
  const most = times.map((end) => times.filter((at) => at > end - 60_000 && at <= end).length);
  expect(Math.max(...most)).toBe(60);
  // Every minute gets nearly the limit.
  expect(times.length).toBeGreaterThan(500);
});

test('without a limit of subscriptions, requests are unlimited', () => {
  expect(send(limitsOf(0), 'a.example', '192.0.2.1')).toBe(Infinity);
});
