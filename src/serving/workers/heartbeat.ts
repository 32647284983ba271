// Finds out whether a worker hangs: it is pinged, and answers as long as its event loop turns. Pings are counted
// instead of time, because the clock continues while all processes are suspended.

import { pause } from '../../model/pause.ts';

/** A worker that does not answer this many pings in a row hangs. */
const MAX_UNANSWERED = 6;
/** Before it is ready: it loads its modules, and may have to migrate a large SQLite store, which blocks it. */
const MAX_UNANSWERED_AT_START = 120;

export class Heartbeat {
  #unanswered = 0;
  #limit = MAX_UNANSWERED_AT_START;

  /** The worker answered a ping. */
  answered(): void {
    this.#unanswered = 0;
  }

  /** The worker answers requests from now on. */
  ready(): void {
    this.#unanswered = 0;
    this.#limit = MAX_UNANSWERED;
  }

  /** Pings until the signal aborts, or until the worker hangs; whether it hangs. */
  async isMissed(ping: () => void, intervalMs: number, signal: AbortSignal): Promise<boolean> {
    while (this.#unanswered < this.#limit) {
      this.#unanswered += 1;
      ping();
      await pause(intervalMs, signal);
      if (signal.aborted) return false;
    }
    return true;
  }
}
