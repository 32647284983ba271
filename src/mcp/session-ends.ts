// Sessions that were ended before their ids ran out, on whichever replica.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from './sessions.ts';

/** Remembered at most; past it the ones that ended first are forgotten, which harms nobody: a
 * session gives no right that a request without one has not. */
export const MAX_SESSION_ENDS = 50_000;

/** How often is asked which sessions other replicas have ended. */
const POLL_MS = 250;

/** Where replicas tell each other. */
export interface SharedEnds {
  /** When it resolves, the ends survive a restart, and others can load them. */
  save(sessions: readonly Session[]): Promise<void>;
  /** The ids that were ended after a number, in their order, and the number of the last. */
  load(after: number): Promise<{ readonly ids: readonly string[]; readonly last: number }>;
}

export class SessionEnds {
  readonly #shared: SharedEnds;
  readonly #ended = new Set<string>();
  #last = 0;
  #waiting: Waiting[] = [];
  #isSaving = false;

  constructor(shared: SharedEnds) {
    this.#shared = shared;
  }

  has(id: string): boolean {
    return this.#ended.has(id);
  }

  /** Ends a session. Those that come while others are being saved are saved together. */
  end(session: Session): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ session, resolve, reject });
      if (!this.#isSaving) void this.#saveWaiting();
    });
  }

  /** Learns what was ended since the last time. */
  async refresh(): Promise<void> {
    const { ids, last } = await this.#shared.load(this.#last);
    this.#last = last;
    this.#learn(ids);
  }

  /** Learns again and again. While the store is away nobody can end a session either. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.refresh().catch(() => undefined);
    }
  }

  #learn(ids: readonly string[]): void {
    for (const id of ids) {
      this.#ended.add(id);
      if (this.#ended.size > MAX_SESSION_ENDS) {
        const [oldest] = this.#ended;
        this.#ended.delete(oldest as string);
      }
    }
  }

  async #saveWaiting(): Promise<void> {
    this.#isSaving = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#shared.save(batch.map(({ session }) => session));
        this.#learn(batch.map(({ session }) => session.id));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isSaving = false;
  }
}

interface Waiting {
  readonly session: Session;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
