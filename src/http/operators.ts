// Recognizes operators: only clients in their networks may see metrics and details of faults, and no web page that
// they have open.

import type { IncomingMessage } from 'node:http';
import { Networks, parseAddress } from '../model/addresses.ts';
import { hostnameOf, isTrustedName } from '../model/host-names.ts';

export class OperatorNetworks {
  readonly #networks: Networks;
  readonly #ownName: string;

  /** `networks` are CIDRs; `baseUrl` is the public origin of this server, null for localhost. */
  constructor(networks: readonly string[], baseUrl: string | null) {
    this.#ownName = new URL(baseUrl ?? 'http://localhost').hostname;
    this.#networks = new Networks(networks);
  }

  /**
   * Whether the peer and every address that proxies name are in these networks. Neither a proxy on this
   * machine, a forged header nor a page in an operator's browser makes a stranger an operator.
   */
  include({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
    // Browsers send it for pages of other origins, which anybody can make an operator open.
    if (headers.origin !== undefined || headers['forwarded'] !== undefined) return false;
    // A page whose own name resolves to this server is of the same origin to browsers.
    const name = hostnameOf(`http://${headers.host ?? ''}`);
    if (name === null || !isTrustedName(name, this.#ownName)) return false;
    const named = [headers['x-forwarded-for'], headers['x-real-ip']].flat();
    const addresses = [
      socket.remoteAddress ?? '',
      ...named.flatMap((value) => value?.split(',') ?? []),
    ];
    return addresses.every((text) => {
      const address = parseAddress(text.trim());
      return address !== null && this.#networks.include(address);
    });
  }
}
