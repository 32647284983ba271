// The clients of routes that read their requests themselves: told apart by address, and counted for the
// limit of requests.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { HeaderList } from './answer.ts';

/** The client that sent a request. */
export interface Caller {
  /** Equal for all requests of one client address. */
  readonly key: string;
  /** Headers of this answer alone. */
  readonly headers: HeaderList;
  /**
   * Counts further requests of the client, beside the one that came. Resolves with 0 while it is
   * within its limit, else with the seconds that it has to wait.
   */
  countMore(requests: number): Promise<number>;
}

export type RawHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
) => void;

/** What the framework's plugin says of one request that it counted. */
interface Counted {
  readonly isAllowed: boolean;
  readonly isExceeded?: boolean;
  readonly ttlInSeconds?: number;
}

/** `count` counts one request; without it nothing is limited. */
export function callerAt(
  address: string,
  headers: HeaderList = [],
  count: () => Promise<Counted> | undefined = () => undefined,
): Caller {
  return {
    key: clientKey(address),
    headers,
    async countMore(requests) {
      const counted = await Promise.all(Array.from({ length: requests }, async () => count()));
      const waits = counted.map((one) => (one?.isExceeded ? (one.ttlInSeconds ?? 1) : 0));
      return Math.max(0, ...waits);
    },
  };
}

/** One client has a whole IPv6 network of 64 bits to itself, and one IPv4 address. */
export function clientKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.split('%', 1)[0] as string;
  if (!isIPv6(plain)) return address;
  const [start = '', end] = plain.toLowerCase().split('::');
  const groups = start === '' ? [] : start.split(':');
  const last = end === undefined || end === '' ? [] : end.split(':');
  const filled = Array.from({ length: 8 - groups.length - last.length }, () => '0');
  const network = [...groups, ...(end === undefined ? [] : filled), ...last].slice(0, 4);
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
