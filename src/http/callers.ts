// The client behind a request, identified by its address and counted for the rate limit.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Caller, HeaderList } from '../model/http-seam.ts';

export type RawHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
) => void;

/** The result of the framework's plugin for one counted request. */
interface Counted {
  readonly isAllowed: boolean;
  readonly isExceeded?: boolean;
  readonly ttlInSeconds?: number;
}

/** `count` counts one request; without it there is no limit. */
export function callerAt(
  address: string,
  takeTurn: Caller['takeTurn'],
  headers: HeaderList = [],
  count: () => Promise<Counted> | undefined = () => undefined,
): Caller {
  return {
    key: clientKey(address),
    headers,
    takeTurn,
    async countMore(requests) {
      const counted = await Promise.all(Array.from({ length: requests }, async () => count()));
      const waits = counted.map((one) => (one?.isExceeded ? (one.ttlInSeconds ?? 1) : 0));
      return Math.max(0, ...waits);
    },
  };
}

/** A client is one IPv4 address, or one IPv6 network of 64 bits. */
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
