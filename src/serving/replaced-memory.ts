// Gives the memory of a replaced snapshot back to the system. V8 does not count memory that threads share, so
// on a quiet server it would keep replaced snapshots for hours.

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

/** Less is not worth a garbage collection. */
const MIN_BYTES = 8 * 1024 * 1024;
/** Answers under way still use the replaced snapshot. */
const PAUSE_MS = 2_000;
/** More than V8 lets external memory grow before it starts to collect, in steps beside other work. */
const REPORTED_BYTES = 128 * 1024 * 1024;
/** V8 waits 8 s after a collection before it starts the one that returns pages. */
const RETURNING_MS = 20_000;

/**
 * Makes V8 collect garbage soon and return freed pages, unless only `bytes` too few to matter became garbage, or
 * the signal aborts.
 */
export async function collectReplaced(
  bytes: number,
  signal: AbortSignal,
  pauseMs = PAUSE_MS,
  returningMs = RETURNING_MS,
): Promise<void> {
  if (bytes < MIN_BYTES) return;
  await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  if (signal.aborted) return;
  // Without it V8 keeps freed pages until a time with almost no allocations, which a server that asks its
  // store for changes never has.
  setFlagsFromString('--optimize-for-size');
  // V8 counts it, but no page of it is ever written, so it takes no memory.
  void new ArrayBuffer(REPORTED_BYTES);
  await sleep(returningMs, undefined, { signal, ref: false }).catch(() => undefined);
  setFlagsFromString('--no-optimize-for-size');
}
