// What replicas share of MCP sessions: the key that signs their ids, and which were ended.

import type { Database } from './database.ts';

/** A session that was ended. */
export interface SessionEnd {
  readonly id: string;
  /** Seconds since 1970: when the id would have run out by itself. */
  readonly expiresAtSeconds: number;
}

/** The key that the store keeps; the one proposed, where it keeps none yet. */
export async function loadSessionKey(database: Database, proposed: string): Promise<string> {
  const name = 'mcp_session_key';
  return database.write(async (transaction) => {
    await transaction
      .insertInto('secrets')
      .values({ name, value: proposed })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { value } = await transaction
      .selectFrom('secrets')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return value;
  });
}

/** Rows in a statement: SQLite takes 32,766 values in one. */
const ROWS = 500;

/**
 * Saves ends, forgets those whose ids have run out, and beyond so many those that ended first. Times
 * are in seconds since 1970.
 */
export async function saveSessionEnds(
  database: Database,
  ends: readonly SessionEnd[],
  { maxEnds, nowSeconds }: { readonly maxEnds: number; readonly nowSeconds: number },
): Promise<void> {
  await database.write(
    async (transaction) => {
      const rows = ends.map(({ id, expiresAtSeconds }) => ({
        id,
        expires_at: Math.floor(expiresAtSeconds),
      }));
      for (let start = 0; start < rows.length; start += ROWS) {
        await transaction
          .insertInto('session_ends')
          .values(rows.slice(start, start + ROWS))
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      }
      const { last } = await transaction
        .selectFrom('session_ends')
        .select((select) => select.fn.max('number').as('last'))
        .executeTakeFirstOrThrow();
      await transaction
        .deleteFrom('session_ends')
        .where((where) =>
          where.or([
            where('expires_at', '<', Math.floor(nowSeconds)),
            where('number', '<=', last - maxEnds),
          ]),
        )
        .execute();
      // One after another: who has seen a number has seen all before it.
    },
    { lock: { exclusive: 'session ends' } },
  );
}

/** The ends after a number, in their order, and the number to go on from. */
export async function loadSessionEnds(
  database: Database,
  after: number,
): Promise<{ readonly ids: readonly string[]; readonly last: number }> {
  const rows = await database.read
    .selectFrom('session_ends')
    .select(['number', 'id'])
    .where('number', '>', after)
    .orderBy('number')
    .execute();
  return { ids: rows.map(({ id }) => id), last: rows.at(-1)?.number ?? after };
}
