// The pause of loops that run until they are stopped.

import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; ends early when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
