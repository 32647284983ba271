// Counting what clients ask for in a minute, in memory.

import { expect, test } from 'vitest';
import { MemoryCounter } from '../../src/http/admission/rate-limit.ts';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

test('a minute begins with the first request of a client, and the next with the first after it', () => {
  let now = 5_000;
  const counter = new MemoryCounter({ maxClients: 10, nowMs: () => now });
  expect(counter.count('a')).toEqual({ count: 1, untilMs: 65_000 });
  now = 30_000;
  expect(counter.count('a')).toEqual({ count: 2, untilMs: 65_000 });
  expect(counter.count('b')).toEqual({ count: 1, untilMs: 90_000 });
  now = 64_999;
  expect(counter.count('a')).toEqual({ count: 3, untilMs: 65_000 });
  now = 65_000;
  expect(counter.count('a')).toEqual({ count: 1, untilMs: 125_000 });
});

test('a minute that began before the clock was set back is over', () => {
  let now = 3_600_000;
  const counter = new MemoryCounter({ maxClients: 10, nowMs: () => now });
  counter.count('a');
  now = 5_000;
  expect(counter.count('a')).toEqual({ count: 1, untilMs: 65_000 });
});

test('beyond so many clients the one whose minute began first is forgotten', () => {
  let now = 0;
  const counter = new MemoryCounter({ maxClients: 2, nowMs: () => now });
  for (const client of ['a', 'b', 'a', 'c']) counter.count(client);
  expect(counter.count('b')).toMatchObject({ count: 2 });
  expect(counter.count('c')).toMatchObject({ count: 2 });
  now = 1;
  expect(counter.count('a')).toEqual({ count: 1, untilMs: 60_001 });
});

test('a counter that fails is a fault, and is answered with the id of the request', async () => {
  const counter = { count: () => Promise.reject(new Error('no channel')) };
  const logged: string[] = [];
  const server = await TestServer.open(await snapshotOf([review()]), {
    environment: { RATE_LIMIT_PER_MINUTE: '3' },
    parts: { counter },
    log: (line) => logged.push(line),
  });
  const { status, headers, text } = await server.ask('/reviews.json');
  await server.close();
  expect([status, headers['cache-control']]).toEqual([500, 'no-store']);
  const id = String(headers['x-request-id']);
  expect(JSON.parse(text).detail).toBe(`The server failed. The request id is ${id}.`);
  expect(logged.join('')).toContain(id);
});
