// Checks what a request is addressed to before anything is looked up by it: its target, and its Host.

import type { IncomingMessage } from 'node:http';
import { type Issue, Refusal, show } from '../errors.ts';

/** The target of a request to a proxy, which a server has to accept too (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/((?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d*)?)([/?].*)?$/i;

/**
 * Brings the target to origin-form, which begins with a slash. The host of an absolute target replaces
 * the Host header. Returns the refusal of a request that names no path or more than one host, else null.
 */
export function normalizeTarget(request: IncomingMessage): Refusal | null {
  if (countHosts(request.rawHeaders) > 1) {
    return refusalOf('repeated_host', ['headers', 'host'], 'expected one Host header, got several');
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

/** `rawHeaders` holds names and values in turn. Node itself refuses HTTP/1.1 without a Host. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
