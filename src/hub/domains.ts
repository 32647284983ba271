// The registrable domain of a host. Apart, because the list of public suffixes takes time to load.

import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { networkOf } from './addresses.ts';

/**
 * What is counted as one place beside the host itself: the registrable domain, as the public suffix list
 * has it, so that more names under one domain bring no more; the network of a literal address.
 */
export function domainOf(host: string): string {
  if (isIP(host) !== 0) return networkOf(host);
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  return getDomain(host, options) ?? host;
}
