// The client of a request before it is routed, as the framework determines it afterwards.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Config } from '../config.ts';
import { clientKey } from './callers.ts';

/** The networks that have names in `TRUST_PROXY`. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

export class ClientAddresses {
  readonly #isTrusted: (address: string, hop: number) => boolean;

  constructor(trust: Config['trustProxy']) {
    if (trust === false) this.#isTrusted = () => false;
    else if (typeof trust === 'number') this.#isTrusted = (_address, hop) => hop < trust;
    else {
      const networks = networksOf(trust);
      this.#isTrusted = (address) =>
        isIP(address) !== 0 && networks.check(address, familyOf(address));
    }
  }

  /** The key of the right-most address that is not a trusted proxy's; hop 0 is the peer. */
  keyOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    let address = socket.remoteAddress ?? '';
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; this.#isTrusted(address, hop); hop++) {
      const next = forwarded.pop()?.trim() ?? '';
      if (next === '') break;
      address = next;
    }
    return clientKey(address);
  }
}

function networksOf(trust: string): BlockList {
  const networks = new BlockList();
  for (const entry of trust.split(',').flatMap((each) => NAMED[each.trim()] ?? [each.trim()])) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) networks.addAddress(address, familyOf(address));
    else networks.addSubnet(address, Number(bits), familyOf(address));
  }
  return networks;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
