// A cache of review analyses, so that a publish only analyses new or changed reviews. Lost entries are
// computed again.

import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { type Executor, exists } from '../engine.ts';
import { partsOf } from '../parts.ts';
import { assertClaim } from '../snapshots/snapshots.ts';

/** Rows per transaction, so that no other write waits long, and rows per fetch. */
const ROWS = 500;

/** `analysis` is JSON; insights/reuse.ts defines the key. */
export interface StoredAnalysis {
  readonly key: string;
  readonly analysis: string;
}

/** Streams all analyses of a context (see insights/reuse.ts). */
export function loadAnalyses(
  executor: Executor,
  context: string,
): AsyncIterableIterator<StoredAnalysis> {
  return executor
    .selectFrom('analyses')
    .select(['key', 'analysis'])
    .where('context', '=', context)
    .stream(ROWS);
}

/** Saves analyses whose keys are not stored yet. @throws {ClaimLost} */
export async function saveAnalyses(
  database: Database,
  publisherId: string,
  context: string,
  analyses: readonly StoredAnalysis[],
): Promise<void> {
  for (const some of partsOf(analyses, ROWS)) {
    await database.write(async (transaction) => {
      await assertClaim(transaction, publisherId);
      await transaction
        .insertInto('analyses')
        .values(some.map((analysis) => ({ ...analysis, context })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }
}

/** Deletes the analyses of all other contexts and those with the `unused` keys. @throws {ClaimLost} */
export async function deleteAnalyses(
  database: Database,
  publisherId: string,
  context: string,
  unused: readonly string[],
): Promise<void> {
  for (const keys of partsOf(unused, ROWS)) {
    await database.write(async (transaction) => {
      await assertClaim(transaction, publisherId);
      await transaction.deleteFrom('analyses').where('key', 'in', keys).execute();
    });
  }
  while (await hasOtherContext(database.read, context)) {
    await database.write(async (transaction) => {
      await assertClaim(transaction, publisherId);
      await sql`delete from analyses where key in
        (select key from analyses where context <> ${context} limit ${ROWS})`.execute(transaction);
    });
  }
}

async function hasOtherContext(executor: Executor, context: string): Promise<boolean> {
  return exists(
    executor.selectFrom('analyses').select('key').where('context', '<>', context).limit(1),
  );
}
