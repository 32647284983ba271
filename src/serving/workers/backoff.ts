// The wait before a worker that ended is replaced. It grows with each failure, so that a worker that keeps
// failing does not keep the machine busy.

const FIRST_MS = 100;
const LONGEST_MS = 30_000;
/** A worker that ran this long resets the backoff. */
const SETTLED_MS = 60_000;

export class Backoff {
  #failures = 0;

  /** The wait in ms before the next start. `readyForMs` is 0 if the worker was never ready. */
  next(readyForMs: number): number {
    if (readyForMs >= SETTLED_MS) this.#failures = 0;
    const waitMs = Math.min(FIRST_MS * 2 ** this.#failures, LONGEST_MS);
    this.#failures += 1;
    return waitMs;
  }
}
