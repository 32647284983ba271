// The one JSON shape of every error (the members of RFC 9457), and the one place where a fault
// becomes an answer.

import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type RefusalEntry, REFUSALS, Refusal, show, formatIssue } from '../errors.ts';
import type { Problem } from '../model/problem.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import { answerJson, answerText, COMMON_HEADERS, type HeaderList } from './answer.ts';

export function problemOf(refusal: Refusal): Problem {
  const { status, title, detail } = REFUSALS[refusal.code];
  const { issues } = refusal;
  return { type: 'about:blank', title, status, detail, ...(issues ? { issues } : {}) };
}

/** Answers a refusal with its status, and the headers that say what to do instead. */
export function answerRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { allow, retryAfterSeconds } = REFUSALS[refusal.code] as RefusalEntry;
  if (allow !== undefined) void reply.header('Allow', allow);
  if (retryAfterSeconds !== undefined) void reply.header('Retry-After', String(retryAfterSeconds));
  return answerProblem(reply, problemOf(refusal));
}

/** Answers a request that no route may see, and ends its connection: the rest may be misread as well. */
export function answerUnrouted(response: ServerResponse, refusal: Refusal): void {
  const body = JSON.stringify(problemOf(refusal));
  response.writeHead(refusal.status, [...unroutedHeaders(body)]).end(body);
}

/** Headers of an answer that is written before a route is known. */
function unroutedHeaders(body: string): HeaderList {
  return [
    ...COMMON_HEADERS,
    'Cache-Control',
    'no-store',
    'Content-Type',
    JSON_TYPE,
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Connection',
    'close',
  ];
}

/** In JSON, or in one line of text on a route whose clients expect no more (WebSub, section 5.1.2). */
function answerProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { config } = reply.routeOptions as { config?: { errorsAsText?: boolean } };
  if (config?.errorsAsText !== true) return answerJson(reply, problem.status, problem);
  const text = problem.issues ? problem.issues.map(formatIssue).join('; ') : problem.detail;
  return answerText(reply, problem.status, text);
}

/** A problem that has no refusal of ours, because Node or the framework found it. */
function problemOfStatus(status: number, code: string, message: string): Problem {
  const title = STATUS_CODES[status] ?? 'Error';
  const issues = status === 400 ? { issues: [{ code, path: [], message }] } : {};
  return { type: 'about:blank', title, status, detail: message, ...issues };
}

/** Every error ends here: refusals as they are, what the framework refuses in our shape, and the
 * rest logged and answered with a fixed text and the id to find it by. */
export function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error instanceof Refusal) {
    answerRefusal(reply, error);
  } else if (error.code === 'FST_ERR_BAD_URL') {
    const issue = {
      code: 'malformed_url',
      path: ['url'],
      message:
        'expected percent signs to be followed by the digits of UTF-8 characters, ' +
        `got ${show(request.raw.url)}`,
    };
    answerRefusal(reply, new Refusal('invalid_request', [issue]));
  } else if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    answerProblem(reply, problemOfStatus(error.statusCode, error.code, error.message));
  } else {
    request.log.error({ err: error }, 'a request failed');
    answerProblem(reply, {
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: `The server failed. The request id is ${request.id}.`,
    });
  }
}

/** What Node's parser refuses, by its code; the rest is no HTTP at all. */
const UNREADABLE: Readonly<Record<string, { readonly status: number; readonly message: string }>> =
  {
    HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
    HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too large.' },
    ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  };

/** Answers what never became a request, and so reaches neither a route nor the framework. */
export function answerUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const { status, message } = UNREADABLE[error.code] ?? {
      status: 400,
      message: `expected a request of HTTP/1.1, got one that breaks off or is none (${error.code})`,
    };
    const problem = problemOfStatus(status, error.code, message);
    const body = JSON.stringify(problem);
    const headers = unroutedHeaders(body);
    const lines = headers.flatMap((name, place) =>
      place % 2 === 0 ? [`${name}: ${headers[place + 1]}`] : [],
    );
    socket.write(`HTTP/1.1 ${status} ${problem.title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(error);
}
