// The id of a request: the client's `X-Request-Id` if it is one, else a new one. It is in log lines about the
// request and, if the client gave it or the server failed, in the answer.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Characters that need no escaping in a header, a log or a shell. */
const PATTERN = /^[\w.:-]{1,128}$/;

/** The client's id; null if there is none, or it is longer or has other characters. */
export function givenId({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const given = headers['x-request-id'];
  return typeof given === 'string' && PATTERN.test(given) ? given : null;
}

export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  return givenId(request) ?? `req-${randomUUID().replaceAll('-', '')}`;
}
