// What a request asks for, and whom to believe that it is from.

import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { Config } from '../config.ts';

/** Whether this is a browser: other clients ask for anything, or for what they can parse. */
export function wantsPage(request: IncomingMessage): boolean {
  return isRead(request) && /\btext\/html\b/i.test(request.headers.accept ?? '');
}

export function isRead(request: IncomingMessage): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/**
 * The parameters of a URL's query; one that is given several times as a list. All of them: by default
 * Node drops those after the thousandth, and the length of a URL bounds them already.
 */
export function parseQuery(query: string): Record<string, string | string[]> {
  return parse(query, '&', '=', { maxKeys: 0 }) as Record<string, string | string[]>;
}

/**
 * What the framework takes: the client is the right-most address that is not trusted. Hop 0 is the peer
 * itself.
 */
export function trustOf(
  trust: Config['trustProxy'],
): false | string | ((address: string, hop: number) => boolean) {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust;
}
