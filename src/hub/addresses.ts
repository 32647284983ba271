// Which addresses the hub may connect to: public ones, and those that the operator allows.

import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** In public ranges, but internal: Azure's virtual address for the machines that it hosts. */
const INTERNAL = new Set(['168.63.129.16']);

/** Global unicast IPv6. Outside this range are the deprecated forms that embed IPv4 addresses. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

export class AddressPolicy {
  readonly #allowed: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  /**
   * `allowNetworks` are CIDRs whose addresses count as public.
   *
   * @throws {Error} if one of them is not a CIDR.
   */
  constructor(allowNetworks: readonly string[]) {
    this.#allowed = allowNetworks.map((network) => ipaddr.parseCIDR(network));
  }

  /** Whether any network is allowed, so that names of the internal DNS can be permitted. */
  get allowsAny(): boolean {
    return this.#allowed.length > 0;
  }

  /** Whether the hub may connect to an address. False for a string that is not an IP address. */
  permits(address: string): boolean {
    // ipaddr.js parses `::127.0.0.1`, which is a different address, as `::ffff:127.0.0.1`.
    if (!ipaddr.isValid(address) || /^[0:]*:\d+\./.test(address)) return false;
    // Converts an IPv4-mapped IPv6 address to IPv4.
    const parsed = ipaddr.process(address);
    const isAllowed = this.#allowed.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
    return isAllowed || (isPublic(parsed) && !isOwnAddress(parsed));
  }
}

/** The network under which an address is counted: an IPv4 address, or the /64 that one IPv6 customer has. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

/** Whether it is a global unicast address: not private, multicast or reserved. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || INTERNAL.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL);
}

/** A machine's own public address reaches services that it offers only to itself. */
function isOwnAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return own.some((each) => {
    const [plain = ''] = each.address.split('%');
    return ipaddr.isValid(plain) && ipaddr.process(plain).toString() === address.toString();
  });
}
