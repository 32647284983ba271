// Writes answers to the socket; large bodies in pieces, as fast as the client reads them.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderList } from '../model/http-seam.ts';

/** On every answer: scripts of any site may read it, and browsers may not guess its type. */
export const COMMON_HEADERS: HeaderList = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Last-Modified, Link, Mcp-Session-Id, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
  'X-Content-Type-Options',
  'nosniff',
];

/** Sets headers that an answer has beside its own. */
export function setHeaders(response: ServerResponse, headers: HeaderList): void {
  for (let index = 0; index < headers.length; index += 2) {
    response.setHeader(headers[index] as string, headers[index + 1] as string);
  }
}

/** The answer to a preflight (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export function preflightHeaders(methods: string, allowed: readonly string[] = []): HeaderList {
  return [
    ...COMMON_HEADERS,
    'Access-Control-Allow-Methods',
    methods,
    'Access-Control-Allow-Headers',
    [
      'Accept, Authorization, Content-Type, If-Modified-Since, If-None-Match, X-Request-Id',
      ...allowed,
    ].join(', '),
    'Access-Control-Max-Age',
    '86400',
    'Allow',
    methods,
  ];
}

/** An SVG opened as a document of its own could run scripts and load other files. */
const SVG_POLICY: HeaderList = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; sandbox",
];

/** The Content-Security-Policy of files; pages have their own. */
export function policyOf(contentType: string): HeaderList {
  return contentType.startsWith('image/svg+xml') ? SVG_POLICY : [];
}

/** Smaller bodies are written at once; of larger ones at most one piece is buffered per connection. */
const PIECE = 256 * 1024;

/** Answers with these pieces, a HEAD without them. Adds Content-Length to the headers. */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  headers: HeaderList,
  pieces: readonly Uint8Array[],
  status = 200,
): void {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  response.writeHead(status, [...headers, 'Content-Length', String(length)]);
  if (request.method === 'HEAD') response.end();
  else sendPieces(response, pieces);
}

/** Answers 304 without a body (RFC 9110, section 15.4.5). */
export function answerNotModified(response: ServerResponse, headers: HeaderList): void {
  response.writeHead(304, headers as string[]);
  response.end();
}

/** Sends without copying: pieces are views of shared memory. Each is written after the one before drained. */
export function sendPieces(response: ServerResponse, pieces: Iterable<Uint8Array>): void {
  const iterator = pieces[Symbol.iterator]();
  let piece = iterator.next();
  if (Array.isArray(pieces) && pieces.length === 1 && piece.value.length <= PIECE) {
    response.end(piece.value);
    return;
  }
  let offset = 0;
  const send = (): void => {
    while (!response.destroyed) {
      if (piece.done) {
        response.end();
        return;
      }
      const { value } = piece;
      const part = value.subarray(offset, offset + PIECE);
      offset += part.length;
      if (offset >= value.length) {
        piece = iterator.next();
        offset = 0;
      }
      if (!response.write(part)) {
        // Lets other requests run before a fast reader gets the next piece.
        response.once('drain', () => setImmediate(send));
        return;
      }
    }
  };
  send();
}

/** Answers with what must not be stored: errors, and the health of the server. */
export function answerUnstored(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  headers: HeaderList = [],
): void {
  const all = [...COMMON_HEADERS, 'Cache-Control', 'no-store', 'Content-Type', contentType];
  answer(request, response, [...all, ...headers], [Buffer.from(body)], status);
}

export const TEXT_TYPE = 'text/plain; charset=utf-8';

export function redirect(
  request: IncomingMessage,
  response: ServerResponse,
  status: 301 | 302,
  location: string,
  headers: HeaderList = [],
): void {
  answer(request, response, [...COMMON_HEADERS, ...headers, 'Location', location], [], status);
}
