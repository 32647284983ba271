// Who may call: stops web pages that reach this server under a name of their own (DNS rebinding),
// and no others.

import type { IncomingHttpHeaders } from 'node:http';
import { isIP, isIPv4 } from 'node:net';

export class OriginPolicy {
  readonly #ownName: string;
  readonly #isPublic: boolean;

  /** `baseUrl` is the public origin of this server. */
  constructor(baseUrl: string) {
    this.#ownName = new URL(baseUrl).hostname;
    this.#isPublic = !isLoopback(this.#ownName);
  }

  /** Why a request is refused, null where it may be served. */
  refuse({ host, origin }: IncomingHttpHeaders): string | null {
    const name = hostnameOf(`http://${host ?? ''}`);
    if (name === null || !this.#isTrusted(name)) {
      return (
        `expected the Host ${this.#ownName}, got ${host ?? 'none'}; ` +
        'if that is the right name for this server, set BASE_URL to it'
      );
    }
    // Programs other than browsers have no origin.
    if (origin === undefined) return null;
    const caller = /^https?:/.test(origin) ? hostnameOf(origin) : null;
    if (caller === null) return `expected the Origin of a web page, got ${origin}`;
    // Behind a proxy that rewrites Host, nothing shows which name the browser was led here by.
    const isOwnHost = name === this.#ownName;
    if (this.#isPublic && !isOwnHost && caller !== this.#ownName) {
      return (
        `expected the Origin ${this.#ownName} beside the Host ${host}, got ${origin}; ` +
        'other origins are served where the proxy passes the Host header on'
      );
    }
    // What a public server says may be read by any page, and here is nothing but reading.
    if (this.#isPublic || isLoopback(caller)) return null;
    return `expected an Origin on this machine, got ${origin}; a public BASE_URL opens it to others`;
  }

  /** Names that nobody else can make lead here. */
  #isTrusted(name: string): boolean {
    return name === this.#ownName || isOutOfReach(name);
  }
}

/** Addresses, and names without a dot, which no name server of a stranger answers for. */
function isOutOfReach(name: string): boolean {
  const address = name.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 || !name.includes('.') || name.endsWith('.localhost');
}

/** Names and addresses of this machine alone, as URLs write them. */
function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true;
  return isIPv4(name) && name.startsWith('127.');
}

/** The host name of a URL as URLs write it, null where it has none. */
function hostnameOf(url: string): string | null {
  const hostname = URL.parse(url)?.hostname ?? '';
  return hostname === '' ? null : hostname;
}
