// Registration and limits of `subscriptions/listen` streams.

import { expect, test } from 'vitest';
import { ListenStreams } from '../../src/mcp/listen-streams.ts';

const listen = (...uris: unknown[]) => ({
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: uris } },
});

const open = (streams: ListenStreams, message: unknown, client = 'a client'): (() => void) => {
  const opened = streams.open(message, client);
  if (typeof opened !== 'function') throw new Error(opened.error.message);
  return opened;
};

test('a resource is listed while at least one stream subscribes to it', () => {
  const streams = new ListenStreams();
  const first = open(streams, listen('a', 'b'));
  const second = open(streams, listen('b', 5, null));
  expect([...streams.resourceUris]).toEqual(['a', 'b']);
  first();
  expect([...streams.resourceUris]).toEqual(['b']);
  second();
  expect(streams.resourceUris.size).toBe(0);
});

test('a resource named twice is removed when its stream closes', () => {
  const streams = new ListenStreams();
  open(streams, listen('a', 'a'))();
  expect(streams.resourceUris.size).toBe(0);
});

test('streams beyond the limit are rejected until one closes', () => {
  const streams = new ListenStreams(2);
  const close = open(streams, listen('a'));
  open(streams, listen());
  expect(streams.open(listen('b'), 'another')).toMatchObject({
    status: 503,
    headers: ['Retry-After', '60'],
  });
  expect([...streams.resourceUris]).toEqual(['a']);
  close();
  open(streams, listen('b'));
});

test('streams beyond the limit of a client are rejected, those of others are not', () => {
  const streams = new ListenStreams(10, 2);
  const close = open(streams, listen('a'), 'greedy');
  open(streams, listen('b'), 'greedy');
  expect(streams.open(listen('c'), 'greedy')).toMatchObject({
    status: 429,
    headers: ['Retry-After', '60'],
  });
  expect([...streams.resourceUris]).toEqual(['a', 'b']);
  open(streams, listen('c'), 'another');
  close();
  open(streams, listen('d'), 'greedy');
});

test('the default limit is 32 streams for each client', () => {
  const streams = new ListenStreams();
  const isOpened = (client: string) => typeof streams.open(listen('a'), client) === 'function';
  const counts = ['a', 'b'].map(
    (client) => Array.from({ length: 600 }, () => isOpened(client)).filter(Boolean).length,
  );
  expect(counts).toEqual([32, 32]);
});

test('other requests are not counted', () => {
  const streams = new ListenStreams(0);
  for (const message of [{ method: 'tools/list' }, { method: 'tools/call', params: {} }]) {
    open(streams, message)();
  }
  expect(streams.open(listen(), 'a client')).toMatchObject({ status: 503 });
});

test('malformed params are left to the SDK to reject', () => {
  const streams = new ListenStreams();
  for (const params of [
    undefined,
    {},
    { notifications: 5 },
    { notifications: { resourceSubscriptions: 'a' } },
  ]) {
    open(streams, { method: 'subscriptions/listen', params });
  }
  expect(streams.resourceUris.size).toBe(0);
});
