// A progress bar on stderr for commands that take longer than a second.

import { SingleBar } from 'cli-progress';

const DELAY_MS = 1_000;

/** Appears once the work has taken longer than `DELAY_MS`, and only on a terminal. */
export class ProgressBar {
  readonly #bar = new SingleBar({
    format: '{task} {bar} {percentage}% {eta_formatted}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  readonly #startedAtMs = performance.now();
  #isShown = false;

  update(task: string, done: number, total: number): void {
    if (!this.#isShown) {
      if (performance.now() - this.#startedAtMs < DELAY_MS) return;
      this.#bar.start(total, done, { task });
      this.#isShown = true;
    }
    this.#bar.setTotal(total);
    this.#bar.update(done, { task });
  }

  stop(): void {
    if (this.#isShown) this.#bar.stop();
    this.#isShown = false;
  }
}

/** Shows the progress of `work`, and clears the bar when it ends. */
export async function withProgress<T>(
  task: string,
  work: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar();
  try {
    return await work((done, total) => bar.update(task, done, total));
  } finally {
    bar.stop();
  }
}
