// What a request asks for.

import type { IncomingMessage } from 'node:http';

/** Whether this is a browser: other clients ask for anything, or for what they can parse. */
export function wantsPage(request: IncomingMessage): boolean {
  return isRead(request) && /\btext\/html\b/i.test(request.headers.accept ?? '');
}

export function isRead(request: IncomingMessage): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}
