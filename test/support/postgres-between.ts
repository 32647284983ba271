// Proxies for PostgreSQL: a TLS terminator, and a pooler in transaction mode.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from './tls.ts';

/** Length and code of PostgreSQL's SSLRequest message. */
const SSL_REQUEST = '0000000804d2162f';

abstract class Between {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  protected constructor() {
    this.#server = createServer((client) => {
      this.track(client);
      this.serve(client);
    });
  }

  protected abstract serve(client: Socket): void;

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  protected track<T extends Socket>(socket: T): T {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Terminates TLS for a PostgreSQL without TLS; forwards unencrypted connections. */
export class TlsBetween extends Between {
  readonly #target: number;
  readonly #certificate: Certificate;
  encrypted = 0;
  plain = 0;

  constructor(target: number, certificate: Certificate) {
    super();
    this.#target = target;
    this.#certificate = certificate;
  }

  protected serve(client: Socket): void {
    client.once('data', (first) => {
      const far = this.track(connect(this.#target, '127.0.0.1'));
      client.on('close', () => far.destroy());
      far.on('close', () => client.destroy());
      if (first.toString('hex') !== SSL_REQUEST) {
        this.plain += 1;
        far.write(first);
        client.pipe(far).pipe(client);
        return;
      }
      client.write('S');
      const { key, cert } = this.#certificate;
      const near = this.track(new TLSSocket(client, { isServer: true, key, cert }));
      near.once('secure', () => (this.encrypted += 1));
      near.pipe(far).pipe(near);
    });
  }
}

/** Runs each transaction on the most recently freed server connection, as PgBouncer does. */
export class TransactionPooler extends Between {
  readonly #target: number;
  readonly #free: Socket[] = [];
  readonly #clientOf = new Map<Socket, Socket>();

  constructor(target: number) {
    super();
    this.#target = target;
  }

  /** Each client logs in on a new server connection, which then joins the pool. */
  protected serve(client: Socket): void {
    const far = this.track(connect(this.#target, '127.0.0.1'));
    this.#clientOf.set(far, client);
    let rest = Buffer.alloc(0);
    far.on('data', (chunk) => {
      this.#clientOf.get(far)?.write(chunk);
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const message = rest.subarray(0, 1 + rest.readUInt32BE(1));
        rest = rest.subarray(message.length);
        // ReadyForQuery outside of a transaction.
        if (message.toString('latin1', 0, 1) === 'Z' && message[5] === 0x49) this.#release(far);
      }
    });
    client.on('data', (chunk) => {
      // The connection of a client that disconnects stays in the pool.
      if (chunk.toString('latin1', 0, 1) !== 'X') this.#serverOf(client).write(chunk);
    });
  }

  #release(far: Socket): void {
    this.#clientOf.delete(far);
    this.#free.push(far);
  }

  #serverOf(client: Socket): Socket {
    const held = [...this.#clientOf].find(([, each]) => each === client);
    if (held) return held[0];
    const far = this.#free.pop();
    if (!far) throw new Error('there is no free connection');
    this.#clientOf.set(far, client);
    return far;
  }
}
