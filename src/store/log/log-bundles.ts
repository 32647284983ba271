// The entries of the transparency log, in rows of up to 256.

import { type Bundle, isWhole } from '../../log/bundles.ts';
import { TILE_WIDTH } from '../../log/tiles.ts';
import type { Executor } from '../engine.ts';

/** Stores a bundle in place of the one with its number. */
export async function saveBundle(
  transaction: Executor,
  { number, ...values }: Bundle,
): Promise<void> {
  await transaction
    .insertInto('log_bundles')
    .values({ number, ...values })
    .onConflict((conflict) => conflict.column('number').doUpdateSet(values))
    .execute();
}

/** Rows per fetch: each has some 20 KB. */
const ROWS = 50;

/** All bundles in order, read while they are used. */
export function streamBundles(executor: Executor): AsyncIterable<Bundle> {
  return executor.selectFrom('log_bundles').selectAll().orderBy('number').stream(ROWS);
}

/** What is wrong with the stored entries, in words; null if nothing is. */
export async function findDamage(
  bundles: Iterable<Bundle> | AsyncIterable<Bundle>,
): Promise<string | null> {
  let number = 0;
  for await (const bundle of bundles) {
    const first = number * TILE_WIDTH;
    if (bundle.number !== number) return `the entries from ${first} on are missing in the store`;
    if (!isWhole(bundle))
      return `the entries ${first} to ${first + bundle.width - 1} in the store are damaged`;
    number += 1;
  }
  return null;
}

export function loadBundles(executor: Executor): Promise<Bundle[]> {
  return Array.fromAsync(streamBundles(executor));
}
