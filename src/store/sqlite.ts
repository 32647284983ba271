// What is particular to SQLite: node:sqlite behind Kysely's dialect, its settings and its errors.

import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type Dialect,
  type Driver,
  type KyselyPlugin,
  type QueryResult,
  SelectQueryNode,
  sql,
  type SqliteDatabase,
  SqliteDialect,
} from 'kysely';
import { InputError, UnavailableError } from '../errors.ts';
import type { Engine, Executor, Purpose, WriteOptions } from './engine.ts';

const RESTORE =
  'stop the server, restore a backup as "Backup and restore" in docs/replicas.md says, and start again';

/** SQLite's primary result codes: https://sqlite.org/rescode.html */
const BUSY = 5;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** Opens `sqlite:PATH`, and creates the file. */
export function openSqlite(url: string, purpose: Purpose): Engine {
  const path = url.slice('sqlite:'.length);
  const problemOf = (error: unknown) => {
    if (isDamage(error)) return damaged(path, error);
    if (!isUnusable(error)) return null;
    const reason = error instanceof Error ? error.message : String(error);
    const hint = primaryCode(error) === NOT_A_DATABASE ? `. If it was one: ${RESTORE}` : '';
    return new InputError(`DATABASE_URL: the database ${path} cannot be opened: ${reason}${hint}`, {
      cause: error,
    });
  };
  try {
    // Whatever runs beside a server must not make a new database where the server's is gone.
    if (purpose === 'thread' && !existsSync(path)) throw gone(path);
    const dialect = sqliteDialect(path, purpose);
    const opened = statSync(path);
    return {
      dialect,
      plugins: [WITHOUT_ROW_LOCKS],
      columns: {
        text: sql`text`,
        bytes: sql`blob`,
        numbered: (column) => column.primaryKey().autoIncrement(),
      },
      logBytes: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      assertInPlace() {
        const now = statSync(path, { throwIfNoEntry: false });
        if (now?.ino !== opened.ino || now.dev !== opened.dev) throw gone(path);
      },
      write,
      readConsistently: (read, work) => read.transaction().execute(work),
      isTransient: isBusy,
      problemOf,
      assertUsable: () => Promise.resolve(),
      // Its planner does well with the indexes alone.
      analyse: () => Promise.resolve(),
      // It looks for the largest itself.
      continueNumbers: () => Promise.resolve(),
      listen: () => ({ isHearing: false, close: () => Promise.resolve() }),
      async checkpoint(read) {
        // Most of the work is done beside writers; what is left then keeps them out for a moment.
        await sql`pragma wal_checkpoint(passive)`.execute(read);
        await sql`pragma wal_checkpoint(truncate)`.execute(read);
      },
    };
  } catch (error) {
    throw problemOf(error) ?? error;
  }
}

/** No statement waits for a lock inside SQLite: that would stop the event loop; `Database` waits
 * outside. */
function sqliteDialect(path: string, purpose: Purpose): Dialect {
  mkdirSync(dirname(path), { recursive: true });
  createFile(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  const pragmas = [
    'PRAGMA journal_mode = WAL',
    // An acknowledged change survives the power cut, not only the killed process.
    'PRAGMA synchronous = FULL',
    'PRAGMA cache_size = -32000',
    'PRAGMA journal_size_limit = 67108864',
    // A checkpoint takes as long as the last import was large; the server's threads and commands do it.
    ...(purpose === 'server' ? ['PRAGMA wal_autocheckpoint = 0'] : []),
  ];
  for (const pragma of pragmas) whileBusy(() => database.exec(pragma));
  return new ChunkingDialect(adapt(database, path), path);
}

/**
 * Creates the file, readable by its owner alone: it has secrets of subscribers and reviews that are not
 * published. A file that exists is not opened: closing any descriptor of it would drop the POSIX locks
 * that SQLite holds on it in this process, and another program would then delete the log in use.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Kysely streams each row on its own, which takes longer than reading it. */
class ChunkingDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  readonly #path: string;

  constructor(database: SqliteDatabase, path: string) {
    super({ database });
    this.#database = database;
    this.#path = path;
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

// oxlint-disable-next-line require-await -- SQLite reads at once what others wait for
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

/** There is one writer at a time, which no row has to be locked for. */
const WITHOUT_ROW_LOCKS: KyselyPlugin = {
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
      // Immediate: the lock is taken at the start, so nothing read in `work` can be outdated.
      await sql`begin immediate`.execute(connection);
      return await whole(connection, work);
    } finally {
      if (!waitForDisk) await sql`pragma synchronous = full`.execute(connection);
    }
  });
}

/** Ends the transaction that has begun: with what `work` did, or as if it had never been. */
async function whole<T>(
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

/** SQLite may have rolled back already; another failure must not hide the one that led here. */
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

/** Kysely's dialect speaks the interface of another driver; this is that interface. */
function adapt(database: DatabaseSync, path: string): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare: (text) => {
      const statement = explaining(path, () => database.prepare(text));
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => explaining(path, () => statement.all(...values(parameters))),
        run: (parameters) => explaining(path, () => statement.run(...values(parameters))),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
}

/** SQLite's own messages for a full disk and a damaged file do not say what to do. */
function explaining<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw explained(error, path);
  }
}

function explained(error: unknown, path: string): unknown {
  if (isDamage(error)) return damaged(path, error);
  if (primaryCode(error) !== FULL) return error;
  const message = 'the disk of the database, or the one for temporary files, is full: make room';
  return new UnavailableError(message, { cause: error });
}

function isDamage(error: unknown): boolean {
  return [CORRUPT, IO_ERROR].includes(primaryCode(error) ?? 0);
}

function damaged(path: string, cause: unknown): UnavailableError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UnavailableError(`the database ${path} is damaged (${reason}): ${RESTORE}`, { cause });
}

function gone(path: string): UnavailableError {
  return new UnavailableError(
    `the database file ${path} was removed or replaced while it was in use, and nothing is stored: ` +
      `put it back, or ${RESTORE}`,
  );
}

/** Opening meets another process's lock only while that one recovers or switches the journal. */
function whileBusy(action: () => void): void {
  for (let attempt = 1; ; attempt++) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || attempt === 50) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

function primaryCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  // The low byte is the primary result code.
  return typeof code === 'number' ? code & 0xff : null;
}

/** Whether another connection holds the lock (SQLITE_BUSY in all its forms). */
function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/** Whether the file is none that this program can use: SQLite's codes for read-only, cannot open and
 * not a database, and the file system's own. */
function isUnusable(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return (
    [READ_ONLY, CANNOT_OPEN, NOT_A_DATABASE].includes(primaryCode(error) ?? 0) ||
    /^E[A-Z]+$/.test(String(code))
  );
}
