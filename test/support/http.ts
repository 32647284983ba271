// An HttpServer in the process of the test, and a client that sends requests exactly as written.

import { type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { LINES } from '../../src/commands/terminal/logger.ts';
import { parseConfig } from '../../src/config.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { HttpServer } from '../../src/http/server.ts';
import type { HubEndpoint } from '../../src/hub/endpoint.ts';
import { addRoutes } from '../../src/serving/routes.ts';
import type { ReviewEndpoint } from '../../src/mcp/review-endpoint.ts';
import { reportOnFailure } from './failure-logs.ts';
import { openTestMcp } from './mcp.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';

/** JSON of any shape. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests state their expectations
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly text: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array;
}

/** For tests that do not use the hub. */
const NO_HUB = { accept: () => Promise.reject(new Error('this server has no hub')) };

export class TestServer {
  readonly http: HttpServer;
  readonly mcp: ReviewEndpoint;
  readonly port: number;
  readonly #endReport: () => void;

  private constructor(http: HttpServer, mcp: ReviewEndpoint, endReport: () => void) {
    this.#endReport = endReport;
    this.http = http;
    this.mcp = mcp;
    this.port = (http.app.server.address() as AddressInfo).port;
  }

  /** Listens on a free port. `prepare` may add routes of the test. */
  static async open(
    snapshot: Snapshot | null,
    {
      environment = {},
      hub = NO_HUB,
      mcp: given = null,
      prepare = () => undefined,
      log = null,
      parts = {},
    }: {
      environment?: Record<string, string>;
      hub?: Pick<HubEndpoint, 'accept'>;
      mcp?: ReviewEndpoint | null;
      prepare?: (http: HttpServer) => void;
      log?: ((line: string) => void) | null;
      parts?: ConstructorParameters<typeof HttpServer>[3];
    } = {},
  ): Promise<TestServer> {
    const config = parseConfig({ LOG_LEVEL: 'error', ...environment });
    const lines: string[] = [];
    const write = (line: string) => {
      lines.push(line);
      log?.(line);
    };
    const endReport = reportOnFailure('log of the server', () => lines.join(''));
    const logger = pino({ level: config.logLevel, ...LINES }, { write });
    const http = new HttpServer(config, logger, new Metrics(), parts);
    const mcp = given ?? (await openTestMcp(config, write));
    addRoutes(http, { hub, mcp });
    prepare(http);
    if (snapshot) http.show(snapshot);
    await http.app.listen({ host: '127.0.0.1', port: 0 });
    return new TestServer(http, mcp, endReport);
  }

  /** Sends a request and reads its whole answer. The path is not normalized. */
  ask(path: string, options: RequestOptions = {}): Promise<Answer> {
    const { method = 'GET', headers = {}, body } = options;
    return new Promise((resolve, reject) => {
      const request = sendRequest({ host: '127.0.0.1', port: this.port, path, method, headers });
      request.once('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection just when it was used again.
        const isStale = request.reusedSocket && error.code === 'ECONNRESET';
        if (isStale) resolve(this.ask(path, options));
        else reject(error);
      });
      request.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const whole = Buffer.concat(chunks);
          resolve({
            status: response.statusCode as number,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            body: whole,
            text: whole.toString(),
          });
        });
      });
      request.end(body);
    });
  }

  async json(path: string, options?: RequestOptions): Promise<Json> {
    return JSON.parse((await this.ask(path, options)).text);
  }

  /** Sends bytes on a new connection; resolves with everything received until it closes. */
  askRaw(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString('latin1')));
      socket.once('error', reject);
      socket.once('close', () => resolve(received));
    });
  }

  async close(): Promise<void> {
    await this.mcp.close();
    await this.http.app.close();
    this.#endReport();
  }
}
