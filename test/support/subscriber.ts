// A WebSub subscriber over HTTPS. Tests set its responses and inspect the requests that it received.

import { createServer, type Server } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportOnFailure } from './failure-logs.ts';
import { until } from './patience.ts';
import type { Certificate } from './tls.ts';

/** A request that the callback received. */
export interface Received {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly target: string;
  /** Parameters of the query. */
  readonly parameters: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** ms since 1970. */
  readonly at: number;
}

type Handler = (received: Received, response: ServerResponse) => void;

/** Confirms a challenge as the Recommendation specifies. */
export const confirm: Handler = ({ parameters }, response) => {
  response.end(parameters.get('hub.challenge') ?? '');
};

/** Responds with a status and a body. */
export function status(code: number, body = '', headers: Record<string, string> = {}): Handler {
  return (_received, response) => void response.writeHead(code, headers).end(body);
}

/** Never responds. */
export const hang: Handler = () => undefined;

export class Subscriber {
  readonly #server: Server;
  readonly #host: string;
  readonly received: Received[] = [];
  /** The handlers by method; a test may replace them at any time. */
  onGet: Handler = confirm;
  onPost: Handler = status(204);
  readonly #endReport: () => void;

  private constructor(server: Server, host: string) {
    this.#server = server;
    this.#host = host;
    this.#endReport = reportOnFailure(`requests that the subscriber ${host} received`, () =>
      this.received.map(({ at, method, target }) => `${at} ${method} ${target}`).join('\n'),
    );
  }

  /** Listens on a free port of an address. Its URLs have `name` in place of the address. */
  static async open(
    certificate: Certificate,
    { address = '127.0.0.1', name = address }: { address?: string; name?: string } = {},
  ): Promise<Subscriber> {
    const { key, cert } = certificate;
    const server = createServer({ key, cert });
    const subscriber = new Subscriber(server, name.includes(':') ? `[${name}]` : name);
    server.on('request', (request, response) => subscriber.#take(request, response));
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    return subscriber;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `https://${this.#host}:${this.port}`;
  }

  /** The URL of a callback of this subscriber. */
  url(target = '/callback'): string {
    return this.origin + target;
  }

  /** The challenges and denials it received. */
  get asked(): Received[] {
    return this.received.filter(({ method }) => method === 'GET');
  }

  get delivered(): Received[] {
    return this.received.filter(({ method }) => method === 'POST');
  }

  /** Waits until this many requests of a method have come. */
  async waitFor(method: 'GET' | 'POST', count: number, limitMs?: number): Promise<Received[]> {
    const ofMethod = () => this.received.filter((each) => each.method === method);
    await until(() => ofMethod().length >= count, limitMs);
    return ofMethod();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const target = request.url as string;
      const received = {
        method: request.method as string,
        target,
        parameters: new URLSearchParams(target.split('?').slice(1).join('?')),
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks),
        at: Date.now(),
      };
      this.received.push(received);
      (received.method === 'GET' ? this.onGet : this.onPost)(received, response);
    });
  }

  async close(): Promise<void> {
    this.#endReport();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Sends a request to the hub with these fields; a list repeats its field. */
export function askHub(
  origin: string,
  fields: Readonly<Record<string, string | readonly string[]>>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, each] as [string, string]),
    ),
  );
  return fetch(`${origin}/api/websub/hub`, { method: 'POST', body, headers });
}
