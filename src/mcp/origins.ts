// Host and Origin checks against DNS rebinding: web pages that reach this server through a domain name
// of their own are rejected, all other clients are served.

import type { IncomingHttpHeaders } from 'node:http';
import { isIPv4 } from 'node:net';
import { hostnameOf, isTrustedName } from '../model/host-names.ts';

export class OriginPolicy {
  readonly #ownName: string;
  readonly #isPublic: boolean;

  constructor(baseUrl: string) {
    this.#ownName = new URL(baseUrl).hostname;
    this.#isPublic = !isLoopback(this.#ownName);
  }

  /** Returns the reason for a rejection, or null if the request may be served. */
  refuse({ host, origin }: IncomingHttpHeaders): string | null {
    const name = hostnameOf(`http://${host ?? ''}`);
    if (name === null || !isTrustedName(name, this.#ownName)) {
      return (
        `expected the Host ${this.#ownName}, got ${host ?? 'none'}; ` +
        'if that is the right name for this server, set BASE_URL to it'
      );
    }
    // Clients other than browsers send no Origin.
    if (origin === undefined) return null;
    const caller = /^https?:/.test(origin) ? hostnameOf(origin) : null;
    if (caller === null) return `expected the Origin of a web page, got ${origin}`;
    // Behind a proxy that rewrites Host, the name that the browser used is unknown.
    const isOwnHost = name === this.#ownName;
    if (this.#isPublic && !isOwnHost && caller !== this.#ownName) {
      return (
        `expected the Origin ${this.#ownName} beside the Host ${host}, got ${origin}; ` +
        'to serve other origins, configure the proxy to pass on the Host header'
      );
    }
    // A public server is read-only and public: any page may read it.
    if (this.#isPublic || isLoopback(caller)) return null;
    return `expected an Origin on this machine, got ${origin}; set a public BASE_URL to serve others`;
  }
}

/** Loopback names and addresses, in URL notation. */
function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true;
  return isIPv4(name) && name.startsWith('127.');
}
