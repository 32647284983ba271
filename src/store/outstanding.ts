// What a store waits for while no server has it open.

import type { Executor } from './engine.ts';
import { isAnythingWaiting } from './hub/deliveries.ts';
import { loadSources } from './merge/sources.ts';
import { loadState } from './state.ts';

/**
 * `isBusy`: something is to be published, erased, verified or delivered. `sourcesAtMs`: when the next source is due, ms
 * since 1970; Infinity without sources. One of `names` that was never looked at is due.
 */
export async function findOutstanding(read: Executor, names: readonly string[]) {
  const { contentVersion, publishedVersion, erasingVersion } = await loadState(read);
  const sources = names.length === 0 ? [] : await loadSources(read);
  const nextOf = (name: string) => sources.find((row) => row.name === name)?.next_at ?? 0;
  return {
    isBusy:
      publishedVersion < contentVersion ||
      erasingVersion !== null ||
      (await isAnythingWaiting(read)),
    sourcesAtMs: Math.min(...names.map(nextOf)),
  };
}
