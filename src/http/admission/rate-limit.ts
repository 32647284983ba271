// Counts the requests of each client per minute, and tells the client how many are left.

import type { ClientMinute, HeaderList } from '../../model/http-seam.ts';

const MINUTE_MS = 60_000;
/** Beyond it the client whose minute began first is forgotten. */
const MAX_CLIENTS = 20_000;

/** Counts one request of a client and returns its window. */
export interface RequestCounter {
  count(client: string): ClientMinute | Promise<ClientMinute>;
}

/** What a client is told after its request was counted. */
export interface Rate {
  /** How long to wait; 0 within the limit. */
  readonly waitSeconds: number;
  /** Nobody else may get them from a cache. */
  readonly headers: HeaderList;
}

const UNLIMITED: Rate = { waitSeconds: 0, headers: [] };

export class RateLimit {
  readonly #counter: RequestCounter;
  readonly #perMinute: number;

  constructor(counter: RequestCounter, perMinute: number) {
    this.#counter = counter;
    this.#perMinute = perMinute;
  }

  /** Counts a request of a client; at once if the counter is of this process. */
  count(client: string): Rate | Promise<Rate> {
    if (this.#perMinute === 0) return UNLIMITED;
    const minute = this.#counter.count(client);
    const rateOf = (counted: ClientMinute) => countedRate(counted, this.#perMinute);
    return minute instanceof Promise ? minute.then(rateOf) : rateOf(minute);
  }
}

function countedRate({ count, untilMs }: ClientMinute, perMinute: number): Rate {
  // At least 1: a Retry-After of 0 would mean that there is nothing to wait for.
  const endSeconds = Math.max(Math.ceil((untilMs - Date.now()) / 1000), 1);
  const waitSeconds = count > perMinute ? endSeconds : 0;
  return {
    waitSeconds,
    // Most answers need none.
    get headers() {
      const end = String(endSeconds);
      return [
        'X-RateLimit-Limit',
        String(perMinute),
        'X-RateLimit-Remaining',
        String(Math.max(perMinute - count, 0)),
        'X-RateLimit-Reset',
        end,
        ...(waitSeconds > 0 ? ['Retry-After', end] : []),
      ];
    },
  };
}

export class MemoryCounter implements RequestCounter {
  readonly #maxClients: number;
  readonly #nowMs: () => number;
  /** In the order in which they began. */
  readonly #minutes = new Map<string, { count: number; untilMs: number }>();

  constructor({ maxClients = MAX_CLIENTS, nowMs = Date.now } = {}) {
    this.#maxClients = maxClients;
    this.#nowMs = nowMs;
  }

  count(client: string): ClientMinute {
    const known = this.#current(client);
    if (known) {
      known.count += 1;
      return { ...known };
    }
    this.#minutes.delete(client);
    const minute = { count: 1, untilMs: this.#nowMs() + MINUTE_MS };
    this.#minutes.set(client, minute);
    if (this.#minutes.size > this.#maxClients) {
      const [first] = this.#minutes.keys();
      this.#minutes.delete(first as string);
    }
    return { ...minute };
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
