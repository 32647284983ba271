// HTTP requests and responses of the endpoint: reads bodies up to a limit, writes our own responses and
// those of the SDK.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Caller, HeaderList, Turn } from '../model/http-seam.ts';
import { ERROR_CODES, renderError, type JsonRpcError } from './json-rpc.ts';
import { MCP_LIMITS } from './limits.ts';

/** A request with its response. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
  /** The parsed body. */
  readonly message: unknown;
  /** Ended after the answer. */
  readonly turn: Turn;
}

/** An error response: an HTTP status and a JSON-RPC error. */
export interface Rejection {
  readonly status: number;
  readonly error: JsonRpcError;
  readonly headers?: HeaderList;
}

/** A rejection with the generic transport error code: the HTTP status says what happened. */
export function transportRejection(
  status: number,
  message: string,
  headers: HeaderList = [],
): Rejection {
  return { status, error: { code: ERROR_CODES.transport, message }, headers };
}

export function badRequest(code: number, message: string): Rejection {
  return { status: 400, error: { code, message } };
}

export const CLOSE = ['Connection', 'close'];
export const TOO_LARGE = transportRejection(
  413,
  'Payload Too Large: the body must not exceed 64 KiB',
  CLOSE,
);
export const SESSION_REQUIRED = transportRejection(
  400,
  'Bad Request: the header Mcp-Session-Id is required',
);
export const SESSION_NOT_FOUND: Rejection = {
  status: 404,
  error: { code: ERROR_CODES.sessionNotFound, message: 'Session not found: send initialize again' },
};

/**
 * Reads the body as text. Resolves with null if it exceeds `bodyBytes`; the rest is not read.
 * @throws if the connection ends before the body does.
 */
export function readBody(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length']) > MCP_LIMITS.bodyBytes)
    return Promise.resolve(null);
  return new Promise((resolve, fail) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MCP_LIMITS.bodyBytes) {
        chunks.push(chunk);
        return;
      }
      request.removeAllListeners('data').pause();
      resolve(null);
    });
    request.once('end', () => resolve(decode(chunks)));
    request.once('error', fail);
    request.once('close', () => {
      if (!request.complete) fail(new Error('the client aborted the request'));
    });
  });
}

function decode(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  return chunks.length === 1 && only ? only.toString() : Buffer.concat(chunks).toString();
}

/** Writes the responses of an endpoint, each with `headers`. */
export class ResponseWriter {
  readonly #headers: HeaderList;

  constructor(headers: HeaderList) {
    this.#headers = [...headers, 'Cache-Control', 'no-store'];
  }

  sendJson(response: ServerResponse, status: number, json: string, headers: HeaderList = []): void {
    const body = Buffer.from(json);
    response.writeHead(status, [
      ...this.#headers,
      ...headers,
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
  ): void {
    this.sendJson(response, status, renderError(error, id), headers);
  }

  sendEmpty(response: ServerResponse, status: number, headers: HeaderList = []): void {
    response.writeHead(status, [...this.#headers, ...headers]).end();
  }

  /** Sends a response of the SDK. A stream stays open until either side closes it. */
  async sendWebResponse(response: ServerResponse, answer: Response): Promise<void> {
    const type = answer.headers.get('content-type') ?? '';
    if (answer.body === null || !type.startsWith('text/event-stream')) {
      const headers: string[] = [];
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
      'Content-Type',
      type,
      // nginx and others would otherwise buffer the events.
      'X-Accel-Buffering',
      'no',
    ]);
    response.flushHeaders();
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(
      (error: unknown) => {
        // A client may disconnect at any time.
        if (!response.destroyed) throw error;
      },
    );
  }
}
