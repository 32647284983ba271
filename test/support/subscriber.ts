// A WebSub subscriber over HTTPS, whose every answer a test can choose, and who remembers what came.

import { createServer, type Server } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportOnFailure } from './failure-report.ts';
import type { Certificate } from './tls.ts';
import { until } from './store.ts';

/** A request as it came to the callback. */
export interface Received {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly target: string;
  /** Parameters of the query, the last of each name. */
  readonly parameters: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** ms since 1970. */
  readonly at: number;
}

type Answer = (received: Received, response: ServerResponse) => void;

/** Answers a challenge as the Recommendation wants it. */
export const confirm: Answer = ({ parameters }, response) => {
  response.end(parameters.get('hub.challenge') ?? '');
};

/** Answers with a status and a body. */
export function status(code: number, body = '', headers: Record<string, string> = {}): Answer {
  return (_received, response) => void response.writeHead(code, headers).end(body);
}

/** Never answers. */
export const hang: Answer = () => undefined;

export class Subscriber {
  readonly #server: Server;
  readonly #host: string;
  readonly received: Received[] = [];
  /** How requests are answered, by method; a test may change it at any time. */
  onGet: Answer = confirm;
  onPost: Answer = status(204);
  readonly #endReport: () => void;

  private constructor(server: Server, host: string) {
    this.#server = server;
    this.#host = host;
    this.#endReport = reportOnFailure(`requests that the subscriber ${host} received`, () =>
      this.received.map(({ at, method, target }) => `${at} ${method} ${target}`).join('\n'),
    );
  }

  /** Listens on a free port of an address; `name` is what its URLs have instead of the address. */
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

  /** A callback of this subscriber. */
  url(target = '/callback'): string {
    return this.origin + target;
  }

  /** The challenges and denials that came, and the deliveries. */
  get asked(): Received[] {
    return this.received.filter(({ method }) => method === 'GET');
  }

  get delivered(): Received[] {
    return this.received.filter(({ method }) => method === 'POST');
  }

  /** Waits until so many requests of a method have come. */
  async waitFor(method: 'GET' | 'POST', count: number, patienceMs?: number): Promise<Received[]> {
    const ofMethod = () => this.received.filter((each) => each.method === method);
    await until(() => ofMethod().length >= count, patienceMs);
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

/** A request to the hub with these fields; repeated ones are lists. */
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
