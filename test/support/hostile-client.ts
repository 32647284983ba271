// A hostile client that writes bytes as it likes, and bystanders whose answers must stay complete and right.

import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { Answer, TestServer } from './http.ts';
import { until } from './patience.ts';

/** A connection that a test controls byte by byte. */
export class RawConnection {
  readonly socket: Socket;
  received = '';
  isClosed = false;

  private constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    // Hostile clients cause resets.
    this.socket.on('error', () => undefined);
    this.socket.on('end', () => this.socket.end());
    this.socket.on('close', () => (this.isClosed = true));
  }

  static async open(port: number): Promise<RawConnection> {
    const connection = new RawConnection(port);
    await until(() => !connection.socket.connecting || connection.isClosed);
    return connection;
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Stops reading, so that answers fill the buffers of the system. */
  stopReading(): void {
    this.socket.removeAllListeners('data').pause();
  }

  /** Statuses of the answers so far. */
  get statuses(): number[] {
    return statusesOf(this.received);
  }

  async closed(): Promise<this> {
    await until(() => this.isClosed);
    return this;
  }

  /** Waits for so many answers. */
  async answers(count: number): Promise<number[]> {
    await until(() => this.statuses.length >= count || this.isClosed);
    return this.statuses;
  }

  end(): void {
    this.socket.destroy();
  }
}

export function statusesOf(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Paths that bystanders ask for: a document, a search, a review list, a page, a health check. */
const BYSTANDER_PATHS = [
  '/reviews.json',
  '/api/reviews/search?query=boiler&limit=5',
  '/api/reviews/since/2024-01-01',
  '/',
  '/healthz',
];

/** Clients that behave, and whose answers were recorded before the attack. */
export class Bystanders {
  readonly #server: TestServer;
  readonly #expected: ReadonlyMap<string, Answer>;

  private constructor(server: TestServer, expected: ReadonlyMap<string, Answer>) {
    this.#server = server;
    this.#expected = expected;
  }

  static async of(server: TestServer): Promise<Bystanders> {
    const answers = await Promise.all(
      BYSTANDER_PATHS.map(async (path) => [path, await server.ask(path)] as const),
    );
    for (const [path, { status }] of answers) expect([path, status]).toEqual([path, 200]);
    return new Bystanders(server, new Map(answers));
  }

  /** Asks for every path once; each answer must be the recorded one, byte for byte. */
  async ask(): Promise<void> {
    for (const [path, before] of this.#expected) {
      const { status, body, headers } = await this.#server.ask(path);
      expect([path, status, headers['content-type']]).toEqual([
        path,
        200,
        before.headers['content-type'],
      ]);
      expect(body.equals(before.body), path).toBe(true);
    }
  }

  /** Runs an attack; bystanders ask until it ends, at least once while it goes on. */
  async during<T>(attack: () => Promise<T>): Promise<T> {
    const state = { isOver: false };
    const attacking = attack().finally(() => (state.isOver = true));
    // Awaited below.
    attacking.catch(() => undefined);
    do await this.ask();
    while (!state.isOver);
    return attacking;
  }
}
