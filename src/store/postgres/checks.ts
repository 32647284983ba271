// Checks that a PostgreSQL database can be used: its encoding, and that connections are not pooled by
// transaction.

import { sql } from 'kysely';
import { InputError } from '../../errors.ts';
import type { Executor } from '../engine.ts';

/** @throws {InputError} if the encoding is not UTF8, or a pooler runs in transaction mode. */
export async function assertUsable(read: Executor, databaseName: string): Promise<void> {
  await assertUtf8(read, databaseName);
  await assertSessions(read, databaseName);
}

async function assertUtf8(read: Executor, databaseName: string): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(read);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new InputError(
    `DATABASE_URL: expected a database in UTF8, got ${databaseName} in ${encoding}; make one with ` +
      `create database NAME encoding 'UTF8' template template0`,
  );
}

/**
 * Temporary tables and LISTEN belong to a session of PostgreSQL. A pooler in transaction mode runs every
 * transaction in any free session: two client connections may share a session, or one may switch.
 */
async function assertSessions(read: Executor, databaseName: string): Promise<void> {
  await read.connection().execute((one) =>
    read.connection().execute(async (other) => {
      const [first, second, again] = [await pidOf(one), await pidOf(other), await pidOf(one)];
      if (first !== second && first === again) return;
      throw new InputError(
        `DATABASE_URL: expected a connection with a session of its own, got ${databaseName} behind a pooler in transaction ` +
          'mode; connect to PostgreSQL itself, or to the pooler in session mode (docs/replicas.md)',
      );
    }),
  );
}

async function pidOf(connection: Executor): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
  return (rows[0] as { pid: number }).pid;
}
