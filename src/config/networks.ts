// The proxies that a setting trusts.

import { isIP } from 'node:net';
import { isCidr } from '../model/addresses.ts';

/** Names of networks that @fastify/proxy-addr knows. */
const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

export function isTrustProxy(value: string): boolean {
  return /^(?:on|off|true|false|\d{1,3})$/.test(value) || value.split(',').every(isNetwork);
}

function isNetwork(value: string): boolean {
  const network = value.trim();
  return NETWORKS.has(network) || isIP(network) !== 0 || isCidr(network);
}

/** `off`, `on` for the nearest proxy only, a number of proxies, or addresses and networks. */
export function parseTrustProxy(value: string): false | number | string {
  if (value === 'off' || value === 'false') return false;
  if (value === 'on' || value === 'true') return 1;
  return /^\d+$/.test(value) ? Number(value) : value;
}
