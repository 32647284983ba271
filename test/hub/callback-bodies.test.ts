// Bodies: sent whole and signed at any size, and read no further than needed.

import { createHash, createHmac } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callbackOf } from '../../src/hub/parse-callback.ts';
import { CallbackCalls } from '../support/callback-calls.ts';
import { PATIENCE_MS, until } from '../support/patience.ts';

const MIB = 2 ** 20;

let calls: CallbackCalls;
beforeAll(async () => {
  calls = await CallbackCalls.open();
});
afterEach(() => calls.closeServers());
afterAll(() => calls.close());

const serve: CallbackCalls['serve'] = (answer) => calls.serve(answer);

const CHALLENGE = 'abcdefghijklmnopqrstuvwxyz012345';
const verify = (url: string, timeoutMs = PATIENCE_MS) =>
  calls.client.ask(callbackOf(url), [], 32, timeoutMs, () => null);
const deliver: CallbackCalls['deliver'] = (...given) => calls.deliver(...given);

/** Writes as fast as the connection allows until it closes; `written` counts the bytes. */
function flood(socket: TLSSocket, first: string, written: { bytes: number }): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const more = () => {
    while (!socket.destroyed) {
      written.bytes += piece.length;
      if (!socket.write(piece)) break;
    }
  };
  socket.on('drain', more);
  socket.write(first);
  more();
}

describe('the response to a challenge', () => {
  const answer = (body: string) =>
    `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  test('may come after a few interim responses', async () => {
    const server = await serve((socket) => {
      socket.write(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(16)}${answer(CHALLENGE)}`);
    });
    expect(await verify(server.url())).toMatchObject({ status: 200 });
  });

  test('is not awaited through a flood of interim responses', async () => {
    const written = { bytes: 0 };
    const closed = Promise.withResolvers<void>();
    const server = await serve((socket) => {
      const piece = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000);
      const more = () => {
        while (!socket.destroyed) {
          written.bytes += piece.length;
          if (!socket.write(piece)) break;
        }
      };
      socket.on('drain', more);
      socket.once('close', () => closed.resolve());
      more();
    });
    const reason = 'more than 16 interim responses';
    expect(await verify(server.url())).toEqual({ kind: 'failed', reason });
    await closed.promise;
    expect(written.bytes).toBeLessThan(32 * MIB);
  });

  test('is read to its end', async () => {
    const server = await serve((socket) => void socket.write(answer(CHALLENGE)));
    const reply = await verify(server.url());
    expect(reply).toMatchObject({ status: 200, body: Buffer.from(CHALLENGE) });
  });

  test('is assembled from pieces and chunks', async () => {
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      for (const character of CHALLENGE) socket.write(`1\r\n${character}\r\n`);
      socket.write('0\r\n\r\n');
    });
    expect(await verify(server.url())).toMatchObject({ body: Buffer.from(CHALLENGE) });
  });

  test('I6: does not match if it is one byte too long', async () => {
    const server = await serve((socket) => void socket.write(answer(`${CHALLENGE}\n`)));
    expect(await verify(server.url())).toMatchObject({ body: Buffer.from(`${CHALLENGE}\n`) });
  });

  test('I6: is not read further, even if it has 100 MB', async () => {
    const written = { bytes: 0 };
    const server = await serve((socket) =>
      flood(socket, `HTTP/1.1 200 OK\r\nContent-Length: ${100 * MIB}\r\n\r\n${CHALLENGE}`, written),
    );
    const reply = await verify(server.url());
    if (reply.kind !== 'answered') throw new Error(reply.kind);
    expect(reply.body.length).toBeGreaterThan(32);
    // One read of a socket, not the whole body.
    expect(reply.body.length).toBeLessThanOrEqual(64 * 1024);
    await until(() => server.open === 0);
    // What the buffers of a connection hold at most.
    expect(written.bytes).toBeLessThan(48 * MIB);
  });

  test('I6: fails at the time limit if it never ends after the challenge', async () => {
    const server = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n${CHALLENGE}\r\n`);
    });
    const reply = await verify(server.url(), 300);
    expect(reply).toEqual({ kind: 'failed', reason: 'no complete response within 0.3 s' });
    await until(() => server.open === 0);
  });

  test('fails if it is cut off', async () => {
    const server = await serve((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n${CHALLENGE}`),
    );
    expect(await verify(server.url())).toMatchObject({ kind: 'failed' });
  });

  test.each(['headers', 'body'])('fails if its %s arrives too slowly', async (part) => {
    const server = await serve((socket) => {
      const timer = setInterval(() => socket.write(part === 'body' ? '1\r\na\r\n' : 'a'), 20);
      socket.on('close', () => clearInterval(timer));
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n');
      socket.write(part === 'body' ? '\r\n' : 'X-Header: ');
    });
    const slow = calls.client.ask(callbackOf(server.url()), [], 10_000, 300, () => null);
    expect(await slow).toEqual({ kind: 'failed', reason: 'no complete response within 0.3 s' });
    await until(() => server.open === 0);
  });
});

