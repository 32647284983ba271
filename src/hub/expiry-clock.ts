// The time by which expired subscriptions are deleted. A clock that jumps ahead must not delete them all:
// when it is corrected, their leases run on.

import type { Clock } from './jobs.ts';

/** How far the clock may be set forward while the server runs, before that counts as a fault. */
const TOLERATED_MS = 3_600_000;

export class ExpiryClock {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #startElapsedMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.nowMs();
    this.#startElapsedMs = clock.elapsedMs();
  }

  /** Leases that ended before this time (ms since 1970) have expired, whatever the clock says now. */
  nowMs(): number {
    const elapsedMs = this.#clock.elapsedMs() - this.#startElapsedMs;
    return Math.min(this.#clock.nowMs(), this.#startMs + elapsedMs + TOLERATED_MS);
  }
}
