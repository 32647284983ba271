// JSON-RPC batches (revision 2025-03-26). Requests run one after the other, each in a turn of its own, and
// share one limit on response bytes.

import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { ERROR_CODES, renderError } from './json-rpc.ts';
import { badRequest, transportRejection, type Rejection } from './http-exchange.ts';
import type { Turn } from '../model/http-seam.ts';
import { MCP_LIMITS } from './limits.ts';

interface BatchOptions {
  /** Returns the JSON-RPC response as JSON, or null if the request is not allowed in a batch. */
  readonly call: (request: JSONRPCRequest) => Promise<string | null>;
  readonly first: Turn;
  /** Waits for another turn; null ends the batch. */
  readonly takeTurn: () => Promise<Turn | null>;
}

/** Returns the JSON array of all responses in request order, or null if the batch has no requests. */
export async function answerBatch(
  messages: readonly JSONRPCMessage[],
  { call, first, takeTurn }: BatchOptions,
): Promise<string | null> {
  const requests = messages.filter((message) => 'method' in message && 'id' in message);
  const answers: string[] = [];
  // Errors do not count.
  let bytesLeft: number = MCP_LIMITS.batchBytes;
  let turn: Turn | null = first;
  for (const request of requests as readonly JSONRPCRequest[]) {
    if (answers.length > 0) {
      turn.end();
      turn = await takeTurn();
    }
    if (turn === null) break;
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
  turn?.end();
  return requests.length === 0 ? null : `[${answers.join(',')}]`;
}

export function tooManyMessages(count: number): Rejection {
  const reason = `expected at most ${MCP_LIMITS.batchMessages} messages in a batch, got ${count}`;
  return badRequest(ERROR_CODES.invalidRequest, `Invalid Request: ${reason}`);
}

/** The rejection of a batch that would exceed the client's rate limit. */
export function tooManyRequests(waitSeconds: number): Rejection {
  const reason = `Too Many Requests: each message of a batch counts. Try again in ${waitSeconds} s.`;
  return transportRejection(429, reason, ['Retry-After', String(waitSeconds)]);
}

const NOT_IN_BATCH = {
  code: ERROR_CODES.invalidRequest,
  message: 'Invalid Request: this request cannot be part of a batch; send it alone',
};
const TOO_LARGE = {
  code: ERROR_CODES.transport,
  message: 'The answers of this batch exceed 2 MiB; send this request alone',
};
