// Batches of the revision 2025-03-26: the requests of one body are answered one after the other, with
// a turn of the event loop for other clients between them, and within one limit of bytes.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { ERROR_CODES, renderError } from './json-rpc.ts';
import { rejection, type Rejection } from './http-exchange.ts';

/** Messages of one batch. */
export const MAX_BATCH_MESSAGES = 10;

/** Bytes of all answers of one batch together, errors not counted. */
export const MAX_BATCH_BYTES = 2 * 1024 * 1024;

export interface BatchOptions {
  /** The JSON that answers a request, or null where the request cannot be part of a batch. */
  readonly call: (request: JSONRPCRequest) => Promise<string | null>;
  /** Whether the client has gone away, so that nobody reads further answers. */
  readonly isGone: () => boolean;
}

/** The JSON of all answers, in the order of the requests; null where nothing has to be answered. */
export async function answerBatch(
  messages: readonly JSONRPCMessage[],
  { call, isGone }: BatchOptions,
): Promise<string | null> {
  const requests = messages.filter((message) => 'method' in message && 'id' in message);
  const answers: string[] = [];
  let bytesLeft = MAX_BATCH_BYTES;
  for (const request of requests as readonly JSONRPCRequest[]) {
    if (answers.length > 0) await nextTurn();
    if (isGone()) break;
    if (bytesLeft < 0) {
      answers.push(renderError(TOO_LARGE, request.id));
      continue;
    }
    const answer = await call(request);
    if (answer === null) {
      answers.push(renderError(NOT_IN_BATCH, request.id));
      continue;
    }
    bytesLeft -= Buffer.byteLength(answer);
    answers.push(bytesLeft < 0 ? renderError(TOO_LARGE, request.id) : answer);
  }
  return requests.length === 0 ? null : `[${answers.join(',')}]`;
}

/** Refuses a batch of more messages than it may have. */
export function tooManyMessages(count: number): Rejection {
  const reason = `expected at most ${MAX_BATCH_MESSAGES} messages in a batch, got ${count}`;
  return {
    status: 400,
    error: { code: ERROR_CODES.invalidRequest, message: `Invalid Request: ${reason}` },
  };
}

/** Refuses a batch whose messages exceed the limit of requests of its client. */
export function tooManyRequests(waitSeconds: number): Rejection {
  const reason = `Too Many Requests: each message of a batch counts. Try again in ${waitSeconds} s.`;
  return rejection(429, reason, ['Retry-After', String(waitSeconds)]);
}

const NOT_IN_BATCH = {
  code: ERROR_CODES.invalidRequest,
  message: 'Invalid Request: this request cannot be part of a batch; send it alone',
};
const TOO_LARGE = {
  code: ERROR_CODES.transport,
  message: 'The answers of this batch exceed 2 MiB; send this request alone',
};
