// Checks the version, the target, the Host and the Transfer-Encoding of a request before it is routed.

import type { IncomingMessage } from 'node:http';
import { type Issue, Refusal, show } from '../errors.ts';

/** A host and perhaps a port (RFC 9110, section 7.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d*)?$/i;
/** Absolute form, which servers must accept too (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/((?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d*)?)([/?].*)?$/i;

/**
 * Rewrites the target to origin form, which begins with a slash; the host of an absolute target replaces the
 * Host header. Returns a refusal if the request is of another HTTP version, names no path, several hosts or an invalid one, or
 * has a transfer coding other than chunked; else null.
 */
export function normalizeTarget(request: IncomingMessage): Refusal | null {
  // Node also accepts the request line of HTTP/0.9, and the version 2.0.
  if (request.httpVersionMajor !== 1) {
    const message = `expected HTTP/1.1 or HTTP/1.0, got HTTP/${request.httpVersion}`;
    return refusalOf('unsupported_version', ['version'], message);
  }
  if (countHosts(request.rawHeaders) > 1) {
    return refusalOf('repeated_host', ['headers', 'host'], 'expected one Host header, got several');
  }
  const { host: given } = request.headers;
  // HTTP/1.0 needs none; Node refuses HTTP/1.1 without one.
  if (given !== undefined && !HOST.test(given)) {
    const message = `expected a Host header with a host and perhaps a port, got ${show(given)}`;
    return refusalOf('malformed_host', ['headers', 'host'], message);
  }
  // Node calls the handler before it refuses a body whose end it cannot find.
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    const message = `expected the transfer coding "chunked" or none, got ${show(coding)}`;
    const path = ['headers', 'transfer-encoding'];
    return refusalOf('unsupported_transfer_encoding', path, message);
  }
  const target = request.url as string;
  if (target.startsWith('/')) return null;
  const [, host, rest = '/'] = ABSOLUTE_FORM.exec(target) ?? [];
  if (host === undefined) {
    const message = `expected a path that begins with "/", or an absolute URL of http or https, got ${show(target)}`;
    return refusalOf('malformed_target', ['url'], message);
  }
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = host;
  return null;
}

function refusalOf(code: string, path: Issue['path'], message: string): Refusal {
  return new Refusal('invalid_request', [{ code, path, message }]);
}

/** `rawHeaders` alternates names and values. Node refuses HTTP/1.1 without a Host. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
