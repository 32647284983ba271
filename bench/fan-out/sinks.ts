// Subscribers in their own process, which accept deliveries over TLS with minimal work, so that the
// sender is the bottleneck.

import { createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { answerQuestions } from '../companion.ts';

/** First the certificate, which opens the port; then the condition of each round. */
export type SinkQuestion =
  | { readonly kind: 'listen'; readonly key: string; readonly cert: string }
  | { readonly kind: 'expect'; readonly deliveries: number; readonly delayMs: number }
  | { readonly kind: 'await'; readonly what: 'first' | 'all' };

export interface SinkAnswer {
  readonly port: number;
  /** ms from the first delivery to the last. */
  readonly ms: number;
  /** Callbacks with a delivery; equals deliveries if none got two. */
  readonly callbacks: number;
  /** The number of opened connections. */
  readonly connections: number;
  /** The share of one core that the sinks used. */
  readonly load: number;
}

const ANSWER = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n');
const TIMEOUT_MS = 120_000;

/** The deliveries of this round. */
class Round {
  readonly #callbacks = new Set<string>();
  readonly #expected: number;
  readonly delayMs: number;
  connections = 0;
  #cpu = process.cpuUsage();
  #firstAt = 0;
  #lastAt = 0;
  #load = 0;
  #received = 0;
  readonly #first = Promise.withResolvers<void>();
  readonly #all = Promise.withResolvers<void>();

  constructor(expected: number, delayMs: number) {
    this.#expected = expected;
    this.delayMs = delayMs;
  }

  take(callback: string): void {
    if (this.#received === 0) {
      this.#firstAt = performance.now();
      this.#cpu = process.cpuUsage();
      this.#first.resolve();
    }
    this.#received += 1;
    this.#callbacks.add(callback);
    if (this.#received !== this.#expected) return;
    this.#lastAt = performance.now();
    const { user, system } = process.cpuUsage(this.#cpu);
    this.#load = (user + system) / 1000 / (this.#lastAt - this.#firstAt);
    this.#all.resolve();
  }

  /** Waits for the first delivery, or for all. */
  async wait(what: 'first' | 'all'): Promise<void> {
    const { promise } = what === 'first' ? this.#first : this.#all;
    const timer = setTimeout(() => {
      throw new Error(`${this.#received} of ${this.#expected} deliveries came in time`);
    }, TIMEOUT_MS);
    await promise;
    clearTimeout(timer);
  }

  result(port: number): SinkAnswer {
    return {
      port,
      ms: this.#lastAt - this.#firstAt,
      callbacks: this.#callbacks.size,
      connections: this.connections,
      load: this.#load,
    };
  }
}

let round = new Round(0, 0);
let port = 0;

/** Reads requests from a connection without pipelining. */
function takeFrom(socket: TLSSocket): void {
  round.connections += 1;
  let head: Buffer = Buffer.alloc(0);
  let [callback, missing] = ['', 0];
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    if (missing === 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      const text = head.toString('latin1', 0, end);
      callback = text.split(' ', 2)[1] ?? '';
      const length = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0);
      missing = length - (head.length - end - 4);
      head = Buffer.alloc(0);
    } else {
      missing -= chunk.length;
    }
    if (missing > 0) return;
    const { delayMs } = round;
    round.take(callback);
    if (delayMs === 0) socket.write(ANSWER);
    else setTimeout(() => socket.write(ANSWER), delayMs);
  });
}

async function answer(question: SinkQuestion): Promise<SinkAnswer> {
  switch (question.kind) {
    case 'listen': {
      const server = createServer({ key: question.key, cert: question.cert }, takeFrom);
      server.on('tlsClientError', () => undefined);
      await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', 4096, resolve));
      ({ port } = server.address() as AddressInfo);
      break;
    }
    case 'expect':
      round = new Round(question.deliveries, question.delayMs);
      break;
    case 'await':
      await round.wait(question.what);
      break;
  }
  return round.result(port);
}

answerQuestions(answer);
