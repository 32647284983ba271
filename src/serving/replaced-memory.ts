// Gives the memory of a replaced snapshot back to the system. V8 does not count memory that threads share, so
// on a quiet server it would keep replaced snapshots for hours.

import { setTimeout as sleep } from 'node:timers/promises';

/** Less is not worth a garbage collection. */
const MIN_BYTES = 8 * 1024 * 1024;
/** Answers under way still use the replaced snapshot. */
const PAUSE_MS = 2_000;
/** More than V8 lets external memory grow before it starts to collect, in steps beside other work. */
const REPORTED_BYTES = 128 * 1024 * 1024;

/**
 * Makes V8 collect garbage soon, unless only `bytes` too few to matter became garbage, or
 * the signal aborts.
 */
export async function collectReplaced(
  bytes: number,
  signal: AbortSignal,
  pauseMs = PAUSE_MS,
): Promise<void> {
  if (bytes < MIN_BYTES) return;
  await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  if (signal.aborted) return;
  // V8 counts it, but no page of it is ever written, so it takes no memory.
  void new ArrayBuffer(REPORTED_BYTES);
}
