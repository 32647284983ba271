// Connections to callbacks: only to permitted addresses, always over verified TLS.

import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './addresses.ts';
import type { Resolve } from './resolver.ts';

/** For connecting alone; the request has its own time limit. */
const CONNECT_TIMEOUT_MS = 5_000;

/** The error for an address that is not permitted. It does not reveal the address. */
export const FORBIDDEN = 'the callback leads to an address that is not public';

/**
 * Connects only to permitted addresses. The name is resolved once for a connection, to at least one address,
 * and all its addresses must be permitted. The address that was connected to is checked again.
 */
export function guardedConnector(
  addresses: AddressPolicy,
  resolve: Resolve,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: callbackify(async (hostname: string, _options: object) => {
      const found = await resolve(hostname);
      if (!found.every(({ address }) => addresses.permits(address))) throw new Error(FORBIDDEN);
      return [...found];
    }) as unknown as LookupFunction,
    // Makes undici request all addresses from `lookup`, whatever NODE_OPTIONS says.
    autoSelectFamily: true,
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    // Shared: creating it takes a third as long as a handshake.
    secureContext: createSecureContext(),
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
    rejectUnauthorized: true,
  });
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal) !== 0 && !addresses.permits(literal)) {
      callback(new Error(FORBIDDEN), null);
      return;
    }
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null && !addresses.permits((socket as TLSSocket).remoteAddress ?? '')) {
        socket.destroy();
        callback(new Error(FORBIDDEN), null);
      } else {
        callback(...result);
      }
    });
  };
}
