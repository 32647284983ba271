// Counts requests of clients over all workers. The supervisor counts; while it does not answer, because it is
// stopped or hangs, this worker counts by itself, so that readers are answered.

import type { FastifyBaseLogger } from 'fastify';
import { MemoryCounter, type RequestCounter } from '../../http/admission/rate-limit.ts';
import type { ClientMinute } from '../../model/http-seam.ts';

/** A running supervisor answers within milliseconds. */
const WAIT_MS = 1_000;

interface SharedCounterParts {
  /** Asks the supervisor, which may never answer. */
  readonly ask: (client: string) => Promise<ClientMinute>;
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  readonly waitMs?: number;
}

export class SharedCounter implements RequestCounter {
  readonly #parts: SharedCounterParts;
  readonly #waitMs: number;
  readonly #own = new MemoryCounter();
  /** Ends the wait of each question that is not answered yet. */
  readonly #waiting = new Set<() => void>();
  #isSilent = false;

  constructor(parts: SharedCounterParts) {
    this.#parts = parts;
    this.#waitMs = parts.waitMs ?? WAIT_MS;
  }

  /** While the supervisor is silent, nothing is asked: its answer to an earlier question ends the silence. */
  count(client: string): Promise<ClientMinute> {
    if (this.#isSilent) return Promise.resolve(this.#own.count(client));
    return new Promise((resolve, reject) => {
      const stopWaiting = () => resolve(this.#own.count(client));
      this.#waiting.add(stopWaiting);
      const timer = setTimeout(() => {
        // If this process was busy, the answer may be here and not read yet: that comes before the callback.
        setImmediate(() => this.#waiting.has(stopWaiting) && this.#onSilence());
      }, this.#waitMs);
      const stopTimer = () => {
        clearTimeout(timer);
        this.#waiting.delete(stopWaiting);
      };
      const asked = this.#parts.ask(client).finally(stopTimer);
      void asked.then((minute) => {
        this.#onAnswer();
        return resolve(minute);
      }, reject);
    });
  }

  #onSilence(): void {
    this.#isSilent = true;
    this.#parts.logger.warn(
      { waitMs: this.#waitMs },
      'the supervisor does not answer: this worker limits its clients by itself',
    );
    for (const stopWaiting of this.#waiting) stopWaiting();
    this.#waiting.clear();
  }

  #onAnswer(): void {
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#parts.logger.info('the supervisor answers again: limits are shared by all workers');
  }
}
