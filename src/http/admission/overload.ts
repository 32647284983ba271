// Detects overload: turns of the event loop that use much CPU, several in a row. The CPU time of the thread is
// measured instead of the delay, because a machine that is busy with other programs delays this one too.

import { HTTP_LIMITS } from '../limits.ts';

const CHECK_INTERVAL_MS = 100;
/** Expensive turns in a row; one is enough soon after an overload. */
const EXPENSIVE_TURNS = 3;
/** How long requests are refused after the last expensive turn. */
const REFUSE_MS = 2_000;
const SOON_MS = 10_000;
/** Checks without a request between them, after which they end. */
const IDLE_CHECKS = 20;

interface OverloadClocks {
  /** CPU time of this thread. */
  readonly cpuMs: () => number;
  /** Monotonic. */
  readonly elapsedMs: () => number;
}

const CLOCKS: OverloadClocks = {
  cpuMs: threadCpuMs,
  elapsedMs: () => performance.now(),
};

/** CPU time of this thread. It does not advance while other programs have the CPU. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export class Overload {
  readonly #clocks: OverloadClocks;
  #timer: NodeJS.Timeout | null = null;
  #cpuMs = 0;
  #expensiveTurns = 0;
  #untilMs = -Infinity;
  #idleChecks = 0;

  constructor(clocks: OverloadClocks = CLOCKS) {
    this.#clocks = clocks;
    this.#cpuMs = clocks.cpuMs();
  }

  /** Whether a request that costs CPU should be refused. Checks at intervals while there are any. */
  get isOverloaded(): boolean {
    this.#idleChecks = 0;
    if (!this.#timer) this.#start();
    return this.#clocks.elapsedMs() < this.#untilMs;
  }

  #start(): void {
    this.#cpuMs = this.#clocks.cpuMs();
    this.#timer = setInterval(() => {
      this.check();
      this.#idleChecks += 1;
      if (this.#idleChecks > IDLE_CHECKS) this.close();
    }, CHECK_INTERVAL_MS).unref();
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Measures the CPU time since the last check: at most the interval, unless a turn took longer. */
  check(): void {
    const cpuMs = this.#clocks.cpuMs();
    const isExpensive = cpuMs - this.#cpuMs > HTTP_LIMITS.lateMs;
    this.#cpuMs = cpuMs;
    this.#expensiveTurns = isExpensive ? this.#expensiveTurns + 1 : 0;
    if (!isExpensive) return;
    const nowMs = this.#clocks.elapsedMs();
    const isSoonAfter = nowMs < this.#untilMs + SOON_MS;
    if (isSoonAfter || this.#expensiveTurns >= EXPENSIVE_TURNS) this.#untilMs = nowMs + REFUSE_MS;
  }
}
