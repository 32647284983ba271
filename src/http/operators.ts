// Recognizes operators: only clients in their networks may see metrics and details of faults.

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
   * Whether the peer and every address that proxies name are in these networks. Neither a proxy on this
   * machine nor a forged header makes a stranger an operator.
   */
  include({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
    // Browsers send it for pages of other origins, which anybody can make an operator open.
    if (headers.origin !== undefined || headers['forwarded'] !== undefined) return false;
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
