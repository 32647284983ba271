// A TCP proxy between a program and its database, which can stall connections without closing them.

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class StallingProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isStalled = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Forwards to a port of this machine. */
  static async open(target: number): Promise<StallingProxy> {
    const server = createServer();
    const proxy = new StallingProxy(server);
    server.on('connection', (near) => proxy.#join(near, connect(target, '127.0.0.1')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stalls: connections stay open and new ones are accepted, but no bytes are forwarded. */
  stall(): void {
    this.#isStalled = true;
    for (const sockets of this.#pairs) for (const socket of sockets) socket.pause();
  }

  /** Forwards what waited, and everything from now on. */
  resume(): void {
    this.#isStalled = false;
    for (const sockets of this.#pairs) for (const socket of sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const sockets of this.#pairs) for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Socket, far: Socket): void {
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (chunk) => to.write(chunk));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
      if (this.#isStalled) from.pause();
    }
  }
}
