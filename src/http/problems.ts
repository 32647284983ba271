// The JSON shape of every error (the members of RFC 9457), and the one place where faults become answers.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type RefusalEntry, REFUSALS, Refusal, show, formatIssue } from '../errors.ts';
import type { HeaderList } from '../model/http-seam.ts';
import type { Problem } from '../model/problem.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import { acceptedLanguage } from '../strings/language.ts';
import {
  answer,
  answerJson,
  answerText,
  COMMON_HEADERS,
  setCommonHeaders,
  setHeaders,
} from './answer.ts';
import { REQUEST_ID_HEADER } from './request-ids.ts';
import { wantsPage } from './requests.ts';
import { renderStartingPage, STARTING_PAGE_HEADERS, STARTING_PAGE_TYPE } from './starting-page.ts';

export function problemOf(refusal: Refusal): Problem {
  const { status, title, detail } = REFUSALS[refusal.code];
  const { issues } = refusal;
  return { type: 'about:blank', title, status, detail, ...(issues ? { issues } : {}) };
}

function answerRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): FastifyReply {
  setHeaders(reply, remedyOf(refusal));
  if (refusal.code === 'not_ready' && wantsPage(request.raw)) return answerStarting(request, reply);
  return answerProblem(reply, problemOf(refusal));
}

/** In a language that the reader accepts: that of the site is not known yet. */
function answerStarting(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = acceptedLanguage(request.headers['accept-language']);
  return setHeaders(setCommonHeaders(reply), STARTING_PAGE_HEADERS)
    .code(REFUSALS.not_ready.status)
    .header('Cache-Control', 'no-store')
    .header('Content-Language', language.code)
    .type(STARTING_PAGE_TYPE)
    .send(renderStartingPage(language));
}

/** Answers with a refusal without the framework. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  headers: HeaderList = [],
): void {
  const body = Buffer.from(JSON.stringify(problemOf(refusal)));
  const all = [...PROBLEM_HEADERS, ...remedyOf(refusal), ...headers];
  answer(request, response, all, [body], refusal.status);
}

/** Answers a fault without the framework; ends an answer that had begun. */
export function sendFault(request: IncomingMessage, response: ServerResponse, id: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(problemOfFault(id)));
  answer(request, response, [...PROBLEM_HEADERS, REQUEST_ID_HEADER, id], [body], 500);
}

function problemOfFault(id: string): Problem {
  const detail = `The server failed. The request id is ${id}.`;
  return { type: 'about:blank', title: 'Internal Server Error', status: 500, detail };
}

/** The headers that say what to do instead. */
function remedyOf({ code }: Refusal): HeaderList {
  const { allow, retryAfterSeconds } = REFUSALS[code] as RefusalEntry;
  return [
    ...(allow === undefined ? [] : ['Allow', allow]),
    ...(retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)]),
  ];
}

/** Refuses a request before it is routed and closes the connection: what follows may be misread too. */
export function sendUnrouted(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
): void {
  response.setHeader('Connection', 'close');
  sendRefusal(request, response, refusal);
  // The parser may refuse the same request next: it gets one answer.
  request.socket.end();
}

const PROBLEM_HEADERS: HeaderList = [
  ...COMMON_HEADERS,
  'Cache-Control',
  'no-store',
  'Content-Type',
  JSON_TYPE,
];

/** In JSON, or in one line of text for clients of the hub (WebSub, section 5.1.2). */
function answerProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { config } = reply.routeOptions as { config?: { errorsAsText?: boolean } };
  if (config?.errorsAsText !== true) return answerJson(reply, problem.status, problem);
  const text = problem.issues ? problem.issues.map(formatIssue).join('; ') : problem.detail;
  return answerText(reply, problem.status, text);
}

/** A problem found by Node or by the framework. */
function problemOfStatus(status: number, code: string, message: string): Problem {
  const title = STATUS_CODES[status] ?? 'Error';
  const issues = status === 400 ? { issues: [{ code, path: [], message }] } : {};
  return { type: 'about:blank', title, status, detail: message, ...issues };
}

/** Answers every error: refusals with their status, errors of the framework in the same shape; faults are
 * logged and answered with a fixed text and the request id. */
export function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error instanceof Refusal) {
    answerRefusal(request, reply, error);
  } else if (error.code === 'FST_ERR_BAD_URL') {
    const issue = {
      code: 'malformed_url',
      path: ['url'],
      message:
        'expected percent signs to be followed by the digits of UTF-8 characters, ' +
        `got ${show(request.raw.url)}`,
    };
    answerRefusal(request, reply, new Refusal('invalid_request', [issue]));
  } else if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    answerProblem(reply, problemOfStatus(error.statusCode, error.code, error.message));
  } else {
    request.log.error({ err: error }, 'a request failed');
    answerProblem(reply.header(REQUEST_ID_HEADER, request.id), problemOfFault(request.id));
  }
}

/** Errors of Node's parser by code; all others are 400. */
const UNREADABLE: Readonly<Record<string, { readonly status: number; readonly message: string }>> =
  {
    HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
    HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions are too large.' },
    ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  };

/** Answers what Node could not parse as a request, and returns the status. */
export function answerUnreadable(error: ConnectionError, socket: Socket): number {
  const { status, message } = UNREADABLE[error.code] ?? {
    status: 400,
    message: `expected an HTTP/1.1 request, got one that is incomplete or malformed (${error.code})`,
  };
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const problem = problemOfStatus(status, error.code, message);
    const body = JSON.stringify(problem);
    const length = String(Buffer.byteLength(body));
    const headers = [...PROBLEM_HEADERS, 'Content-Length', length, 'Connection', 'close'];
    const lines = headers.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : [],
    );
    socket.write(`HTTP/1.1 ${status} ${problem.title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(error);
  return status;
}
