// Sends the same request again and again over connections that stay open, and reads no more of the
// answers than where they end: what is measured is the server.

import { connect, type Socket } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const END_OF_CHUNKS = Buffer.from('\r\n0\r\n\r\n');

export interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The bytes of a POST to `/mcp`. */
export function bytesOf(origin: string, { headers, body }: Request): Buffer {
  const lines = Object.entries({
    Host: new URL(origin).host,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** The bytes of a GET of a path. */
export function bytesOfRead(origin: string, path: string): Buffer {
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${new URL(origin).host}`, 'Accept-Encoding: br'];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

/** Answers a second that a server gives to so many clients at once. */
export async function rateOf(
  origin: string,
  bytes: Buffer,
  { connections, forMs }: { readonly connections: number; readonly forMs: number },
): Promise<{ readonly calls: number; readonly perSecond: number }> {
  const begin = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, () => callFor(origin, bytes, begin + forMs)),
  );
  const calls = counts.reduce((sum, count) => sum + count, 0);
  return { calls, perSecond: (calls * 1000) / (performance.now() - begin) };
}

function callFor(origin: string, bytes: Buffer, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(bytes));
    const reader = new AnswerReader();
    let count = 0;
    socket.setNoDelay(true);
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      if (!reader.take(chunk)) return;
      count += 1;
      if (reader.status !== 200) end(socket, reject, new Error(`an answer has ${reader.status}`));
      else if (performance.now() > until) end(socket, resolve, count);
      else socket.write(bytes);
    });
  });
}

function end<T>(socket: Socket, done: (value: T) => void, value: T): void {
  socket.destroy();
  done(value);
}

/** Finds the end of an answer, by its length or its last chunk. */
class AnswerReader {
  status = 0;
  #missing = 0;
  #isChunked = false;
  #isInBody = false;
  #tail = Buffer.alloc(0);

  /** Whether the answer is complete with this. */
  take(chunk: Buffer): boolean {
    let body = chunk;
    if (!this.#isInBody) {
      const at = chunk.indexOf(END_OF_HEAD);
      if (at < 0) throw new Error('the head of an answer came in pieces');
      const head = chunk.toString('latin1', 0, at);
      this.status = Number(head.slice(9, 12));
      const [, length] = /^content-length: (\d+)/im.exec(head) ?? [];
      this.#isChunked = length === undefined;
      this.#missing = Number(length ?? 0);
      this.#isInBody = true;
      body = chunk.subarray(at + END_OF_HEAD.length);
    }
    if (this.#isChunked) {
      this.#tail = Buffer.concat([this.#tail, body]).subarray(-END_OF_CHUNKS.length);
      this.#isInBody = !this.#tail.equals(END_OF_CHUNKS);
      if (!this.#isInBody) this.#tail = Buffer.alloc(0);
    } else {
      this.#missing -= body.length;
      this.#isInBody = this.#missing > 0;
    }
    return !this.#isInBody;
  }
}
