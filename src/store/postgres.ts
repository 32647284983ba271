// What is particular to PostgreSQL: pg behind Kysely's dialect, its transactions, locks and errors.
// Why each write is safe beside others is argued in docs/decisions/0010-postgresql.md.

import {
  HandleEmptyInListsPlugin,
  PostgresAdapter,
  PostgresDialect,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely';
import { DatabaseError, TypeOverrides } from 'pg';
import Cursor from 'pg-cursor';
import { InputError } from '../errors.ts';
import type { Engine, Executor, Lock, Purpose, WriteOptions } from './engine.ts';
import { CHANNEL, PostgresListener } from './postgres-listener.ts';
import { assertUsable } from './postgres-checks.ts';
import { openPool } from './postgres-pool.ts';
import { tlsSettings } from './postgres-tls.ts';

/** For a connection to be made. */
const CONNECT_MS = 5_000;
/** For one statement. A merge is one of many minutes where it has millions of rows. */
const STATEMENT_MS: Readonly<Record<Purpose, number>> = {
  server: 10_000,
  thread: 30_000,
  command: 1_800_000,
};
const CONNECTIONS: Readonly<Record<Purpose, number>> = { server: 5, thread: 2, command: 2 };
/** A client that went away without a word must not keep its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** The number of the type bigint in PostgreSQL. Ours all fit into a number. */
const BIGINT = 20;

/** Opens `postgres://...`; connects only when it is used. */
export async function openPostgres(url: string, purpose: Purpose): Promise<Engine> {
  const { hostname, pathname } = new URL(url);
  const place = `the database ${decodeURIComponent(pathname.slice(1))} at ${hostname}`;
  const connection = {
    ...(await tlsSettings(url)),
    fallback_application_name: `public-reviews ${purpose}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const overrides = new TypeOverrides();
  overrides.setTypeParser(BIGINT, Number);
  const pool = openPool({
    ...connection,
    place,
    statementMs: STATEMENT_MS[purpose],
    max: CONNECTIONS[purpose],
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: overrides,
  });
  return {
    dialect: new OwnLockDialect({ pool, cursor: Cursor }),
    // SQLite takes an empty list for what it is.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
    columns: {
      text: sql`text collate "C"`,
      bytes: sql`bytea`,
      numbered: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
    },
    walBytes: () => null,
    // A database that is dropped ends its connections.
    assertInPlace: () => undefined,
    write,
    readConsistently: (read, work) =>
      read
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(work),
    isTransient,
    problemOf: (error) => problemOf(error, place),
    // Threads are started by who has asked already.
    assertUsable: async (read) => {
      if (purpose !== 'thread') await assertUsable(read, place);
    },
    listen: (onNotification) =>
      new PostgresListener(
        { ...connection, fallback_application_name: 'public-reviews listener' },
        onNotification,
      ),
    async updateStatistics(executor, table) {
      await sql`analyze ${sql.table(table)}`.execute(executor);
    },
    async continueNumbers(transaction, table) {
      await sql`select setval(pg_get_serial_sequence(${table}, 'number'),
        (select coalesce(max(number), 0) + 1 from ${sql.table(table)}), false)`.execute(
        transaction,
      );
    },
    checkpoint: () => Promise.resolve(),
  };
}

/** Migrations run under a lock of ours. Kysely's own would be given back in a transaction that has
 * failed, and the failure of that would hide why. */
class OwnLockDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new (class extends PostgresAdapter {
      override acquireMigrationLock = () => Promise.resolve();
      override releaseMigrationLock = () => Promise.resolve();
    })();
  }
}

/**
 * Read committed: each statement sees what was committed before it. What has to be as it was when it
 * was read is locked. `waitForDisk` changes nothing here: a database that is killed, which happens more
 * often than a power cut, would lose what it had not waited for.
 */
function write<T>(
  read: Executor,
  work: (transaction: Executor) => Promise<T>,
  { lock, notifies }: WriteOptions,
): Promise<T> {
  return read
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      if (lock) await take(transaction, lock);
      const result = await work(transaction);
      if (notifies) await sql`select pg_notify(${CHANNEL}, ${notifies})`.execute(transaction);
      return result;
    });
}

/** Held until the transaction has ended and others see what it did. */
async function take(transaction: Executor, lock: Lock): Promise<void> {
  const key = (name: string) => sql`hashtextextended(${`public-reviews ${name}`}, 0)`;
  await (
    'exclusive' in lock
      ? sql`select pg_advisory_xact_lock(${key(lock.exclusive)})`
      : sql`select pg_advisory_xact_lock_shared(${key(lock.shared)})`
  ).execute(transaction);
}

/** Two transactions that waited for each other, or could not have run one after the other. */
function isTransient(error: unknown): boolean {
  return codeOf(error) === '40P01' || codeOf(error) === '40001';
}

function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : '';
}

/** A user that is refused or may not do what is needed, and a database or schema that is not there. */
function problemOf(error: unknown, place: string): Error | null {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof DatabaseError && /unsupported startup parameter/.test(cause.message)) {
    return new InputError(
      `DATABASE_URL: ${place} is behind a pooler that refuses time limits (${cause.message}); ` +
        'set its ignore_startup_parameters as docs/replicas.md says',
      { cause },
    );
  }
  if (!/^(?:28|3D|3F|42501)/.test(codeOf(error))) return null;
  const reason = error instanceof Error ? error.message : String(error);
  return new InputError(`DATABASE_URL: ${place} cannot be used: ${reason}`, { cause: error });
}
