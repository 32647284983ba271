// Which addresses the hub may connect to: public ones, and those that the operator allows.

import { networkInterfaces } from 'node:os';
import { type Address, isPublicAddress, Networks, parseAddress } from '../model/addresses.ts';

export class AddressPolicy {
  readonly #allowed: Networks;

  /** `allowNetworks` are CIDRs whose addresses count as public. @throws {Error} if one of them is not a CIDR. */
  constructor(allowNetworks: readonly string[]) {
    this.#allowed = new Networks(allowNetworks);
  }

  /** Whether any network is allowed, so that names of the internal DNS can be permitted. */
  get allowsAny(): boolean {
    return !this.#allowed.isEmpty;
  }

  /** Whether the hub may connect to an address. False for a string that is not an IP address. */
  permits(text: string): boolean {
    const address = parseAddress(text);
    if (address === null) return false;
    return this.#allowed.include(address) || (isPublicAddress(address) && !isOwnAddress(address));
  }
}

/** A machine's own public address reaches services that it offers only to itself. */
function isOwnAddress(address: Address): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return own.some((each) => parseAddress(each.address)?.toString() === address.toString());
}
