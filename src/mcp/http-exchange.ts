// HTTP in and out: a request's body within its limit, an answer of ours, an answer of the SDK.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ERROR_CODES, renderError, type JsonRpcError } from './json-rpc.ts';

/** Header names and values in turn, as `writeHead` takes them. */
export type HeaderList = readonly string[];

/** The client that sent a request, as the HTTP server knows it. */
export interface Caller {
  /** Equal for all requests of one client address. */
  readonly key: string;
  /** Headers of this answer alone. */
  readonly headers: HeaderList;
  /**
   * Counts further requests of the client, beside the one that came. Resolves with 0 while it is
   * within its limit, else with the seconds that it has to wait.
   */
  countMore(requests: number): Promise<number>;
}

/** A request under way. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
  /** The parsed body. */
  readonly message: unknown;
}

/** Ample for the longest arguments, and for the ten requests of a batch. */
export const MAX_BODY_BYTES = 64 * 1024;

/** An answer that is not a JSON-RPC result: a status, and what went wrong. */
export interface Rejection {
  readonly status: number;
  readonly error: JsonRpcError;
  readonly headers?: HeaderList;
}

/** A rejection whose meaning its status carries. */
export function rejection(status: number, message: string, headers: HeaderList = []): Rejection {
  return { status, error: { code: ERROR_CODES.transport, message }, headers };
}

/** The body as text, null where it is too large; then the rest is never read. */
export function readBody(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) return Promise.resolve(null);
  return new Promise((resolve, fail) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      request.removeAllListeners('data').pause();
      resolve(null);
    });
    request.once('end', () => resolve(decode(chunks)));
    request.once('error', fail);
    request.once('close', () => {
      if (!request.complete) fail(new Error('the request broke off'));
    });
  });
}

function decode(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  return chunks.length === 1 && only ? only.toString() : Buffer.concat(chunks).toString();
}

/** Writes the answers of one endpoint; `headers` are on all of them. */
export class ResponseWriter {
  readonly #headers: HeaderList;

  constructor(headers: HeaderList) {
    this.#headers = [...headers, 'Cache-Control', 'no-store'];
  }

  sendJson(response: ServerResponse, status: number, json: string, extra: HeaderList = []): void {
    const body = Buffer.from(json);
    response.writeHead(status, [
      ...this.#headers,
      ...extra,
      'Content-Type',
      'application/json',
      'Content-Length',
      String(body.length),
    ]);
    response.end(body);
  }

  sendRejection(
    response: ServerResponse,
    { status, error, headers = [] }: Rejection,
    id: string | number | null = null,
    extra: HeaderList = [],
  ): void {
    this.sendJson(response, status, renderError(error, id), [...headers, ...extra]);
  }

  sendEmpty(response: ServerResponse, status: number, extra: HeaderList = []): void {
    response.writeHead(status, [...this.#headers, ...extra]).end();
  }

  /** Sends what the SDK answers, a stream for as long as both sides want it. */
  async sendWebResponse(
    response: ServerResponse,
    answer: Response,
    extra: HeaderList = [],
  ): Promise<void> {
    const type = answer.headers.get('content-type') ?? '';
    if (answer.body === null || !type.startsWith('text/event-stream')) {
      const headers = [...extra];
      for (const name of ['Mcp-Session-Id', 'Allow']) {
        const value = answer.headers.get(name);
        if (value !== null) headers.push(name, value);
      }
      if (answer.body === null) this.sendEmpty(response, answer.status, headers);
      else this.sendJson(response, answer.status, await answer.text(), headers);
      return;
    }
    response.writeHead(answer.status, [
      ...this.#headers,
      ...extra,
      'Content-Type',
      type,
      // Proxies that gather an answer before they pass it on would hold events back.
      'X-Accel-Buffering',
      'no',
    ]);
    response.flushHeaders();
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(
      (error: unknown) => {
        // The reader may leave whenever it likes.
        if (!response.destroyed) throw error;
      },
    );
  }
}
