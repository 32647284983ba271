// Which host names of requests are safe from DNS rebinding: a web page cannot reach this server through them
// unless it was loaded from it.

import { isIP } from 'node:net';

export function hostnameOf(url: string): string | null {
  const hostname = URL.parse(url)?.hostname ?? '';
  return hostname === '' ? null : hostname;
}

/** Whether no third party can make this name resolve to this server, whose public name is `ownName`. */
export function isTrustedName(name: string, ownName: string): boolean {
  return name === ownName || isNotRebindable(name);
}

/** IP addresses and names without a dot: no third party's name server answers for them. */
function isNotRebindable(name: string): boolean {
  const address = name.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 || !name.includes('.') || name.endsWith('.localhost');
}
