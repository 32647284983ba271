// How long a worker that has ended is waited for before another takes its place: one that ends again and
// again must not keep the machine busy with starting.

const FIRST_MS = 100;
const LONGEST_MS = 30_000;
/** Whoever was ready for so long ended for a reason of its own. */
const SETTLED_MS = 60_000;

export class Backoff {
  #failures = 0;

  /** ms until the next start, after one that was ready for so many ms; 0 where it never was. */
  next(readyForMs: number): number {
    if (readyForMs >= SETTLED_MS) this.#failures = 0;
    const wait = Math.min(FIRST_MS * 2 ** this.#failures, LONGEST_MS);
    this.#failures += 1;
    return wait;
  }
}
