// The JSON shape of every error (the members of RFC 9457), and the one place where faults become answers.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type RefusalEntry, REFUSALS, Refusal, show, formatIssue } from '../errors.ts';
import type { HeaderList } from '../model/http-seam.ts';
import type { Problem } from '../model/problem.ts';
import { PAGE } from '../model/routes.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import { acceptedLanguage } from '../strings/language.ts';
import { answerUnstored, COMMON_HEADERS, TEXT_TYPE } from './answer.ts';
import { REQUEST_ID_HEADER } from './request-ids.ts';
import { wantsPage } from './requests.ts';
import { renderStartingPage, STARTING_PAGE_HEADERS, STARTING_PAGE_TYPE } from './starting-page.ts';

function problemOf(refusal: Refusal): Problem {
  const { status, detail } = REFUSALS[refusal.code];
  const { issues } = refusal;
  const title = STATUS_CODES[status] as string;
  return { type: 'about:blank', title, status, detail, ...(issues ? { issues } : {}) };
}

/** In a language that the reader accepts: that of the site is not known yet. */
function sendStarting(
  request: IncomingMessage,
  response: ServerResponse,
  remedy: HeaderList,
): void {
  const language = acceptedLanguage(request.headers['accept-language']);
  const headers = [...STARTING_PAGE_HEADERS, 'Content-Language', language.code, ...remedy];
  const { status } = REFUSALS.not_ready;
  const page = renderStartingPage(language);
  answerUnstored(request, response, status, STARTING_PAGE_TYPE, page, headers);
}

function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  headers: HeaderList = [],
  asText = false,
): void {
  // Clients of the hub get one line of text (WebSub, section 5.1.2).
  const [type, body] = asText
    ? [TEXT_TYPE, `${problem.issues?.map(formatIssue).join('; ') ?? problem.detail}\n`]
    : [JSON_TYPE, JSON.stringify(problem)];
  answerUnstored(request, response, problem.status, type, body, headers);
}

export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  headers: HeaderList = [],
  asText = false,
): void {
  const all = [...remedyOf(refusal), ...headers];
  sendProblem(request, response, problemOf(refusal), all, asText);
}

/** Answers a fault; ends an answer that had begun. */
export function sendFault(request: IncomingMessage, response: ServerResponse, id: string): void {
  if (response.headersSent) response.destroy();
  else sendProblem(request, response, problemOfFault(id), [REQUEST_ID_HEADER, id]);
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
  reply.hijack();
  const { raw: response } = reply;
  // The framework closes the connection of a body that it does not read.
  const closes = reply.hasHeader('connection') && !response.headersSent;
  if (closes) response.setHeader('Connection', 'close');
  const { config } = reply.routeOptions as { config?: { errorsAsText?: boolean } };
  const send = (problem: Problem, headers: HeaderList = []) =>
    sendProblem(request.raw, response, problem, headers, config?.errorsAsText);
  if (response.headersSent) {
    request.log.error({ err: error }, 'a request failed');
    response.destroy();
  } else if (error instanceof Refusal) {
    const remedy = remedyOf(error);
    const isPage = request.is404 || PAGE.test(request.url);
    if (error.code === 'not_ready' && isPage && wantsPage(request.raw))
      sendStarting(request.raw, response, remedy);
    else send(problemOf(error), remedy);
  } else if (error.code === 'FST_ERR_BAD_URL') {
    const issue = {
      code: 'malformed_url',
      path: ['url'],
      message:
        'expected percent signs to be followed by the digits of UTF-8 characters, ' +
        `got ${show(request.raw.url)}`,
    };
    send(problemOf(new Refusal('invalid_request', [issue])));
  } else if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    send(problemOfStatus(error.statusCode, error.code, error.message));
  } else {
    request.log.error({ err: error }, 'a request failed');
    send(problemOfFault(request.id), [REQUEST_ID_HEADER, request.id]);
  }
}

/** Errors of Node's parser by code; all others are 400. */
const UNREADABLE: Readonly<Record<string, { readonly status: number; readonly message: string }>> =
  {
    HPE_HEADER_OVERFLOW: {
      status: 431,
      message: 'The target or the headers of the request are too large.',
    },
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
    const headers = COMMON_HEADERS.concat(
      ['Cache-Control', 'no-store', 'Content-Type', JSON_TYPE],
      ['Content-Length', length, 'Connection', 'close'],
    );
    const lines = headers.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : [],
    );
    socket.write(`HTTP/1.1 ${status} ${problem.title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(error);
  return status;
}
