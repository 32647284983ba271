// Parses the URL of a callback: which URLs are accepted, and where they lead. The URL is never rewritten,
// because its query belongs to the subscriber (WebSub, section 5.1.1).

import { isIP } from 'node:net';
import { type Parsed, show } from '../errors.ts';
import type { Callback } from '../model/callback.ts';
import type { AddressPolicy } from './addresses.ts';
import { HUB_LIMITS } from './limits.ts';
import { getDomain } from 'tldts';
import { clientOf } from '../model/addresses.ts';

const MAX_URL_LENGTH = HUB_LIMITS.callbackLength;

/** Names that are never public (RFC 6761, 6762, 7686, 8375, and the reserved .internal). */
const INTERNAL = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa|onion|test|invalid)$/;

/** Ports of other protocols: 0, and the "bad ports" of the Fetch standard. */
const OTHER_PROTOCOLS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

export interface CallbackPolicy {
  readonly addresses: AddressPolicy;
  /** The hub's own origin, which no callback may have. */
  readonly origin: string;
}

/** Parses the URL that a request gives. Its host is not resolved. */
export function parseCallback(href: string | undefined, policy: CallbackPolicy): Parsed<Callback> {
  if (href === undefined) {
    return refused('expected a URL that begins with https:// and a host, got nothing');
  }
  const problem = problemOfText(href);
  if (problem !== null) return refused(problem);
  const callback = partsOf(href);
  if (callback === null) return refused(`expected a URL with a valid host, got ${show(href)}`);
  const targetProblem = problemOfTarget(callback, policy);
  return targetProblem === null ? { ok: true, value: callback } : refused(targetProblem);
}

/**
 * The callback of a URL that was accepted before. `domain` is the one that the store has for it.
 *
 * @throws {TypeError} if the URL has no valid host.
 */
export function callbackOf(href: string, domain?: string): Callback {
  const callback = partsOf(href, domain);
  if (callback === null) throw new TypeError('expected the URL of a callback, got another text');
  return callback;
}

/** Null if the URL has no valid host. */
function partsOf(href: string, domain?: string): Callback | null {
  const [, authority = '', rest = ''] = /^https:\/\/([^/?]*)(.*)$/is.exec(href) ?? [];
  const url = URL.parse(`https://${authority}`);
  if (url === null) return null;
  const host = hostOf(url);
  return {
    href,
    origin: url.origin,
    host,
    port: portOf(url),
    path: pathOf(rest),
    domain: domain ?? domainOf(host),
  };
}

function problemOfText(href: string): string | null {
  const got = `got ${show(href)}`;
  if (href.length > MAX_URL_LENGTH) {
    return `expected at most ${MAX_URL_LENGTH} characters, got ${href.length}`;
  }
  const sent = encoded(href).length;
  if (sent > MAX_URL_LENGTH) {
    return `expected at most ${MAX_URL_LENGTH} characters, percent-encoded, got ${sent}`;
  }
  const [, authority] = /^https:\/\/([^/?#]+)/i.exec(href) ?? [];
  if (authority === undefined) return `expected a URL that begins with https:// and a host, ${got}`;
  if (/[\p{Cc}\p{Cf}\s\\]/u.test(href)) {
    return `expected a URL without white space, control characters and backslashes, ${got}`;
  }
  if (href.includes('#')) return `expected a URL without a fragment, ${got}`;
  return authority.includes('@') ? `expected a URL without a user name, ${got}` : null;
}

function problemOfTarget(
  { href, host, port }: Callback,
  { addresses, origin }: CallbackPolicy,
): string | null {
  const got = `got ${show(href)}`;
  if (host.split('.').includes('')) return `expected a URL with a valid host, ${got}`;
  if (OTHER_PROTOCOLS.has(port)) {
    return `expected a port that is not one of another protocol, ${got}`;
  }
  const own = new URL(origin);
  if (host === hostOf(own) && port === portOf(own)) {
    return `expected a callback of another origin than the hub's own, ${got}`;
  }
  const isReachable =
    isIP(host) === 0
      ? (host.includes('.') && !INTERNAL.test(host)) || addresses.allowsAny
      : addresses.permits(host);
  return isReachable ? null : `expected a host that is public, ${got}`;
}

function refused(message: string): Parsed<Callback> {
  return { ok: false, issues: [{ code: 'invalid_callback', path: ['hub.callback'], message }] };
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** A plain HTTP origin without a port is taken to be behind a proxy that speaks HTTPS. */
function portOf(url: URL): number {
  return url.port === '' ? 443 : Number(url.port);
}

function pathOf(rest: string): string {
  return encoded(rest.startsWith('/') ? rest : `/${rest}`);
}

/** Encodes only what no request line can hold, as every client does. */
function encoded(url: string): string {
  return url.replace(/[^\u0021-\u007e]+/g, (characters) => encodeURIComponent(characters));
}

/**
 * The domain under which requests to a host are counted: the registrable domain by the public suffix list,
 * so that further names under it share its limits; for a literal address, its network.
 */
export function domainOf(host: string): string {
  if (isIP(host) !== 0) return clientOf(host);
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  return getDomain(host, options) ?? host;
}
