// A TLS server whose responses a test writes byte for byte, and that counts its connections.

import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { Certificate } from './tls.ts';

/** Called for each request when its headers have arrived; `begun` is the part of the body received so far. */
type RawAnswer = (socket: TLSSocket, begun: Buffer) => void;

export class RawServer {
  readonly #server: Server;
  /** All TCP connections, including those without a request. */
  readonly connections: Socket[] = [];
  readonly heads: string[] = [];
  answer: RawAnswer;

  private constructor(server: Server, answer: RawAnswer) {
    this.#server = server;
    this.answer = answer;
  }

  static async open(
    { key, cert }: Certificate,
    answer: RawAnswer = ok,
    address = '127.0.0.1',
    port = 0,
  ): Promise<RawServer> {
    const server = createServer({ key, cert });
    const raw = new RawServer(server, answer);
    server.on('connection', (socket) => raw.connections.push(socket));
    server.on('tlsClientError', () => undefined);
    server.on('secureConnection', (socket) => raw.#read(socket));
    await new Promise<void>((resolve) => server.listen(port, address, resolve));
    return raw;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(host = '127.0.0.1', target = '/callback'): string {
    return `https://${host}:${this.port}${target}`;
  }

  /** Open connections. */
  get open(): number {
    return this.connections.filter(({ destroyed }) => !destroyed).length;
  }

  #read(socket: TLSSocket): void {
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n') + 4;
      if (end < 4) return;
      const head = received.slice(0, end);
      const begun = Buffer.from(received.slice(end), 'latin1');
      received = '';
      // The rest of a large body is not another request.
      if (!/^(?:GET|POST) /.test(head)) return;
      this.heads.push(head);
      this.answer(socket, begun);
    });
  }

  async close(): Promise<void> {
    for (const socket of this.connections) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Responds with 200 and keeps the connection. */
export const ok: RawAnswer = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
};
