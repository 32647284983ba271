// Reads requests: their query, and whether they want a page.

import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

const TAKEN_METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];
/** A method that no path takes, for all others: the framework does not know all of them. */
const OTHER_METHOD = 'TRACE';

/** Replaces a method that no path takes. Before this, a request may have any of `node:http`. */
export function takeMethod(request: IncomingMessage): void {
  if (!TAKEN_METHODS.includes(request.method as string)) request.method = OTHER_METHOD;
}

/** Whether to answer with a page: browsers accept HTML by name. */
export function wantsPage(request: IncomingMessage): boolean {
  return isRead(request) && /\btext\/html\b/i.test(request.headers.accept ?? '');
}

export function isRead(request: IncomingMessage): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** The query of a URL, without the question mark. The framework also ends the path at a "#". */
export function queryOf(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? '' : url.slice(end + 1);
}

/**
 * The parameters of a query; repeated ones as a list. Node drops all after the thousandth by default; the
 * length of a URL bounds them already.
 */
export function parseQuery(query: string): Record<string, string | string[]> {
  return parse(query, '&', '=', { maxKeys: 0 }) as Record<string, string | string[]>;
}
