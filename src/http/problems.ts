// The one JSON shape of every error (the members of RFC 9457), and the one place where a fault
// becomes an answer.

import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Issue, REFUSALS, Refusal } from '../errors.ts';
import { COMMON_HEADERS } from './answer.ts';

export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Present on every 400. */
  readonly issues?: readonly Issue[];
}

export function problemOf(refusal: Refusal): Problem {
  const { status, title, detail } = REFUSALS[refusal.code];
  const { issues } = refusal;
  return { type: 'about:blank', title, status, detail, ...(issues ? { issues } : {}) };
}

/** Answers a refusal with its status; `Allow` and the like come from the caller. */
export function answerRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.code === 'method_not_allowed') void reply.header('Allow', 'GET, HEAD, OPTIONS');
  if (refusal.code === 'not_ready') void reply.header('Retry-After', '1');
  return answerProblem(reply, problemOf(refusal));
}

function answerProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  for (let place = 0; place < COMMON_HEADERS.length; place += 2) {
    void reply.header(COMMON_HEADERS[place] as string, COMMON_HEADERS[place + 1]);
  }
  return reply
    .code(problem.status)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(problem);
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
      message: 'expected percent signs to be followed by the digits of UTF-8 characters',
    };
    answerRefusal(reply, new Refusal('invalid_request', [issue]));
  } else if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    const status = error.statusCode;
    const title = STATUS_CODES[status] ?? 'Error';
    answerProblem(reply, {
      type: 'about:blank',
      title,
      status,
      detail: error.message,
      ...(status === 400
        ? { issues: [{ code: error.code, path: [], message: error.message }] }
        : {}),
    });
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
