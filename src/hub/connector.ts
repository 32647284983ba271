// Connections to callbacks: to permitted addresses only, and over TLS that is always verified.

import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './addresses.ts';
import type { Resolve } from './resolver.ts';

/** For the connection alone; a request has its own time limit. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Said where an address may not be asked; nobody outside learns which it was. */
export const FORBIDDEN = 'the callback leads to an address that is not public';

/**
 * Connects to permitted addresses only. A name is resolved once, for this connection, and every
 * address that it has must be permitted; what was connected is looked at once more.
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
    // So that the lookup above is asked for all addresses, whatever the environment says.
    autoSelectFamily: true,
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    // One for all: making it takes as long as a third of the handshake.
    secureContext: createSecureContext(),
    // Said, so that no setting of the environment can turn it off.
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
