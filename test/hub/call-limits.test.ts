// How many requests one place gets in a minute.

import { beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { CallLimits } from '../../src/hub/call-limits.ts';

let elapsedMs: number;
beforeEach(() => {
  elapsedMs = 0;
});

/** A domain gets 60 requests a minute and a network 240 with the default of 10; half of them unproven. */
const limitsOf = (maxSubscriptionsPerHost = 10) =>
  new CallLimits({ ...parseConfig({}).hub, maxSubscriptionsPerHost }, () => elapsedMs);

/** Sends while it may, and says how often that was. */
function send(limits: CallLimits, domain: string, network: string, isUnproven = false): number {
  for (let sent = 0; sent < 10_000; sent++) {
    const isOver =
      limits.hasExhausted(domain, isUnproven) ||
      limits.exhaustedNetwork([network], isUnproven) !== undefined;
    if (isOver) return sent;
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

test('half of them for callbacks that have not shown that they answer', () => {
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
  for (let place = 0; place < 50; place++) sent += send(limits, `${place}.example`, '192.0.2.1');
  expect(sent).toBe(240);
  expect(limits.exhausted(false).networks).toEqual(['192.0.2.1']);
  expect(send(limits, 'other.example', '192.0.2.2')).toBe(60);
});

test('in no minute are there more, wherever it begins', () => {
  const limits = limitsOf();
  const times: number[] = [];
  for (; elapsedMs < 600_000; elapsedMs += 700) {
    for (let sent = send(limits, 'a.example', '192.0.2.1'); sent > 0; sent--) times.push(elapsedMs);
  }
  const most = times.map((end) => times.filter((at) => at > end - 60_000 && at <= end).length);
  expect(Math.max(...most)).toBe(60);
  // And nearly as many in each, without end.
  expect(times.length).toBeGreaterThan(500);
});

test('without a limit of subscriptions there is none of requests', () => {
  expect(send(limitsOf(0), 'a.example', '192.0.2.1')).toBe(Infinity);
});
