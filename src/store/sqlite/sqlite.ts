// The SQLite engine: node:sqlite behind Kysely's dialect, its pragmas, transactions and errors.

import { closeSync, existsSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type Driver,
  type KyselyPlugin,
  type QueryResult,
  SelectQueryNode,
  sql,
  type SqliteDatabase,
  SqliteDialect,
} from 'kysely';
import type { Engine, Executor, Purpose, WriteOptions } from '../engine.ts';
import { FileListener } from './listener.ts';
import { assertOwnLog, noteOwnLog } from './log-owner.ts';
import {
  explained,
  explainErrors,
  isBusy,
  isLost,
  lockedDatabase,
  lostFile,
  missingFile,
  openingError,
} from './sqlite-errors.ts';

/** Memory of a connection for pages of the database, in KiB. */
const CACHE_KIB = 32_000;
/** A load reads every page once, and malloc keeps most of the memory that they took. */
const CACHE_OF_LOAD_KIB = 1_000;

/** How long opening waits for locks: it blocks the event loop. */
const MAX_OPENING_MS = 5_000;
const RETRY_OPENING_MS = 100;

/**
 * Opens `sqlite:PATH`; creates the file if it does not exist.
 *
 * @throws {InputError} if the file cannot be opened as a database, or was lost.
 * @throws {UnavailableError} if it is damaged, or is missing when a thread opens it.
 */
export function openSqlite(url: string, purpose: Purpose, maxWaitMs: number): Engine {
  const path = url.slice('sqlite:'.length);
  try {
    // A thread must not create a new database if the server's file was removed.
    if ((purpose === 'thread' || purpose === 'load') && !existsSync(path)) throw missingFile(path);
    if (purpose !== 'restore' && isLost(path)) throw lostFile(path);
    assertOwnLog(path);
    const dialect = sqliteDialect(path, purpose, Math.min(maxWaitMs, MAX_OPENING_MS));
    noteOwnLog(path);
    const files = new OpenFiles(path);
    return {
      dialect,
      plugins: [ROW_LOCK_REMOVER],
      columns: {
        text: sql`text`,
        bytes: sql`blob`,
        numbered: (column) => column.primaryKey().autoIncrement(),
      },
      walBytes: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      version: () => dialect.version(),
      fileBeside: (ending) => `${path}${ending}`,
      assertFileInPlace: () => files.assertInPlace(),
      write,
      readConsistently: (read, work) => read.transaction().execute(work),
      isTransient: isBusy,
      lastTransient: lockedDatabase,
      openingError: (error) => openingError(error, path),
      assertUsable: () => Promise.resolve(),
      hasTables: async (read) => {
        const found = sql`select 1 from sqlite_schema where name = 'kysely_migration'`;
        return (await found.execute(read)).rows.length > 0;
      },
      // SQLite's planner needs no statistics here: the indexes suffice.
      updateStatistics: () => Promise.resolve(),
      // AUTOINCREMENT continues after the largest number by itself.
      continueNumbers: () => Promise.resolve(),
      listen: (onNotification) =>
        new FileListener(`${path}-wal`, () => dialect.version(), onNotification),
      async checkpoint(read) {
        // The passive checkpoint does most of the work without blocking writers; truncating then takes
        // the write lock only briefly.
        await sql`pragma wal_checkpoint(passive)`.execute(read);
        await sql`pragma wal_checkpoint(truncate)`.execute(read);
      },
      // Pages that earlier versions freed were not overwritten.
      compact: async (read) => void (await sql`vacuum`.execute(read)),
    };
  } catch (error) {
    throw openingError(error, path) ?? error;
  }
}

/**
 * The files of an open database: the write-ahead log and its index exist from the first statement until
 * the last connection of all processes is closed. What is written to a file that was removed is lost.
 */
class OpenFiles {
  readonly #path: string;
  readonly #seen = new Map<string, Stats>();

  constructor(path: string) {
    this.#path = path;
    this.assertInPlace();
  }

