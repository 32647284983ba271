// Analyses of reviews at rest, so that a publish analyses only what it has not seen. They can be lost
// without harm: then they are made again.

import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Executor } from './engine.ts';
import { assertClaim } from './snapshots.ts';

/** Rows of one transaction, so that no other write waits long, and of one answer. */
const ROWS = 500;

/** An analysis by its key, as JSON. */
export interface StoredAnalysis {
  readonly key: string;
  readonly analysis: string;
}

/** All analyses of a context (see insights/reuse.ts), one after another. */
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

/** @throws {ClaimLost} */
export async function saveAnalyses(
  database: Database,
  publisher: string,
  context: string,
  analyses: readonly StoredAnalysis[],
): Promise<void> {
  for (let start = 0; start < analyses.length; start += ROWS) {
    const rows = analyses.slice(start, start + ROWS).map((one) => ({ ...one, context }));
    await database.write(async (transaction) => {
      await assertClaim(transaction, publisher);
      await transaction
        .insertInto('analyses')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }
}

/**
 * Deletes the analyses of other contexts, and those of this one that no review needs any more.
 *
 * @throws {ClaimLost}
 */
export async function deleteAnalyses(
  database: Database,
  publisher: string,
  context: string,
  unused: readonly string[],
): Promise<void> {
  for (let start = 0; start < unused.length; start += ROWS) {
    await database.write(async (transaction) => {
      await assertClaim(transaction, publisher);
      await transaction
        .deleteFrom('analyses')
        .where('key', 'in', unused.slice(start, start + ROWS))
        .execute();
    });
  }
  while (await hasOtherContext(database.read, context)) {
    await database.write(async (transaction) => {
      await assertClaim(transaction, publisher);
      await sql`delete from analyses where key in
        (select key from analyses where context <> ${context} limit ${ROWS})`.execute(transaction);
    });
  }
}

async function hasOtherContext(executor: Executor, context: string): Promise<boolean> {
  const row = await executor
    .selectFrom('analyses')
    .select('key')
    .where('context', '<>', context)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
