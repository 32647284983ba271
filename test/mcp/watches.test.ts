// Who listens for what, as long as they do, and how many may.

import { expect, test } from 'vitest';
import { Watches } from '../../src/mcp/watches.ts';

const listen = (...uris: unknown[]) => ({
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: uris } },
});

const enter = (watches: Watches, message: unknown): (() => void) => {
  const entered = watches.enter(message);
  if (typeof entered !== 'function') throw new Error(entered.error.message);
  return entered;
};

test('a resource is watched while anybody listens for it', () => {
  const watches = new Watches();
  const first = enter(watches, listen('a', 'b'));
  const second = enter(watches, listen('b', 5, null));
  expect([...watches.uris]).toEqual(['a', 'b']);
  first();
  expect([...watches.uris]).toEqual(['b']);
  second();
  expect(watches.uris.size).toBe(0);
});

test('one resource named twice is left when its listener leaves', () => {
  const watches = new Watches();
  enter(watches, listen('a', 'a'))();
  expect(watches.uris.size).toBe(0);
});

test('so many may listen, and one more when one has left', () => {
  const watches = new Watches(2);
  const leave = enter(watches, listen('a'));
  enter(watches, listen());
  expect(watches.enter(listen('b'))).toMatchObject({ status: 503, headers: ['Retry-After', '60'] });
  expect([...watches.uris]).toEqual(['a']);
  leave();
  enter(watches, listen('b'));
});

test('other requests are not counted', () => {
  const watches = new Watches(0);
  for (const message of [{ method: 'tools/list' }, { method: 'tools/call', params: {} }]) {
    enter(watches, message)();
  }
  expect(watches.enter(listen())).toMatchObject({ status: 503 });
});

test('what is no list of URIs is for the SDK to refuse', () => {
  const watches = new Watches();
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
