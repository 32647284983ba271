// Writes an answer to the socket: its headers, and its body in pieces that slow readers can take.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { JSON_TYPE } from '../snapshot/documents.ts';

/** Header names and values in turn, as `writeHead` takes them. */
export type HeaderList = readonly string[];

/** Every answer carries these: any site's scripts may read it, no browser may guess its type. */
export const COMMON_HEADERS: HeaderList = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Last-Modified, Link, Mcp-Session-Id, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
  'X-Content-Type-Options',
  'nosniff',
];

/** Sets the headers of every answer on one that the framework sends. */
export function setCommonHeaders(reply: FastifyReply): FastifyReply {
  for (let place = 0; place < COMMON_HEADERS.length; place += 2) {
    void reply.header(COMMON_HEADERS[place] as string, COMMON_HEADERS[place + 1]);
  }
  return reply;
}

/** What a preflight asks of a path (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export function preflightHeaders(methods: string, allowed: readonly string[] = []): HeaderList {
  return [
    ...COMMON_HEADERS,
    'Access-Control-Allow-Methods',
    methods,
    'Access-Control-Allow-Headers',
    ['Accept, Authorization, Content-Type, If-Modified-Since, If-None-Match', ...allowed].join(
      ', ',
    ),
    'Access-Control-Max-Age',
    '86400',
    'Allow',
    methods,
  ];
}

/** A picture that is opened by itself is a document, which could run scripts and load what it names. */
const SVG_POLICY: HeaderList = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; sandbox",
];

/** The policy of what is not a page; pages have their own. */
export function policyOf(contentType: string): HeaderList {
  return contentType.startsWith('image/svg+xml') ? SVG_POLICY : [];
}

/** A body up to this is written at once; of a larger one at most a piece waits for each reader. */
const PIECE = 256 * 1024;

/** Answers with these pieces, of which a HEAD gets none. Headers lack only the length. */
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

/** Answers 304 (RFC 9110, section 15.4.5): headers and no body. */
export function answerNotModified(response: ServerResponse, headers: HeaderList): void {
  response.writeHead(304, headers as string[]);
  response.end();
}

/**
 * Sends without copying: every reader's pieces are views of the same memory, and the next is handed
 * to the socket when the one before was taken.
 */
export function sendPieces(response: ServerResponse, pieces: readonly Uint8Array[]): void {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && only.length <= PIECE) {
    response.end(only);
    return;
  }
  let index = 0;
  let offset = 0;
  const send = (): void => {
    while (!response.destroyed) {
      const piece = pieces[index];
      if (piece === undefined) {
        response.end();
        return;
      }
      const part = piece.subarray(offset, offset + PIECE);
      offset += part.length;
      if (offset >= piece.length) {
        index += 1;
        offset = 0;
      }
      if (!response.write(part)) {
        // A reader that takes all at once would otherwise be sent all before another is heard.
        response.once('drain', () => setImmediate(send));
        return;
      }
    }
  };
  send();
}

/** Answers with JSON that nobody may keep: errors, and what operators ask. */
export function answerJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return setCommonHeaders(reply)
    .code(status)
    .header('Cache-Control', 'no-store')
    .type(JSON_TYPE)
    .send(body);
}

/** Answers with a line of text that nobody may keep. */
export function answerText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return setCommonHeaders(reply)
    .code(status)
    .header('Cache-Control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(`${text}\n`);
}

/** Headers that the framework has set on its reply, as a list. */
export function listOf(
  headers: Readonly<Record<string, string | number | string[] | undefined>>,
): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value.toString()],
  );
}
