// Sessions that clients ended before they expired, on any replica.

import { LRUCache } from 'lru-cache';
import { MCP_LIMITS } from './limits.ts';
import type { Session } from './sessions.ts';
import { pause } from '../model/pause.ts';

/** Interval of polls for sessions that other replicas ended. */
const POLL_INTERVAL_MS = 250;

/** The newest ids. A `max` would reserve memory for all of them at once. */
const newestOf = (count: number) =>
  new LRUCache<string, true>({ maxSize: count, sizeCalculation: () => 1 });

/** Stores session ends for all replicas. */
export interface SessionEndStore {
  /** Resolves when the ends are durable and visible to other replicas. */
  save(sessions: readonly Session[]): Promise<void>;
  /** Loads the ids that ended after a sequence number, in order, and the last sequence number. */
  load(after: number): Promise<{ readonly ids: readonly string[]; readonly last: number }>;
}

export class SessionEnds {
  readonly #store: SessionEndStore;
  readonly #ended = newestOf(MCP_LIMITS.sessionEnds.value);
  /** Whether no other process serves the same store. */
  readonly #isAlone: boolean;
  /** Sessions that this process issued, and that no request has named yet. */
  readonly #unused = newestOf(MCP_LIMITS.unusedSessions.value);
  #lastSequence = 0;
  #queue: QueuedEnd[] = [];
  #isSaving = false;

  constructor(store: SessionEndStore, isAlone = false) {
    this.#store = store;
    this.#isAlone = isAlone;
  }

  has(id: string): boolean {
    return this.#ended.has(id);
  }

  /** Records that this process issued a session. */
  noteIssued(id: string): void {
    if (this.#isAlone) this.#unused.set(id, true);
  }

  /** Records that a request named a session. */
  noteUsed(id: string): void {
    this.#unused.delete(id);
  }

  /**
   * Ends a session. An unused one of a process that serves alone is not stored: until it restarts, it is
   * refused. With other processes it may have been used there. Ends that arrive during a save are saved
   * together in the next one.
   */
  end(session: Session): Promise<void> {
    if (this.#unused.delete(session.id)) {
      this.#remember([session.id]);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ session, resolve, reject });
      if (!this.#isSaving) void this.#saveQueue();
    });
  }

  /** Loads the ends since the last refresh. */
  async refresh(): Promise<void> {
    const { ids, last } = await this.#store.load(this.#lastSequence);
    this.#lastSequence = last;
    this.#remember(ids);
  }

  /** Refreshes until the signal aborts. Errors are ignored: the next poll retries. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(POLL_INTERVAL_MS, signal);
      if (!signal.aborted) await this.refresh().catch(() => undefined);
    }
  }

  #remember(ids: readonly string[]): void {
    for (const id of ids) this.#ended.set(id, true);
  }

  async #saveQueue(): Promise<void> {
    this.#isSaving = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0);
      try {
        await this.#store.save(batch.map(({ session }) => session));
        this.#remember(batch.map(({ session }) => session.id));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isSaving = false;
  }
}

interface QueuedEnd {
  readonly session: Session;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
