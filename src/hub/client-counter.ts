// Counts subscription requests by client, across all servers that share the store. Waiting requests are
// counted in one transaction, and clients over the limit in none, so that floods cost the store little.

import { LRUCache } from 'lru-cache';
import type { Database } from '../store/database.ts';
import { HUB_LIMITS } from './limits.ts';
import {
  type ClientMinute,
  countHubRequests,
  deleteEndedClientMinutes,
} from '../store/hub/hub-clients.ts';

const MINUTE_MS = 60_000;
/** Clients that the store keeps, and clients over the limit that this process remembers. */
const MAX_CLIENTS = HUB_LIMITS.countedClients.value;
/** Requests counted in one transaction. */
const BATCH_SIZE = 1_000;
/** After a failed count. Saving the request waits for the store too; one wait is enough. */
const PAUSE_AFTER_FAILURE_MS = 2_000;

export interface CounterParts {
  readonly database: Database;
  /** Requests that a client may send in a minute. */
  readonly limit: number;
  /** Counts in this process alone, while the store is unavailable or has no room for more clients. */
  readonly local: { count(client: string): Promise<ClientMinute> };
  /** ms since 1970. */
  readonly nowMs: () => number;
  /** Clients that the store keeps. */
  readonly maxClients?: number;
}

interface Waiting {
  readonly client: string;
  readonly resolve: (minute: ClientMinute | null) => void;
}

export class HubClientCounter {
  readonly #parts: CounterParts;
  readonly #overLimit = new LRUCache<string, ClientMinute>({ max: MAX_CLIENTS });
  #waiting: Waiting[] = [];
  #isCounting = false;
  #pausedUntilMs = 0;
  #cleanup: NodeJS.Timeout | null = null;

  constructor(parts: CounterParts) {
    this.#parts = parts;
  }

  /** Counts one request; returns the count of its client's current minute. */
  async count(client: string): Promise<ClientMinute> {
    const known = this.#overLimit.get(client);
    if (known && this.#isCurrent(known)) return known;
    const minute = await new Promise<ClientMinute | null>((resolve) => {
      this.#waiting.push({ client, resolve });
      if (!this.#isCounting) void this.#countWaiting();
    });
    if (minute === null) return this.#parts.local.count(client);
    if (minute.count > this.#parts.limit) this.#overLimit.set(client, minute);
    return minute;
  }

  /** Whether the minute has not ended. One that ends too far ahead was started by a clock that ran ahead. */
  #isCurrent({ untilMs }: ClientMinute): boolean {
    const leftMs = untilMs - this.#parts.nowMs();
    return leftMs > 0 && leftMs <= 2 * MINUTE_MS;
  }

  /** Stops the scheduled cleanup of the store. */
  close(): void {
    if (this.#cleanup) clearTimeout(this.#cleanup);
  }

  async #countWaiting(): Promise<void> {
    this.#isCounting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_SIZE);
      const minutes = await this.#countBatch(batch);
      // Each request gets the number that it would have been given alone, in order of arrival.
      const remaining = countsOf(batch);
      for (const { client, resolve } of batch) {
        const minute = minutes.get(client);
        const after = (remaining.get(client) as number) - 1;
        remaining.set(client, after);
        resolve(minute ? { count: minute.count - after, untilMs: minute.untilMs } : null);
      }
    }
    this.#isCounting = false;
  }

  /** Empty while the store is unavailable: saving the request then reports the fault. */
  async #countBatch(batch: readonly Waiting[]): Promise<ReadonlyMap<string, ClientMinute>> {
    const { database, nowMs, maxClients = MAX_CLIENTS } = this.#parts;
    const pauseLeftMs = this.#pausedUntilMs - nowMs();
    if (pauseLeftMs > 0 && pauseLeftMs <= PAUSE_AFTER_FAILURE_MS) return new Map();
    const limits = { nowMs: nowMs(), untilMs: nowMs() + MINUTE_MS, maxClients };
    try {
      const minutes = await countHubRequests(database, countsOf(batch), limits);
      this.#scheduleCleanup();
      return minutes;
    } catch {
      this.#pausedUntilMs = nowMs() + PAUSE_AFTER_FAILURE_MS;
      return new Map();
    }
  }

  /** Deletes old addresses of clients even if no further request comes. */
  #scheduleCleanup(): void {
    this.#cleanup ??= setTimeout(() => {
      this.#cleanup = null;
      const { database, nowMs } = this.#parts;
      deleteEndedClientMinutes(database, nowMs(), MINUTE_MS).catch(() => undefined);
    }, 2 * MINUTE_MS).unref();
  }
}

function countsOf(batch: readonly Waiting[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { client } of batch) counts.set(client, (counts.get(client) ?? 0) + 1);
  return counts;
}
