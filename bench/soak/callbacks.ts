// A subscriber that confirms what it asked for and acknowledges every delivery.

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '../../test/support/tls.ts';

export class Callbacks {
  readonly #server: Server;
  deliveries = 0;

  private constructor({ key, cert }: Certificate) {
    this.#server = createServer({ key, cert }, (request, response) => {
      request.resume();
      if (request.method === 'GET') {
        const { searchParams } = new URL(request.url ?? '/', 'https://callback');
        response.end(searchParams.get('hub.challenge') ?? '');
        return;
      }
      request.once('end', () => {
        this.deliveries += 1;
        response.writeHead(204).end();
      });
    });
  }

  static async open(certificate: Certificate): Promise<Callbacks> {
    const callbacks = new Callbacks(certificate);
    await new Promise<void>((resolve) => callbacks.#server.listen(0, '127.0.0.1', resolve));
    return callbacks;
  }

  url(number: number): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${number}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
