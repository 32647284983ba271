// State of MCP sessions that replicas share: the key that signs session ids, and the ended sessions.

import type { Database } from './database.ts';
import { createSecret } from './secrets.ts';

/** A session that was ended before it expired. */
export interface SessionEnd {
  readonly id: string;
  /** When the session id expires anyway, seconds since 1970. */
  readonly expiresAtSeconds: number;
}

/** Returns the stored key. If there is none yet, stores and returns the proposed one. */
export function loadSessionKey(database: Database, proposed: string): Promise<string> {
  return database.write((transaction) => createSecret(transaction, 'mcp_session_key', proposed));
}

/** Rows per INSERT: SQLite accepts 32,766 values in a statement. */
const ROWS = 500;

/**
 * Saves ended sessions. Deletes those that expired before `nowSeconds` (since 1970) and, beyond
 * `maxEnds`, the oldest.
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
    },
    // Numbers become visible in ascending order, so `loadSessionEnds` misses none.
    { lock: { exclusive: 'session ends' } },
  );
}

/** The ids of sessions that ended after a number, oldest first, and the number to continue from. */
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
