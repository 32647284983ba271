// Counts the requests of each client address per minute.

import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyReply } from 'fastify';
import type { ClientMinute } from '../model/http-seam.ts';
import { HTTP_LIMITS } from './limits.ts';

export const MINUTE_MS = 60_000;

const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Removes headers about one client from answers that shared caches may replay to others. */
export function hideLimits(reply: FastifyReply): void {
  for (const name of LIMIT_HEADERS) void reply.removeHeader(name);
}

/** Counts one request of a client and returns its window. */
export interface RequestCounter {
  count(client: string): Promise<ClientMinute>;
}

/** The counters of reads, and of forms, which have a limit of their own. */
export interface RequestCounters {
  readonly reads: RequestCounter;
  readonly forms: RequestCounter;
}

export class MemoryCounter implements RequestCounter {
  readonly #maxClients: number;
  readonly #nowMs: () => number;
  /** In the order in which they began. */
  readonly #minutes = new Map<string, { count: number; untilMs: number }>();

  constructor(maxClients: number = HTTP_LIMITS.countedClients.value, nowMs = Date.now) {
    this.#maxClients = maxClients;
    this.#nowMs = nowMs;
  }

  count(client: string): Promise<ClientMinute> {
    const known = this.#current(client);
    if (known) {
      known.count += 1;
      return Promise.resolve({ ...known });
    }
    this.#minutes.delete(client);
    const minute = { count: 1, untilMs: this.#nowMs() + MINUTE_MS };
    this.#minutes.set(client, minute);
    if (this.#minutes.size > this.#maxClients) {
      const [first] = this.#minutes.keys();
      this.#minutes.delete(first as string);
    }
    return Promise.resolve({ ...minute });
  }

  /** The requests in the window of a client, which this does not count. */
  countOf(client: string): number {
    return this.#current(client)?.count ?? 0;
  }

  /** The window of a client; undefined if it has none or its window has ended. */
  #current(client: string): { count: number; readonly untilMs: number } | undefined {
    const nowMs = this.#nowMs();
    const known = this.#minutes.get(client);
    // A window that ends more than a minute from now means that the clock was set back.
    return known && known.untilMs > nowMs && known.untilMs <= nowMs + MINUTE_MS ? known : undefined;
  }
}

/** The counters as a store of the framework's plugin. */
export function limitStore({ reads, forms }: RequestCounters): FastifyRateLimitStoreCtor {
  return class LimitStore implements FastifyRateLimitStore {
    readonly #counter: RequestCounter;

    constructor(_options: object, counter: RequestCounter = reads) {
      this.#counter = counter;
    }

    incr(client: string, done: Parameters<FastifyRateLimitStore['incr']>[1]): void {
      void report(this.#counter.count(client), done);
    }

    child(): LimitStore {
      return new LimitStore({}, forms);
    }
  };
}

async function report(
  counted: Promise<ClientMinute>,
  done: Parameters<FastifyRateLimitStore['incr']>[1],
): Promise<void> {
  try {
    const { count, untilMs } = await counted;
    // At least 1 ms: a Retry-After of 0 would mean that there is nothing to wait for.
    done(null, { current: count, ttl: Math.max(untilMs - Date.now(), 1) });
  } catch (error) {
    done(error as Error);
  }
}
