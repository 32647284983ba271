// Networks and proxies in settings.

import { isIP } from 'node:net';

/** Names of networks that Fastify accepts. */
const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

export function isTrustProxy(value: string): boolean {
  return /^(?:on|off|true|false|\d{1,3})$/.test(value) || value.split(',').every(isNetwork);
}

function isNetwork(value: string): boolean {
  const network = value.trim();
  return NETWORKS.has(network) || isIP(network) !== 0 || isCidr(network);
}

/** Whether a value is an address with a prefix length, such as `10.0.0.0/8`. */
export function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.trim().split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
}

/** `off`, `on` for the nearest proxy only, a number of proxies, or addresses and networks. */
export function parseTrustProxy(value: string): false | number | string {
  if (value === 'off' || value === 'false') return false;
  if (value === 'on' || value === 'true') return 1;
  return /^\d+$/.test(value) ? Number(value) : value;
}