  /** @throws {UnavailableError} if a file that was there before was removed or replaced. */
  assertInPlace(): void {
    for (const file of [this.#path, `${this.#path}-wal`, `${this.#path}-shm`]) {
      const current = statSync(file, { throwIfNoEntry: false });
      const before = this.#seen.get(file);
      if (!before && current) this.#seen.set(file, current);
      else if (current?.ino !== before?.ino || current?.dev !== before?.dev)
        throw missingFile(file);
    }
  }
}

/**
 * The timeout is 0, so no statement waits for a lock inside SQLite, which would block the event loop.
 * `Database` retries instead.
 */
function sqliteDialect(path: string, purpose: Purpose, maxWaitMs: number): ChunkingDialect {
  mkdirSync(dirname(path), { recursive: true });
  createFile(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  const pragmas = [
    'PRAGMA journal_mode = WAL',
    // An acknowledged change survives a power cut, not only a killed process.
    'PRAGMA synchronous = FULL',
    `PRAGMA cache_size = -${purpose === 'load' ? CACHE_OF_LOAD_KIB : CACHE_KIB}`,
    'PRAGMA journal_size_limit = 67108864',
    // Deleted rows are overwritten: the texts of removed reviews must not stay in free pages.
    'PRAGMA secure_delete = ON',
    // A checkpoint after a large import takes long, so threads and commands do it, never the server.
    ...(purpose === 'server' ? ['PRAGMA wal_autocheckpoint = 0'] : []),
  ];
  for (const pragma of pragmas) whileBusy(() => database.exec(pragma), maxWaitMs);
  return new ChunkingDialect(adapt(database, path), path, database.prepare(VERSION));
}

/**
 * Creates the file, readable by its owner only: it has secrets of subscribers and unpublished reviews.
 * An existing file is not opened: closing any descriptor of it would drop the POSIX locks that SQLite
 * holds on it in this process, and another process could then delete the write-ahead log in use.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The first number counts the commits of other connections, the second the rows that this one changed. */
const VERSION = 'select data_version, total_changes() as own from pragma_data_version';

/** Streams rows in chunks. Kysely streams them one by one, which costs more than reading them. */
class ChunkingDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  readonly #path: string;
  readonly #version: StatementSync;

  constructor(database: SqliteDatabase, path: string, version: StatementSync) {
    super({ database });
    this.#database = database;
    this.#path = path;
    this.#version = version;
  }

  version(): string | null {
    try {
      return JSON.stringify(this.#version.get());
    } catch {
      return null;
    }
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async (options) => {
      const connection = await acquire(options);
      connection.streamQuery = <R>({ sql: text, parameters }: CompiledQuery, rows: number) =>
        inChunks<R>(
          this.#database.prepare(text).iterate(parameters) as Iterable<R>,
          rows,
          this.#path,
        );
      return connection;
    };
    return driver;
  }
}

// oxlint-disable-next-line require-await -- node:sqlite reads synchronously
async function* inChunks<R>(
  rows: Iterable<R>,
  size: number,
  path: string,
): AsyncGenerator<QueryResult<R>> {
  let chunk: R[] = [];
  try {
    for (const row of rows) {
      if (chunk.push(row) < size) continue;
      yield { rows: chunk };
      chunk = [];
    }
  } catch (error) {
    throw explained(error, path);
  }
  yield { rows: chunk };
}

/** Removes FOR UPDATE, which SQLite does not know and does not need: it has one writer at a time. */
const ROW_LOCK_REMOVER: KyselyPlugin = {
  transformQuery({ node }) {
    if (!SelectQueryNode.is(node) || !node.endModifiers) return node;
    const { endModifiers: _, ...rest } = node;
    return rest;
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

async function write<T>(
  read: Executor,
  work: (transaction: Executor) => Promise<T>,
  { waitForDisk = true }: WriteOptions,
): Promise<T> {
  return read.connection().execute(async (connection) => {
    if (!waitForDisk) await sql`pragma synchronous = normal`.execute(connection);
    try {
      // IMMEDIATE takes the write lock at the start, so nothing read in `work` can be outdated.
      await sql`begin immediate`.execute(connection);
      return await commitOrRollback(connection, work);
    } finally {
      if (!waitForDisk) await sql`pragma synchronous = full`.execute(connection);
    }
  });
}

/** Runs `work` in the transaction that has begun, then commits it; rolls back if `work` fails. */
async function commitOrRollback<T>(
  connection: Executor,
  work: (transaction: Executor) => Promise<T>,
): Promise<T> {
  try {
    const result = await work(connection);
    await sql`commit`.execute(connection);
    return result;
  } catch (error) {
    await rollback(connection, error);
    throw error;
  }
}

/** SQLite may have rolled back by itself. Another failure must not hide the original error. */
async function rollback(connection: Executor, reason: unknown): Promise<void> {
  try {
    await sql`rollback`.execute(connection);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('no transaction is active')) {
      throw new AggregateError([reason, error], 'a transaction could not be rolled back', {
        cause: error,
      });
    }
  }
}

/** Adapts node:sqlite to the driver interface that Kysely's dialect expects. */
function adapt(database: DatabaseSync, path: string): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare: (text) => {
      const statement = explainErrors(path, () => database.prepare(text));
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => explainErrors(path, () => statement.all(...values(parameters))),
        run: (parameters) => explainErrors(path, () => statement.run(...values(parameters))),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
}

/**
 * Retries while another process holds the lock. When opening, this happens only while that process recovers
 * the database, switches the journal mode or keeps the database for itself.
 */
function whileBusy(action: () => void, maxWaitMs: number): void {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_OPENING_MS);
    }
  }
}
