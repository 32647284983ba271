// What a store waits for while no server has it open.

import type { Executor } from './engine.ts';
import { loadSources } from './merge/sources.ts';
import { loadState } from './state.ts';

/**
 * `isBusy`: something is to be published, erased, verified or delivered. `sourcesAtMs`: when the next source is due, ms
 * since 1970; Infinity without sources. One of `names` that was never looked at is due.
 */
export async function findOutstanding(read: Executor, names: readonly string[]) {
  const { contentVersion, publishedVersion, erasingVersion } = await loadState(read);
  const requests = await read
    .selectFrom('subscriptions')
    .select('failures as one')
    .whereRef('pending_snapshot', '>', 'acknowledged_snapshot')
    .unionAll(read.selectFrom('intents').select('number as one'))
    .unionAll(read.selectFrom('denials').select('number as one'))
    .limit(1)
    .execute();
  const sources = names.length === 0 ? [] : await loadSources(read);
  const nextOf = (name: string) => sources.find((row) => row.name === name)?.next_at ?? 0;
  return {
    isBusy: publishedVersion < contentVersion || erasingVersion !== null || requests.length > 0,
    sourcesAtMs: Math.min(...names.map(nextOf)),
  };
}
