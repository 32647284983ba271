// The entries of the transparency log, in rows of up to 256.

import type { Bundle } from '../log/bundles.ts';
import type { Executor } from './engine.ts';

/** Rows per fetch: each has some 20 KB. */
const ROWS = 50;

/** All bundles in order. */
export async function loadBundles(executor: Executor): Promise<Bundle[]> {
  const bundles: Bundle[] = [];
  const rows = executor.selectFrom('log_bundles').selectAll().orderBy('number').stream(ROWS);
  for await (const row of rows) bundles.push(row);
  return bundles;
}
