// Clients that stop reading an answer, or read it too slowly. The clock is the test's own.

import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendPieces } from '../../src/http/answer.ts';
import { closeStalled } from '../../src/http/connections.ts';
import { until } from '../support/patience.ts';

const LIMIT_MS = 60_000;
/** More than any system takes at once. */
const BODY = Buffer.alloc(64 * 1024 * 1024);

let server: Server;
let client: Socket;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  client.destroy();
  server.closeAllConnections();
  server.close();
});

/** Asks for the body and reads nothing; resolves with the server's end of the connection. */
async function ask(): Promise<Socket> {
  server = createServer((_request, response) => sendPieces(response, [BODY]));
  closeStalled(server, LIMIT_MS, () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [socket] = (await once(server, 'connection')) as [Socket];
  return socket;
}

/** Reads until so many bytes have come. */
function read(bytes: number): Promise<void> {
  return new Promise((resolve) => {
    let received = 0;
    client.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received >= bytes) resolve();
    });
  });
}

test('a connection whose client reads nothing is closed', async () => {
  const socket = await ask();
  await until(() => socket.writableLength > 0);
  vi.advanceTimersByTime(LIMIT_MS / 2);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(LIMIT_MS);
  expect(socket.destroyed).toBe(true);
});

test('a connection whose client has read everything stays open, and takes the next request', async () => {
  const socket = await ask();
  await read(BODY.length);
  await until(() => socket.writableLength === 0);
  vi.advanceTimersByTime(4 * LIMIT_MS);
  expect(socket.destroyed).toBe(false);
  const more = read(BODY.length);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await more;
});

/** Whether a connection that drains so many bytes in each quarter of the window is open after three windows. */
function isOpenAfterDraining(bytesInQuarter: number): boolean {
  const sockets = new EventEmitter();
  const socket = Object.assign(new EventEmitter(), {
    bytesWritten: BODY.length,
    writableLength: BODY.length,
    destroyed: false,
    destroy: () => (socket.destroyed = true),
  });
  closeStalled(sockets as Server, LIMIT_MS, () => undefined);
  sockets.emit('connection', socket);
  for (let quarter = 0; quarter < 12; quarter++) {
    socket.writableLength -= bytesInQuarter;
    vi.advanceTimersByTime(LIMIT_MS / 4);
  }
  sockets.emit('close');
  return !socket.destroyed;
}

test('a connection that drains slower than 256 KB in a window is closed, and a quicker one is not', () => {
  expect(isOpenAfterDraining(48 * 1024)).toBe(false);
  expect(isOpenAfterDraining(80 * 1024)).toBe(true);
});
