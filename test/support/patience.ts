// How long tests wait for a condition before they fail, and how often they look.

import { setTimeout as sleep } from 'node:timers/promises';

/** Generous, so that a loaded machine causes no failures. A wait that succeeds ends at once. */
export const PATIENCE_MS = 300_000;

const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 500;

/** Pauses nine times as long as a look took that began then, so that waiting costs a tenth of a core at most. */
export function pauseAfterLook(beganMs: number): Promise<void> {
  const tookMs = performance.now() - beganMs;
  return sleep(Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, 9 * tookMs)));
}
