// Shows on stderr how far a command has come.

import { SingleBar } from 'cli-progress';
import type { ImportListener } from '../intake/import.ts';

/** What takes longer than a moment shows how far it has come. */
const MOMENT_MS = 1_000;

/** Shows on stderr how far an export has come, once it takes longer than a moment. */
export class ExportProgress {
  readonly #bar = new SingleBar({
    format: 'writing {bar} {percentage}% {eta_formatted}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  readonly #startedAt = performance.now();
  #isStarted = false;

  show(done: number, inAll: number): void {
    if (!this.#isStarted && performance.now() - this.#startedAt < MOMENT_MS) return;
    if (!this.#isStarted) this.#bar.start(inAll, done);
    this.#isStarted = true;
    this.#bar.update(done);
  }

  stop(): void {
    if (this.#isStarted) this.#bar.stop();
    this.#isStarted = false;
  }
}

/** Shows on stderr how far an import has come, and names refused rows on stdout. */
export class ImportProgress implements ImportListener {
  readonly #bar = new SingleBar({
    format: '{task} {bar} {percentage}% {eta_formatted}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  isMerging = false;
  #isStarted = false;

  onProgress(bytesRead: number, bytesInAll: number): void {
    if (!this.#isStarted) this.#bar.start(bytesInAll, 0, { task: 'reading' });
    this.#isStarted = true;
    this.#bar.update(bytesRead);
  }

  onRefused(file: string, line: number, reason: string): void {
    process.stdout.write(`${file}:${line}: refused: ${reason}\n`);
  }

  onMerging(): void {
    this.isMerging = true;
    if (this.#isStarted) this.#bar.update({ task: 'merging' });
  }

  stop(): void {
    if (this.#isStarted) this.#bar.stop();
    this.#isStarted = false;
  }
}
