// Counts the hub's requests by client, together with all other servers of the store. What waits is
// counted in one transaction, and what is over the limit in none: neither many clients nor an insistent
// one make the store busy.

import type { Database } from '../store/database.ts';
import {
  type ClientMinute,
  countHubRequests,
  deleteEndedClientMinutes,
} from '../store/hub-clients.ts';

const MINUTE_MS = 60_000;
/** Clients that the store keeps, and those that are known here to have asked too much. */
const MOST_CLIENTS = 10_000;
/** Requests that are counted in one transaction. */
const MOST_AT_ONCE = 1_000;
/** After a failure of the store: a request waits for it once, not once to be counted and once to be stored. */
const PAUSE_AFTER_FAILURE_MS = 2_000;

export interface CounterParts {
  readonly database: Database;
  /** Requests of a client in a minute. */
  readonly most: number;
  /** Counts in this process alone: while the store is away or full of clients. */
  readonly alone: { count(client: string): Promise<ClientMinute> };
  /** ms since 1970. */
  readonly now: () => number;
  /** Clients that the store keeps. */
  readonly mostClients?: number;
}

interface Waiting {
  readonly client: string;
  readonly resolve: (minute: ClientMinute | null) => void;
}

export class HubClientCounter {
  readonly #parts: CounterParts;
  readonly #refused = new Map<string, ClientMinute>();
  #waiting: Waiting[] = [];
  #isCounting = false;
  #awayUntil = 0;
  #forgetting: NodeJS.Timeout | null = null;

  constructor(parts: CounterParts) {
    this.#parts = parts;
  }

  /** Counts one request, and says how far the minute of its client has come. */
  async count(client: string): Promise<ClientMinute> {
    const refused = this.#refused.get(client);
    if (refused && this.#isCurrent(refused)) return refused;
    const minute = await new Promise<ClientMinute | null>((resolve) => {
      this.#waiting.push({ client, resolve });
      if (!this.#isCounting) void this.#countWaiting();
    });
    if (minute === null) return this.#parts.alone.count(client);
    if (minute.count > this.#parts.most) this.#remember(client, minute);
    return minute;
  }

  /** Whether the minute goes on. One that ends later than it could was begun by a clock that was ahead. */
  #isCurrent({ until }: ClientMinute): boolean {
    const left = until - this.#parts.now();
    return left > 0 && left <= 2 * MINUTE_MS;
  }

  /** Forgets nothing more by itself. */
  close(): void {
    if (this.#forgetting) clearTimeout(this.#forgetting);
  }

  async #countWaiting(): Promise<void> {
    this.#isCounting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE);
      const minutes = await this.#countBatch(batch);
      // Each gets the number that it would have got alone, in the order of arrival.
      const left = countsOf(batch);
      for (const { client, resolve } of batch) {
        const minute = minutes.get(client);
        const after = (left.get(client) as number) - 1;
        left.set(client, after);
        resolve(minute ? { count: minute.count - after, until: minute.until } : null);
      }
    }
    this.#isCounting = false;
  }

  /** Empty where the store is away: whether the request can be accepted is found out by trying. */
  async #countBatch(batch: readonly Waiting[]): Promise<ReadonlyMap<string, ClientMinute>> {
    const { database, now, mostClients = MOST_CLIENTS } = this.#parts;
    const pauseLeft = this.#awayUntil - now();
    if (pauseLeft > 0 && pauseLeft <= PAUSE_AFTER_FAILURE_MS) return new Map();
    const limits = { nowMs: now(), untilMs: now() + MINUTE_MS, maxClients: mostClients };
    try {
      const minutes = await countHubRequests(database, countsOf(batch), limits);
      this.#forgetLater();
      return minutes;
    } catch {
      this.#awayUntil = now() + PAUSE_AFTER_FAILURE_MS;
      return new Map();
    }
  }

  #remember(client: string, minute: ClientMinute): void {
    this.#refused.delete(client);
    this.#refused.set(client, minute);
    if (this.#refused.size > MOST_CLIENTS) {
      const [first] = this.#refused.keys();
      this.#refused.delete(first as string);
    }
  }

  /** Addresses are kept no longer than they are needed, even where no request comes any more. */
  #forgetLater(): void {
    this.#forgetting ??= setTimeout(() => {
      this.#forgetting = null;
      const { database, now } = this.#parts;
      deleteEndedClientMinutes(database, now(), MINUTE_MS).catch(() => undefined);
    }, 2 * MINUTE_MS).unref();
  }
}

function countsOf(batch: readonly Waiting[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { client } of batch) counts.set(client, (counts.get(client) ?? 0) + 1);
  return counts;
}
