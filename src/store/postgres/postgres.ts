// The PostgreSQL engine: pg behind Kysely's dialect, its transactions, locks and errors.
// docs/decisions/0010-postgresql.md explains why each concurrent write is safe.

import Cursor from 'pg-cursor';
import {
  HandleEmptyInListsPlugin,
  PostgresAdapter,
  PostgresDialect,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely';
import { DatabaseError, TypeOverrides } from 'pg';
import { InputError } from '../../errors.ts';
import type { Engine, Executor, Lock, Purpose, WriteOptions } from '../engine.ts';
import { channelOf, isHeard, listenTo } from './listener.ts';
import { openPool, withMend } from './pool.ts';
import { commandName } from '../../model/command-name.ts';
import { schemaOf, withoutSchema } from '../../model/schema-name.ts';
import { tlsSettings } from './tls.ts';

/** Time limit for connecting. */
const CONNECT_MS = 5_000;
/** Time limits of a statement. Merging millions of rows is one statement of many minutes. */
const STATEMENT_MS: Readonly<Record<Exclude<Purpose, 'restore'>, number>> = {
  server: 10_000,
  thread: 30_000,
  load: 30_000,
  command: 1_800_000,
};
/** A command waits so long for a lock before it tries again, and tells of it. */
const LOCK_MS = 5_000;
/** Maximum connections of a pool. */
const CONNECTIONS: typeof STATEMENT_MS = {
  server: 5,
  thread: 2,
  load: 2,
  command: 2,
};
/** Stores that share a database have so many times as many together. */
const SHARED = 4;
/** A client that disappeared during a transaction must not keep its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** OID of the type bigint. All bigint columns of the schema fit into a JavaScript number. */
const BIGINT = 20;
const TYPES = new TypeOverrides();
TYPES.setTypeParser(BIGINT, Number);

/** Opens `postgres://...`; connects on first use. @throws {InputError} if a TLS parameter of the URL is bad. */
export async function openPostgres(url: string, opener: Purpose, waitMs: number): Promise<Engine> {
  const purpose = opener === 'restore' ? 'command' : opener;
  const schema = schemaOf(url);
  const database = withoutSchema(url);
  // Where several stores share a database, what has a name there has the schema in it.
  const own = schema === null ? '' : ` ${schema}`;
  const channel = channelOf(schema);
  const { hostname, pathname } = new URL(url);
  const databaseName = `the database ${decodeURIComponent(pathname.slice(1))} at ${hostname}`;
  const connection = {
    ...(await tlsSettings(database)),
    fallback_application_name: `public-reviews ${purpose}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const lockMs = purpose === 'command' ? Math.min(LOCK_MS, waitMs) : 0;
  const pool = openPool(
    schema === null ? Symbol(purpose) : `${purpose} ${lockMs} ${database}`,
    {
      ...connection,
      databaseName,
      statementMs: STATEMENT_MS[purpose],
      lockMs,
      max: (schema === null ? 1 : SHARED) * CONNECTIONS[purpose],
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      types: TYPES,
    },
    { schema, most: CONNECTIONS[purpose] },
  );
  return {
    dialect: new OwnLockDialect({ pool, cursor: Cursor }),
    // PostgreSQL rejects `in ()`, which SQLite accepts.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
    columns: {
      text: sql`text collate "C"`,
      bytes: sql`bytea`,
      numbered: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
    },
    walBytes: () => null,
    version: () => null,
    fileBeside: () => null,
    // Dropping a database ends its connections, so there is nothing to check.
    assertFileInPlace: () => undefined,
    schema,
    write: (read, work, options) => write(read, work, { ...options, own, channel }),
    readConsistently: (read, work) =>
      read
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(work),
    isTransient,
    lastTransient: (error) => error,
    openingError: (error) => openingError(error, databaseName),
    // The process that starts a thread has already checked.
    assertUsable: async (read) => {
      if (purpose === 'server' || purpose === 'command')
        await pool.once(() => assertUsable(read, databaseName));
    },
    hasTables: (read) => hasTables(read, schema),
    assertNew: (read) =>
      opener === 'restore' ? Promise.resolve() : assertNew(read, channel, databaseName),
    listen: (onNotification) => {
      const settings = { ...connection, fallback_application_name: 'public-reviews listener' };
      return listenTo(database, settings, channel, onNotification);
    },
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
    compact: () => Promise.resolve(),
  };
}

/**
 * Migrations hold the lock of `write` instead of Kysely's. Kysely releases its lock in the transaction; if
 * that has failed, the release fails too and hides the reason.
 */
class OwnLockDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new (class extends PostgresAdapter {
      override acquireMigrationLock = () => Promise.resolve();
      override releaseMigrationLock = () => Promise.resolve();
    })();
  }
}

/**
 * Read committed: each statement sees what was committed before it. Rows that must not change between a
 * read and a write are locked. `waitForDisk` is ignored: with `synchronous_commit = off`, a killed
 * PostgreSQL process, which is more frequent than a power cut, would lose transactions.
 */
function write<T>(
  read: Executor,
  work: (transaction: Executor) => Promise<T>,
  { lock, notifies, own, channel }: WriteOptions & { own: string; channel: string },
): Promise<T> {
  return read
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      if (lock) await takeLock(transaction, lock, own);
      const result = await work(transaction);
      if (notifies) await sql`select pg_notify(${channel}, ${notifies})`.execute(transaction);
      return result;
    });
}

/** Takes an advisory lock, which PostgreSQL releases when the transaction has ended. */
async function takeLock(transaction: Executor, lock: Lock, own: string): Promise<void> {
  const key = (name: string) => sql`hashtextextended(${`public-reviews${own} ${name}`}, 0)`;
  await (
    'exclusive' in lock
      ? sql`select pg_advisory_xact_lock(${key(lock.exclusive)})`
      : sql`select pg_advisory_xact_lock_shared(${key(lock.shared)})`
  ).execute(transaction);
}

/** Deadlock (40P01), serialization failure (40001) or the time limit for a lock (55P03). */
function isTransient(error: unknown): boolean {
  const code = codeOf(error) || codeOf((error as Error).cause);
  return ['40P01', '40001', '55P03'].includes(code);
}

function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : '';
}

/** The operator's error for a refused user, missing privileges, or a missing database or schema. */
function openingError(error: unknown, databaseName: string): Error | null {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof DatabaseError && /unsupported startup parameter/.test(cause.message)) {
    return new InputError(
      `DATABASE_URL: ${databaseName} is behind a pooler that refuses time limits (${cause.message}); ` +
        'set its ignore_startup_parameters as docs/replicas.md says',
      { cause },
    );
  }
  const refused = [error, cause]
    .filter((each) => each instanceof DatabaseError)
    .find(({ code = '' }) => /^(?:28|3D|3F|42501)/.test(code));
  if (!refused) return null;
  return new InputError(
    `DATABASE_URL: ${databaseName} cannot be used: ${withMend(refused.message)}`,
    {
      cause: error,
    },
  );
}

async function hasTables(read: Executor, schema: string | null): Promise<boolean> {
  const name = schema === null ? 'kysely_migration' : `"${schema}".kysely_migration`;
  const found = sql<boolean>`to_regclass(${name}) is not null`.as('found');
  const [row] = await read.selectNoFrom(found).execute();
  return row?.found === true;
}

/** @throws {InputError} if a server listens: it has served a store from here. */
async function assertNew(read: Executor, channel: string, databaseName: string): Promise<void> {
  if (!(await isHeard(read, channel))) return;
  throw new InputError(
    `DATABASE_URL: ${databaseName} is empty, and a server runs that has served a store from it: stop all servers, and ` +
      `restore the last backup with "${commandName()} restore BACKUP"; for a new start, stop them too`,
  );
}

/** @throws {InputError} if the encoding is not UTF8, or a pooler runs in transaction mode. */
async function assertUsable(read: Executor, databaseName: string): Promise<void> {
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
