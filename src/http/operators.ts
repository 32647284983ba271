// Tells operators from strangers: metrics and details of faults are for clients of certain networks only.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

export class OperatorNetworks {
  readonly #networks = new BlockList();

  /** `networks` are CIDRs. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      this.#networks.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /**
   * Whether a request comes from these networks alone: the peer, and every address that a proxy
   * names. So a stranger does not become an operator by a proxy on this machine, or by a header.
   */
  include({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
    if (headers['forwarded'] !== undefined) return false;
    const named = [headers['x-forwarded-for'], headers['x-real-ip']].flat();
    const addresses = [
      socket.remoteAddress ?? '',
      ...named.flatMap((value) => value?.split(',') ?? []),
    ];
    return addresses.every((address) => this.#includes(address.trim()));
  }

  #includes(address: string): boolean {
    return isIP(address) !== 0 && this.#networks.check(address, familyOf(address));
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
