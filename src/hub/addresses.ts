// Which addresses a callback may be reached at: public ones, and those that the operator allows.

import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Public by its number, and yet inside: where Azure answers the machines that it hosts. */
const INSIDE = new Set(['168.63.129.16']);

/** All that registries give out of IPv6. Outside of it IPv4 addresses hide in forms of old. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

export class AddressPolicy {
  readonly #allowed: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  /** `allowNetworks` are CIDRs whose addresses count as public. */
  constructor(allowNetworks: readonly string[]) {
    this.#allowed = allowNetworks.map((network) => ipaddr.parseCIDR(network));
  }

  /** Whether names that only this network knows may lead anywhere at all. */
  get allowsAny(): boolean {
    return this.#allowed.length > 0;
  }

  /** Whether a request may be sent to an address; a spelling that is none may not. */
  permits(address: string): boolean {
    // The library takes `::127.0.0.1`, which is an address of its own, for `::ffff:127.0.0.1`.
    if (!ipaddr.isValid(address) || /^[0:]*:\d+\./.test(address)) return false;
    // An IPv4 address inside an IPv6 one is the IPv4 address.
    const parsed = ipaddr.process(address);
    const isAllowed = this.#allowed.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
    return isAllowed || (isPublic(parsed) && !isOurOwn(parsed));
  }
}

/** What is counted as one place: an IPv4 address, or the /64 that a single IPv6 customer has. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

/** Everything that a registry gave to somebody: the rest leads inside, to all, or to nobody. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || INSIDE.has(address.toString())) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL);
}

/** A machine with a public address would reach, through it, what it serves to itself. */
function isOurOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return own.some((each) => {
    const [plain = ''] = each.address.split('%');
    return ipaddr.isValid(plain) && ipaddr.process(plain).toString() === address.toString();
  });
}
