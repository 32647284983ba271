// The registrable domain of a host. A module of its own, because the public suffix list is slow to load.

import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { clientOf } from '../model/addresses.ts';

/**
 * The domain under which requests to a host are counted: the registrable domain by the public suffix list,
 * so that further names under it share its limits; for a literal address, its network.
 */
export function domainOf(host: string): string {
  if (isIP(host) !== 0) return clientOf(host);
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  return getDomain(host, options) ?? host;
}
