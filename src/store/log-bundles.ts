// The entries of the transparency log, in rows of up to 256.

import type { Bundle } from '../log/bundles.ts';
import type { Executor } from './engine.ts';

/** Rows per fetch: each has some 20 KB. */
const ROWS = 50;

/** All bundles in order, read while they are used. */
export function streamBundles(executor: Executor): AsyncIterable<Bundle> {
  return executor.selectFrom('log_bundles').selectAll().orderBy('number').stream(ROWS);
}

/** All bundles in order. */
export function loadBundles(executor: Executor): Promise<Bundle[]> {
  return Array.fromAsync(streamBundles(executor));
}
