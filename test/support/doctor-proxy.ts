// A TLS proxy in front of a test server, with the faults that proxies of operators have.

import {
  createServer as createPlainServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

export interface ProxyFaults {
  /** Changes the headers that the server gets. */
  readonly toServer?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  /** Changes the headers that the client gets. */
  readonly toClient?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  /** Answers a request itself. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export class DoctorProxy {
  readonly #server: Server;
  readonly #scheme: string;

  private constructor(server: Server, scheme: string) {
    this.#server = server;
    this.#scheme = scheme;
  }

  /** Passes requests on to a port of this machine; without a certificate it has no TLS. */
  static async open(
    port: number,
    certificate: { readonly key: string; readonly cert: string } | null,
    faults: ProxyFaults = {},
  ): Promise<DoctorProxy> {
    const answer = (asked: IncomingMessage, response: ServerResponse) => {
      if (faults.intercept?.(asked, response) === true) return;
      const { method, url: path } = asked;
      const changed = faults.toServer?.(asked.headers) ?? asked.headers;
      const headers = Object.fromEntries(
        Object.entries(changed).filter(([, value]) => value !== undefined),
      );
      const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answered) => {
        const given = faults.toClient?.(answered.headers) ?? answered.headers;
        response.writeHead(answered.statusCode ?? 500, given);
        answered.pipe(response);
      });
      onward.once('error', () => response.destroy());
      asked.pipe(onward);
    };
    const server =
      certificate === null ? createPlainServer(answer) : createServer({ ...certificate }, answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new DoctorProxy(server, certificate === null ? 'http' : 'https');
  }

  get origin(): string {
    return `${this.#scheme}://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
