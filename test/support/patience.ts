// How long tests wait for a condition before they fail, and how often they look.

import { setTimeout as sleep } from 'node:timers/promises';

/** Generous, so that a loaded machine causes no failures. A wait that succeeds ends at once. */
export const PATIENCE_MS = 300_000;

const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 500;

/** Waits until a condition holds, and fails with the explanation after the limit. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limitMs = PATIENCE_MS,
  explain = () => 'the condition did not hold in time',
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const beganMs = performance.now();
    if (await holds()) return;
    const tookMs = performance.now() - beganMs;
    if (beganMs > deadline) throw new Error(explain());
    // Nine times as long as the look took, so that waiting costs a tenth of a core at most.
    await sleep(Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, 9 * tookMs)));
  }
}
