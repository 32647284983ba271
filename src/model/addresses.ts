// IP addresses of clients, callbacks and settings: what one is, which network has it, and who counts as one client.

import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address; an IPv4-mapped IPv6 address as IPv4. Null for any other text. */
export function parseAddress(text: string): Address | null {
  // ipaddr.js takes `::127.0.0.1`, which is another address, for `::ffff:127.0.0.1`.
  if (isIP(text) === 0 || /^[0:]*:\d+\./.test(text)) return null;
  return ipaddr.process(text);
}

/** Whether a value is an address with a prefix length, such as `10.0.0.0/8`. */
export function isCidr(value: string): boolean {
  const [address = '', bits = ''] = value.trim().split('/', 2);
  return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && ipaddr.isValidCIDR(value.trim());
}

/** Networks in CIDR notation. */
export class Networks {
  readonly #networks: readonly [Address, number][];

  /** @throws {Error} if one of them is not a CIDR. */
  constructor(cidrs: readonly string[]) {
    this.#networks = cidrs.map((cidr) => ipaddr.parseCIDR(cidr.trim()));
  }

  get isEmpty(): boolean {
    return this.#networks.length === 0;
  }

  include(address: Address): boolean {
    return this.#networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  }
}

/** The client of an address: an IPv4 address, or the IPv6 network of 64 bits that one customer has. Other text is its own. */
export function clientOf(address: string): string {
  if (isIPv4(address)) return address;
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

/** Whether it is a global unicast address: not private, multicast or reserved. */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== 'unicast' || INTERNAL.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL);
}

/** In public ranges, but internal: Azure's virtual address for the machines that it hosts. */
const INTERNAL = new Set(['168.63.129.16']);
/** Global unicast IPv6. Outside this range are the deprecated forms that embed IPv4 addresses. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
