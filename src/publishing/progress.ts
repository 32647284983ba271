// What a publish is doing, in memory that its thread shares with the main thread of its process: a
// thread that hangs sends no messages.

/** Longer descriptions are cut. */
const STEP_BYTES = 200;
/** The number of steps so far and the bytes of the description, as 32-bit integers. */
const HEADER_BYTES = 8;
const COUNT = 0;
const LENGTH = 1;

export class Progress {
  readonly memory: SharedArrayBuffer;
  readonly #header: Int32Array;
  readonly #step: Buffer;

  constructor(memory = new SharedArrayBuffer(HEADER_BYTES + STEP_BYTES)) {
    this.memory = memory;
    this.#header = new Int32Array(memory, 0, HEADER_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#step = Buffer.from(memory, HEADER_BYTES);
  }

  /** Begins a step, for example `analysing review 01H...`. */
  begin(step: string): void {
    Atomics.store(this.#header, LENGTH, this.#step.write(step));
    Atomics.add(this.#header, COUNT, 1);
  }

  /** How many steps have begun. */
  get count(): number {
    return Atomics.load(this.#header, COUNT);
  }

  /** The current step. Reliable only while `count` stays the same. */
  get step(): string {
    return this.#step.toString('utf8', 0, Atomics.load(this.#header, LENGTH));
  }
}

/**
 * Calls `onStalled` with the current step when no step has begun for `limitMs` to twice `limitMs`.
 * Returns the function that ends the watch.
 */
export function watchProgress(
  progress: Progress,
  limitMs: number,
  onStalled: (step: string) => void,
): () => void {
  let seen = progress.count;
  const timer = setInterval(() => {
    const { count } = progress;
    if (count === seen) onStalled(progress.step);
    seen = count;
  }, limitMs);
  return () => clearInterval(timer);
}
