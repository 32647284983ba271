// Counts what a client address asks for in a minute, in memory or wherever else it is counted together.

import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyReply } from 'fastify';

export const MINUTE_MS = 60_000;

const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Removes what is true for one client alone from an answer that a shared cache may replay to others. */
export function hideLimits(reply: FastifyReply): void {
  for (const name of LIMIT_HEADERS) void reply.removeHeader(name);
}

/** The minute of a client, which begins with the first request in it. */
export interface ClientMinute {
  /** Requests in it so far. */
  readonly count: number;
  /** When it is over, ms since 1970. */
  readonly until: number;
}

/** Counts one request of a client, and says how far its minute has come. */
export interface RequestCounter {
  count(client: string): Promise<ClientMinute>;
}

/** Who counts for the limit of reads, and who for the routes that have one of their own. */
export interface RequestCounters {
  readonly reads: RequestCounter;
  readonly forms: RequestCounter;
}

/** Clients that are remembered; beyond, the one whose minute began first is forgotten. */
const MOST_CLIENTS = 20_000;

export class MemoryCounter implements RequestCounter {
  readonly #most: number;
  readonly #now: () => number;
  /** In the order in which their minutes began. */
  readonly #minutes = new Map<string, { count: number; until: number }>();

  /** `now` is in ms since 1970. */
  constructor(most = MOST_CLIENTS, now = Date.now) {
    this.#most = most;
    this.#now = now;
  }

  count(client: string): Promise<ClientMinute> {
    const now = this.#now();
    const known = this.#minutes.get(client);
    // A minute that ends later than one that begins now was begun before the clock was set back.
    if (known && known.until > now && known.until <= now + MINUTE_MS) {
      known.count += 1;
      return Promise.resolve({ ...known });
    }
    this.#minutes.delete(client);
    const minute = { count: 1, until: now + MINUTE_MS };
    this.#minutes.set(client, minute);
    if (this.#minutes.size > this.#most) {
      const [first] = this.#minutes.keys();
      this.#minutes.delete(first as string);
    }
    return Promise.resolve({ ...minute });
  }
}

/** The counters as the framework's plugin wants them. */
export function limitStore({ reads, forms }: RequestCounters): FastifyRateLimitStoreCtor {
  return class LimitStore implements FastifyRateLimitStore {
    readonly #counter: RequestCounter;

    constructor(_options: object, counter: RequestCounter = reads) {
      this.#counter = counter;
    }

    incr(client: string, done: Parameters<FastifyRateLimitStore['incr']>[1]): void {
      void tell(this.#counter.count(client), done);
    }

    child(): LimitStore {
      return new LimitStore({}, forms);
    }
  };
}

async function tell(
  counted: Promise<ClientMinute>,
  done: Parameters<FastifyRateLimitStore['incr']>[1],
): Promise<void> {
  try {
    const { count, until } = await counted;
    // At least a moment: a Retry-After of 0 would say that there is nothing to wait for.
    done(null, { current: count, ttl: Math.max(until - Date.now(), 1) });
  } catch (error) {
    done(error as Error);
  }
}
