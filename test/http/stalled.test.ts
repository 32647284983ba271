import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { sendPieces } from '../../src/http/answer.ts';
import { endStalled } from '../../src/http/stalled.ts';

const PATIENCE_MS = 1_000;
/** More than any system takes at once. */
const BODY = Buffer.alloc(64 * 1024 * 1024);

let server: Server;
let client: Socket;
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

/** Asks for the body and reads nothing; resolves with the server's end of the connection. */
async function ask(
  answer: RequestListener = (_request, response) => sendPieces(response, [BODY]),
): Promise<Socket> {
  server = createServer(answer);
  endStalled(server, PATIENCE_MS);
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

test('a reader that takes nothing of what waits for it is let go', async () => {
  const socket = await ask();
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

test('one that has taken all may stay, and ask again', async () => {
  const socket = await ask();
  await read(BODY.length);
  let looks = 0;
  await new Promise<void>((resolve) => {
    const look = setInterval(() => {
      expect(socket.destroyed).toBe(false);
      if (++looks < 8) return;
      clearInterval(look);
      resolve();
    }, PATIENCE_MS / 2);
  });
  const more = read(BODY.length);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await more;
});

test('one that takes a little now and then does not keep an old answer', async () => {
  const piece = Buffer.alloc(16 * 1024);
  let sent = 0;
  const socket = await ask((_request, response) => {
    const send = (): void => {
      sent += 1;
      if (!response.destroyed && !response.write(piece)) response.once('drain', send);
      else if (!response.destroyed) setImmediate(send);
    };
    send();
  });
  // Less than the 256 KB of a window, and yet something in each check.
  client.pause();
  const reading = setInterval(() => client.read(16 * 1024), PATIENCE_MS / 10);
  await once(socket, 'close');
  clearInterval(reading);
  expect(socket.destroyed).toBe(true);
  expect(sent).toBeGreaterThan(0);
});
