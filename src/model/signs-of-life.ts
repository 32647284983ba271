// Ends a process of this program that is stopped or hangs: it sends signs of life to its parent, which kills it when
// they stay away. Intervals are counted instead of time, because the clock continues while all processes are suspended.

import type { ChildProcess } from 'node:child_process';

const INTERVAL_MS = 10_000;

export interface SignOfLife {
  readonly kind: 'alive';
}

export interface Silence {
  /** Intervals without a message after which the process is killed. */
  readonly maxIntervals: number;
  readonly intervalMs?: number;
}

export function sendSignsOfLife(): void {
  const sign: SignOfLife = { kind: 'alive' };
  const send = () => process.send?.(sign, undefined, {}, () => undefined);
  setInterval(send, INTERVAL_MS).unref();
}

/** Kills a process that sends no message for long, until `stop` is called; `wasSilent` tells whether it did. */
export function killIfSilent(
  child: Pick<ChildProcess, 'on' | 'once' | 'kill'>,
  { maxIntervals, intervalMs = INTERVAL_MS }: Silence,
): { readonly wasSilent: () => boolean; readonly stop: () => void } {
  let intervals = 0;
  // A message that was on its way does not undo the kill.
  let wasKilled = false;
  child.on('message', () => {
    intervals = 0;
  });
  const timer = setInterval(() => {
    intervals += 1;
    // Ends a stopped process too.
    if (intervals < maxIntervals) return;
    wasKilled = true;
    child.kill('SIGKILL');
  }, intervalMs);
  timer.unref();
  const stop = () => clearInterval(timer);
  child.once('close', stop);
  return { wasSilent: () => wasKilled, stop };
}