describe('the response to a delivery', () => {
  test('fails at the time limit if it never comes', async () => {
    const server = await serve(() => undefined);
    const reply = await deliver(server.url(), { timeoutMs: 300 });
    expect(reply).toEqual({ kind: 'failed', reason: 'no complete response within 0.3 s' });
    await until(() => server.open === 0);
  });

  test('C5: has a body that is ignored', async () => {
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello');
    });
    const reply = await deliver(server.url());
    expect(reply).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    expect(await deliver(server.url())).toEqual(reply);
  });

  test('C5: with an endless flood counts, and closes the connection', async () => {
    const written = { bytes: 0 };
    const server = await serve((socket) =>
      flood(socket, `HTTP/1.1 200 OK\r\nContent-Length: ${100 * MIB}\r\n\r\n`, written),
    );
    const reply = await deliver(server.url());
    expect(reply).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    await until(() => server.open === 0);
    expect(written.bytes).toBeLessThan(48 * MIB);
  });

  test('C5: with a body that never ends counts, long before the time limit', async () => {
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 5\r\n\r\nh');
    });
    expect(await deliver(server.url(), { timeoutMs: 3_600_000 })).toMatchObject({ status: 202 });
    await until(() => server.open === 0);
  });

  test('counts if it is cut off after the status', async () => {
    for (const end of [
      (socket: TLSSocket) => socket.end(),
      (socket: TLSSocket) => socket.destroySoon(),
    ]) {
      const server = await serve((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nh');
        end(socket);
      });
      expect(await deliver(server.url())).toMatchObject({ status: 200 });
    }
  });

  test('counts if it comes before the request body is read', async () => {
    const server = await serve((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
    const reply = await deliver(server.url(), { body: Buffer.alloc(30 * MIB, 'x') });
    expect(reply).toMatchObject({ status: 413 });
  });
});

describe('A1, A3: the signature', () => {
  const signature = (secret: string, body: Buffer) =>
    `sha256=${createHmac('sha256', Buffer.from(secret)).update(body).digest('hex')}`;

  test('matches a test vector', async () => {
    const reader = await calls.subscriber();
    // The second of RFC 4231, section 4.3.
    await deliver(reader.url(), {
      secret: 'Jefe',
      body: Buffer.from('what do ya want for nothing?'),
    });
    expect(reader.received[0]?.headers['x-hub-signature']).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  test.each([0, 1, 262_143, 262_144, 262_145, 600_000])(
    'of %d bytes is right, with a secret that is not ASCII',
    async (length) => {
      const reader = await calls.subscriber();
      const body = Buffer.from(Uint8Array.from({ length }, (_, index) => index % 251));
      await deliver(reader.url(), { body, secret: 'ключ é 🔑' });
      const [received] = reader.received;
      expect(received?.headers['x-hub-signature']).toBe(signature('ключ é 🔑', body));
      expect(received?.headers['content-length']).toBe(String(length));
      expect(Buffer.compare(received?.body ?? Buffer.of(1), body)).toBe(0);
    },
  );

  test('is absent without a secret', async () => {
    const reader = await calls.subscriber();
    await deliver(reader.url());
    expect(reader.received[0]?.headers).not.toHaveProperty('x-hub-signature');
  });
});

test('a body of 60 MB arrives whole, without a copy for each subscriber', async () => {
  const body = Buffer.alloc(60 * MIB);
  for (let index = 0; index < body.length; index += 4) body.writeUInt32LE(index, index);
  const expected = createHash('sha256').update(body).digest('hex');
  const paused: TLSSocket[] = [];
  const hashes: string[] = [];
  const server = await serve((socket, begun) => {
    const hash = createHash('sha256').update(begun);
    let missing = body.length - begun.length;
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      missing -= chunk.length;
      if (missing > 0) return;
      hashes.push(hash.digest('hex'));
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    socket.pause();
    paused.push(socket);
  });
  const before = process.memoryUsage.rss();
  const replies = Array.from({ length: 6 }, () =>
    deliver(server.url(), { body, timeoutMs: PATIENCE_MS }),
  );
  await until(() => paused.length === 6);
  const grown = process.memoryUsage.rss() - before;
  for (const socket of paused) socket.resume();
  for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ status: 204 });
  expect(hashes).toEqual(Array.from({ length: 6 }, () => expected));
  // Copies would be 360 MB.
  expect(grown).toBeLessThan(240 * MIB);
});
