// A callback's URL: what is accepted as one, where it leads, and what is appended to it. It is never
// rewritten, because subscribers may have put there what only they can read (WebSub, section 5.1.1).

import { isIP } from 'node:net';
import { show } from '../errors.ts';
import type { AddressPolicy } from './addresses.ts';

/** Characters; more than that nobody needs, and every subscription keeps its own. */
export const LONGEST_URL = 2048;

/** Names that never lead to the public (RFC 6761, 6762, 7686, 8375, and the registry's own .internal). */
const INSIDE = /(?:^|\.)(?:localhost|local|internal|home\.arpa|onion|test|invalid)$/;

/** Ports that speak other protocols: 0, and those that the Fetch standard blocks ("bad port"). */
const OTHER_PROTOCOLS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/** Where a callback leads. */
export interface Target {
  /** Scheme, host and port as a client connects to them. */
  readonly origin: string;
  /** Host name alone, in lower case, without the brackets of IPv6 and the dot that may end a name. */
  readonly host: string;
  /** Path and query as they were given. */
  readonly path: string;
}

/** The problem of a callback in words, null where it has none that shows before it is called. */
export function problemOfCallback(
  callback: string,
  addresses: AddressPolicy,
  ownOrigin: string,
): string | null {
  const got = `got ${show(callback)}`;
  if (callback.length > LONGEST_URL) {
    return `expected at most ${LONGEST_URL} characters, got ${callback.length}`;
  }
  const [, authority] = /^https:\/\/([^/?#]+)/i.exec(callback) ?? [];
  if (authority === undefined) return `expected a URL that begins with https:// and a host, ${got}`;
  if (/[\p{Cc}\p{Cf}\s\\]/u.test(callback)) {
    return `expected a URL without white space, control characters and backslashes, ${got}`;
  }
  if (callback.includes('#')) return `expected a URL without a fragment, ${got}`;
  if (authority.includes('@')) return `expected a URL without a user name, ${got}`;
  if (!URL.canParse(`https://${authority}`)) return `expected a URL with a valid host, ${got}`;
  const { host } = targetOf(callback);
  if (host.split('.').includes('')) return `expected a URL with a valid host, ${got}`;
  const { port } = new URL(`https://${authority}`);
  if (port !== '' && OTHER_PROTOCOLS.has(Number(port))) {
    return `expected a port that is not one of another protocol, ${got}`;
  }
  if (placeOf(new URL(`https://${authority}`)) === placeOf(new URL(ownOrigin))) {
    return `expected a callback of another origin than the hub's own, ${got}`;
  }
  const isReachable =
    isIP(host) === 0 ? mayBePublic(host) || addresses.allowsAny : addresses.permits(host);
  return isReachable ? null : `expected a host that is public, ${got}`;
}

/** Whether a name is one that the public DNS could know. */
function mayBePublic(host: string): boolean {
  return host.includes('.') && !INSIDE.test(host);
}

export function targetOf(callback: string): Target {
  const [, authority = '', rest = ''] = /^https:\/\/([^/?]*)(.*)$/is.exec(callback) ?? [];
  const url = new URL(`https://${authority}`);
  return { origin: url.origin, host: hostOf(url), path: pathOf(rest) };
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function placeOf(url: URL): string {
  return `${hostOf(url)} ${url.port}`;
}

/** What cannot stand in a request line is encoded, as every client does; the rest stays. */
function pathOf(rest: string): string {
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return path.replace(/[^\u0021-\u007e]+/g, (characters) => encodeURIComponent(characters));
}

/** Appends parameters to a path with its query, which stays byte for byte (section 5.1.1). */
export function withParameters(
  path: string,
  parameters: readonly (readonly [name: string, value: string])[],
): string {
  const appended = parameters
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  if (!path.includes('?')) return `${path}?${appended}`;
  return /[?&]$/.test(path) ? `${path}${appended}` : `${path}&${appended}`;
}

/**
 * The spelling by which two URLs are compared: characters that need no encoding are decoded (section
 * 5.1.1), and case does not matter where RFC 3986, section 6.2.2 says so.
 */
export function comparable(url: string): string {
  return url
    .replace(/%([0-9a-f]{2})/gi, (encoded, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16));
      return /[A-Za-z0-9\-._~]/.test(character) ? character : encoded.toUpperCase();
    })
    .replace(/^[a-z]+:\/\/[^/?#]*/i, (start) => start.toLowerCase());
}

/** A callback as logs and operators see it: its query may be a secret between subscriber and hub. */
export function withoutQuery(callback: string): string {
  const [shown = '', query] = callback.split('?', 2);
  return query === undefined ? shown : `${shown}?...`;
}
