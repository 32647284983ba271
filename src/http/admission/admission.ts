// Admits requests, alike for all that answer them: within the rate of the client, not while it causes an overload,
// and in turns for those that cost CPU.

import type { IncomingMessage, ServerResponse } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '../../config.ts';
import { clientOf } from '../../model/addresses.ts';
import type { Caller, Turn } from '../../model/http-seam.ts';
import type { Costs } from './client-costs.ts';
import { Overload } from './overload.ts';
import { MemoryCounter, type Rate, RateLimit, type RequestCounter } from './rate-limit.ts';
import { Turns } from './turns.ts';

/** What tests and workers replace. */
export interface AdmissionParts {
  readonly counter?: RequestCounter;
  readonly overload?: Overload;
  readonly costs?: Costs;
  /** The clock of turns. */
  readonly nowMs?: () => number;
}

type Settings = Pick<Config, 'trustProxy' | 'rateLimitPerMinute'> & {
  readonly hub: Pick<Config['hub'], 'requestsPerMinute'>;
};

export class Admission {
  readonly #clientOf: (request: IncomingMessage) => string;
  readonly #reads: RateLimit;
  readonly #forms: RateLimit;
  readonly #overload: Overload;
  readonly #turns: Turns;

  /** `onRefused` is called with the status of each request that waited in vain. */
  constructor(
    { trustProxy, rateLimitPerMinute, hub }: Settings,
    onRefused: (status: number) => void,
    { counter = new MemoryCounter(), overload = new Overload(), costs, nowMs }: AdmissionParts = {},
  ) {
    this.#clientOf = clientFinder(trustProxy);
    this.#reads = new RateLimit(counter, rateLimitPerMinute);
    // Subscribers are not readers: their requests count alone.
    const forms = { count: (client: string) => counter.count(`form ${client}`) };
    this.#forms = new RateLimit(forms, hub.requestsPerMinute);
    this.#overload = overload;
    this.#turns = new Turns({
      clientOf: this.#clientOf,
      onRefused,
      costs,
      ...(nowMs && { nowMs }),
    });
  }

  close(): void {
    this.#overload.close();
  }

  clientOf(request: IncomingMessage): string {
    return this.#clientOf(request);
  }

  countRead(request: IncomingMessage): Rate | Promise<Rate> {
    return this.#reads.count(this.#clientOf(request));
  }

  countForm(request: IncomingMessage): Rate | Promise<Rate> {
    return this.#forms.count(this.#clientOf(request));
  }

  /** Whether a request that costs CPU must be refused, because its client causes an overload. */
  isOverloadedBy(request: IncomingMessage): boolean {
    return this.#overload.isOverloaded && this.#turns.isToBlame(this.#clientOf(request));
  }

  /** Calls `begin` with a turn; with null if the request was refused, or its client disconnected. */
  takeTurn(
    request: IncomingMessage,
    response: ServerResponse,
    begin: (turn: Turn | null) => void,
  ): void {
    this.#turns.take(request, response, begin);
  }

  /** The client of a request, for handlers that count and take turns by themselves. */
  callerOf(request: IncomingMessage, response: ServerResponse): Caller {
    const key = this.#clientOf(request);
    return {
      key,
      takeTurn: () =>
        new Promise((resolve) => {
          this.#turns.take(request, response, resolve);
        }),
      countMore: async (requests) => {
        const counted = Array.from({ length: requests }, async () => this.#reads.count(key));
        const rates = await Promise.all(counted);
        return Math.max(0, ...rates.map(({ waitSeconds }) => waitSeconds));
      },
    };
  }
}

/** Finds the client of a request: the right-most address that is not a trusted proxy's. */
function clientFinder(trust: Config['trustProxy']): (request: IncomingMessage) => string {
  if (trust === false) return ({ socket }) => clientOf(socket.remoteAddress ?? '');
  const isTrusted = proxyTest(trust);
  return (request) => clientOf(proxyAddr(request, isTrusted) ?? '');
}

/** Tells which addresses are trusted proxies'. Hop 0 is the peer. */
export function proxyTest(trust: Config['trustProxy']): (address: string, hop: number) => boolean {
  if (typeof trust !== 'string') return (_address, hop) => hop < Number(trust);
  return proxyAddr.compile(trust.split(',').map((each) => each.trim()));
}
