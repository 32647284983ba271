// The limit of connections of one client address. Sockets are fake, because the test's own are on loopback.

import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { limitConnections, type RefusalReason } from '../../src/http/connections.ts';

let server: EventEmitter & { maxConnections?: number };
let refused: RefusalReason[];
beforeEach(() => {
  server = new EventEmitter();
  refused = [];
});

const limit = (options: Partial<Parameters<typeof limitConnections>[1]> = {}) =>
  limitConnections(
    server as unknown as Server,
    { maxConnections: 100, maxConnectionsPerClient: 3, trustProxy: false, ...options },
    (reason) => refused.push(reason),
  );

/** Connects; the socket knows whether the server closed it. */
function connect(remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    isClosed: false,
    destroy: () => (socket.isClosed = true),
  });
  server.emit('connection', socket);
  return socket;
}

const areClosed = (sockets: readonly { isClosed: boolean }[]) =>
  sockets.map(({ isClosed }) => isClosed);
const times = (count: number, address: string) =>
  Array.from({ length: count }, () => connect(address));

test('a public address has a limit, and gets another connection for each that ends', () => {
  limit();
  const open = times(5, '8.8.8.8');
  expect(areClosed(open)).toEqual([false, false, false, true, true]);
  expect(refused).toEqual(['client', 'client']);
  expect(areClosed(times(3, '8.8.4.4'))).toEqual([false, false, false]);
  open[0]!.emit('close');
  expect(areClosed(times(2, '8.8.8.8'))).toEqual([false, true]);
});

test('an IPv6 network of 64 bits is one client, and a mapped address is its IPv4 address', () => {
  limit();
  expect(areClosed(['1', '2', '3', '4'].map((end) => connect(`2606:4700::${end}`)))).toEqual([
    false,
    false,
    false,
    true,
  ]);
  times(3, '8.8.8.8');
  expect(connect('::ffff:8.8.8.8').isClosed).toBe(true);
});

test.each([
  '127.0.0.1',
  '10.0.0.9',
  '172.17.0.1',
  '192.168.1.1',
  '::1',
  'fd00::1',
  '::ffff:10.1.1.1',
])('%s may be a proxy and has no limit', (address) => {
  limit();
  expect(times(9, address).some(({ isClosed }) => isClosed)).toBe(false);
});

test.each([{ trustProxy: 1 }, { trustProxy: '8.8.8.0/24' }, { maxConnectionsPerClient: 0 }])(
  'with %j no address has a limit',
  (options) => {
    limit(options);
    expect(times(9, '8.8.8.8').some(({ isClosed }) => isClosed)).toBe(false);
  },
);

test('all are limited, and those that the system drops are counted', () => {
  limit();
  expect(server.maxConnections).toBe(100);
  server.emit('drop');
  expect(refused).toEqual(['all']);
});
