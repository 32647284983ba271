// Who listens for what, as long as they do, and how many may.

import { expect, test } from 'vitest';
import { ListenStreams } from '../../src/mcp/listen-streams.ts';

const listen = (...uris: unknown[]) => ({
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: uris } },
});

const enter = (watches: ListenStreams, message: unknown, client = 'a client'): (() => void) => {
  const entered = watches.enter(message, client);
  if (typeof entered !== 'function') throw new Error(entered.error.message);
  return entered;
};

test('a resource is watched while anybody listens for it', () => {
  const watches = new ListenStreams();
  const first = enter(watches, listen('a', 'b'));
  const second = enter(watches, listen('b', 5, null));
  expect([...watches.uris]).toEqual(['a', 'b']);
  first();
  expect([...watches.uris]).toEqual(['b']);
  second();
  expect(watches.uris.size).toBe(0);
});

test('one resource named twice is left when its listener leaves', () => {
  const watches = new ListenStreams();
  enter(watches, listen('a', 'a'))();
  expect(watches.uris.size).toBe(0);
});

test('so many may listen, and one more when one has left', () => {
  const watches = new ListenStreams(2);
  const leave = enter(watches, listen('a'));
  enter(watches, listen());
  expect(watches.enter(listen('b'), 'another')).toMatchObject({
    status: 503,
    headers: ['Retry-After', '60'],
  });
  expect([...watches.uris]).toEqual(['a']);
  leave();
  enter(watches, listen('b'));
});

test('one client cannot take all streams from the others', () => {
  const watches = new ListenStreams(10, 2);
  const leave = enter(watches, listen('a'), 'greedy');
  enter(watches, listen('b'), 'greedy');
  expect(watches.enter(listen('c'), 'greedy')).toMatchObject({
    status: 429,
    headers: ['Retry-After', '60'],
  });
  expect([...watches.uris]).toEqual(['a', 'b']);
  enter(watches, listen('c'), 'another');
  leave();
  enter(watches, listen('d'), 'greedy');
});

test('by default one client has a small part of the streams', () => {
  const watches = new ListenStreams();
  const entered = (client: string) => typeof watches.enter(listen('a'), client) === 'function';
  const counts = ['a', 'b'].map(
    (client) => Array.from({ length: 600 }, () => entered(client)).filter(Boolean).length,
  );
  expect(counts).toEqual([32, 32]);
});

test('other requests are not counted', () => {
  const watches = new ListenStreams(0);
  for (const message of [{ method: 'tools/list' }, { method: 'tools/call', params: {} }]) {
    enter(watches, message)();
  }
  expect(watches.enter(listen(), 'a client')).toMatchObject({ status: 503 });
});

test('what is no list of URIs is for the SDK to refuse', () => {
  const watches = new ListenStreams();
  for (const params of [
    undefined,
    {},
    { notifications: 5 },
    { notifications: { resourceSubscriptions: 'a' } },
  ]) {
    enter(watches, { method: 'subscriptions/listen', params });
  }
  expect(watches.uris.size).toBe(0);
});
