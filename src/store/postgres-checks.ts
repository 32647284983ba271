// What must be so of a PostgreSQL before it is used, beyond that it answers.

import { sql } from 'kysely';
import { InputError } from '../errors.ts';
import type { Executor } from './engine.ts';

/** @throws {InputError} where it cannot keep every text, or its connections are not ours alone. */
export async function assertUsable(read: Executor, place: string): Promise<void> {
  await assertUtf8(read, place);
  await assertSessions(read, place);
}

async function assertUtf8(read: Executor, place: string): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(read);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new InputError(
    `DATABASE_URL: expected a database in UTF8, got ${place} in ${encoding}; make one with ` +
      `create database NAME encoding 'UTF8' template template0`,
  );
}

/**
 * Temporary tables and LISTEN belong to a connection of PostgreSQL. A pooler in transaction mode gives the
 * one that is free to every transaction: two connections that we hold share one, or one becomes another.
 */
async function assertSessions(read: Executor, place: string): Promise<void> {
  await read.connection().execute((one) =>
    read.connection().execute(async (other) => {
      const [first, second, again] = [await pidOf(one), await pidOf(other), await pidOf(one)];
      if (first !== second && first === again) return;
      throw new InputError(
        `DATABASE_URL: expected a connection that is kept, got ${place} behind a pooler in transaction ` +
          'mode; connect to PostgreSQL itself, or to the pooler in session mode (docs/replicas.md)',
      );
    }),
  );
}

async function pidOf(connection: Executor): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
  return (rows[0] as { pid: number }).pid;
}
