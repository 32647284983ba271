// Clients that stop reading an answer, or read it too slowly. The clock is the test's own.

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendPieces } from '../../src/http/answer.ts';
import { endStalled } from '../../src/http/stalled.ts';
import { until } from '../support/store.ts';

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
async function ask(
  answer: RequestListener = (_request, response) => sendPieces(response, [BODY]),
): Promise<Socket> {
  server = createServer(answer);
  endStalled(server, LIMIT_MS);
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

test('a connection that drains slower than 256 KB in a window is closed', async () => {
  const piece = Buffer.alloc(16 * 1024);
  const socket = await ask((_request, response) => {
    const send = (): void => {
      if (response.destroyed) return;
      if (response.write(piece)) setImmediate(send);
      else response.once('drain', send);
    };
    send();
  });
  client.pause();
  await until(() => socket.writableLength > 0);
  // The system's buffers take megabytes at first; then each check finds 16 KB more.
  for (let check = 0; check < 1_000 && !socket.destroyed; check++) {
    client.read(16 * 1024);
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(LIMIT_MS / 4);
  }
  expect(socket.destroyed).toBe(true);
});
