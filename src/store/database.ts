// Opens the database of a URL, migrates its schema and runs transactions on it.

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { InputError, UnavailableError } from '../errors.ts';
import type {
  Engine,
  Executor,
  Listener,
  StoreNotification,
  NumberedTable,
  Purpose,
  WriteOptions,
} from './engine.ts';
import { migrationProvider } from './migrations.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import { isLost } from './sqlite/sqlite-errors.ts';

const RETRY_MS = 20;
const LONG_WAIT_MS = 5_000;
/** The slowest measured merge holds the lock for seconds: waiting this long means a fault. */
const MAX_WAIT_MS = 120_000;

/** The version of the program whose schema a database has; none if nothing was ever stored in it. */
export type SchemaVersion = 'none' | 'older' | 'current' | 'newer';

/** An open database. It must be closed: open connections can keep the process alive. */
export class Database {
  /** For reads only; `write` is for statements that change something. */
  readonly read: Executor;
  /** The database file's path with another ending; null on PostgreSQL. */
  readonly fileBeside: (ending: string) => string | null;
  readonly #engine: Engine;
  readonly #maxWaitMs: number;
  /** What a check of the whole file found: reads and writes of sound pages do not notice. */
  damage: string | null = null;
  /** Is called when a transaction has waited for some seconds for those of other processes. */
  onLongWait: () => void = () => undefined;
  /** Whether opening it created the store. */
  isNew = false;
  #writes = 0;

  private constructor(read: Executor, engine: Engine, maxWaitMs: number) {
    this.read = read;
    this.fileBeside = (ending) => engine.fileBeside(ending);
    this.#engine = engine;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Opens `sqlite:PATH` or `postgres://...` and migrates it. Several processes may do so at once. A
   * transaction waits at most `maxWaitMs` for those of other processes.
   *
   * @throws {InputError} if the schema is newer than this program, or the database cannot be used.
   * @throws {UnavailableError} if the database is damaged or cannot be reached.
   */
  static async open(
    url: string,
    purpose: Purpose = 'command',
    maxWaitMs = MAX_WAIT_MS,
  ): Promise<Database> {
    return Database.#connect(url, purpose, maxWaitMs, async (database) => {
      await database.#whileTransient(() => database.#migrate());
      return database;
    });
  }

  static async #connect<T>(
    url: string,
    purpose: Purpose,
    maxWaitMs: number,
    begin: (database: Database) => Promise<T>,
  ): Promise<T> {
    const engine = await openEngine(url, purpose, maxWaitMs);
    const read = new Kysely<Schema>({ dialect: engine.dialect, plugins: engine.plugins });
    try {
      await engine.assertUsable(read);
      return await begin(new Database(read, engine, maxWaitMs));
    } catch (error) {
      await read.destroy();
      throw engine.openingError(error) ?? error;
    }
  }

  /** Whether there is a store: a file, also a lost one, which opening refuses, or tables of ours. */
  static async exists(url: string): Promise<boolean> {
    const path = url.slice('sqlite:'.length);
    if (url.startsWith('sqlite:')) return existsSync(path) || isLost(path);
    const { database, version } = await Database.openAsIs(url);
    await database.close();
    return version !== 'none';
  }

  /**
   * Opens an existing store without migrating it. One of another version must not be used, only closed.
   *
   * @throws {InputError} if the database cannot be used.
   * @throws {UnavailableError} if the database is damaged or cannot be reached.
   */
  static async openAsIs(
    url: string,
    maxWaitMs = MAX_WAIT_MS,
  ): Promise<{ database: Database; version: SchemaVersion }> {
    return Database.#connect(url, 'command', maxWaitMs, async (database) => ({
      database,
      version: (await database.#version()).version,
    }));
  }

  async #version(): Promise<{ version: SchemaVersion; known: readonly string[] }> {
    const known = Object.keys(await migrationProvider(this.#engine.columns).getMigrations());
    if (!(await this.#engine.hasTables(this.read))) return { version: 'none', known };
    const rows = await this.read.selectFrom('kysely_migration').select('name').execute();
    // Of a newer version: migrations that this one does not know.
    if (!rows.every(({ name }) => known.includes(name))) return { version: 'newer', known };
    if (rows.length === 0) return { version: 'none', known };
    return { version: rows.length === known.length ? 'current' : 'older', known };
  }

  #migrator(db: Executor): Migrator {
    const { columns, schema } = this.#engine;
    const own = schema ? { migrationTableSchema: schema } : {};
    return new Migrator({ db, provider: migrationProvider(columns), ...own });
  }

  async #migrate(): Promise<void> {
    const { version, known } = await this.#version();
    if (version === 'newer') {
      throw new InputError(
        'the database was written by a newer version of this program: run that version or newer',
      );
    }
    if (version === 'current') return;
    const { schema } = this.#engine;
    // Kysely uses no transaction on SQLite. Without one, two processes could migrate at once, and a
    // killed process could leave half a schema.
    await this.write(
      async (transaction) => {
        if (schema) await transaction.schema.createSchema(schema).ifNotExists().execute();
        // Kysely would create it too, but would hide the reason if that fails.
        await transaction.schema
          .createTable('kysely_migration')
          .ifNotExists()
          .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
          .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
          .execute();
        const { error, results = [] } = await this.#migrator(transaction).migrateToLatest();
        if (error !== undefined) throw error;
        this.isNew = results.length === known.length;
        if (this.isNew) await this.#engine.assertNew?.(transaction);
      },
      { lock: { exclusive: 'schema' } },
    );
  }

  /**
   * Runs a write transaction, all or nothing. On a conflict with another transaction, `work` runs
   * again. Waiting for a lock does not block the event loop.
   *
   * @throws {UnavailableError} if the database file was removed or replaced, the connection was lost, or
   * other processes keep the database locked.
   */
  async write<T>(
    work: (transaction: Executor) => Promise<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    this.assertFileInPlace();
    const result = await this.#whileTransient(() => this.#engine.write(this.read, work, options));
    this.#writes += 1;
    return result;
  }

  /**
   * Checks that the open database file is still the one at its path. Reads of a file that was removed
   * or replaced keep working, so they do not notice.
   *
   * @throws {UnavailableError} if the file was removed or replaced, or is known to be damaged.
   */
  assertFileInPlace(): void {
    this.#engine.assertFileInPlace();
    if (this.damage !== null) throw new UnavailableError(this.damage);
  }

  /** Drops the schema of a store that has one of its own; a deadlock with servers that read it is tried again. */
  async drop(): Promise<void> {
    const { schema } = this.#engine;
    if (schema) await this.write(({ schema: own }) => own.dropSchema(schema).cascade().execute());
  }

  /** Gives the schema of a store that has one of its own another name. */
  async rename(to: string): Promise<void> {
    const { schema } = this.#engine;
    if (schema)
      await this.write((executor) =>
        sql`alter schema ${sql.id(schema)} rename to ${sql.id(to)}`.execute(executor),
      );
  }

  /** As long as it is the same, nothing was stored; null if only a read tells. */
  get version(): string | null {
    return this.#engine.version();
  }

  get kind(): 'sqlite' | 'postgres' {
    return this.#engine.walBytes() === null ? 'postgres' : 'sqlite';
  }

  /** Number of transactions run by `write`; always 0 if the database needs no checkpoints. */
  get writes(): number {
    return this.#engine.walBytes() === null ? 0 : this.#writes;
  }

  /** Bytes of SQLite's write-ahead log; 0 on PostgreSQL. */
  get walBytes(): number {
    return this.#engine.walBytes() ?? 0;
  }

  /** Moves the write-ahead log into the database file, as far as no reader still needs it. */
  async checkpoint(): Promise<void> {
    await this.#engine.checkpoint(this.read);
  }

  /**
   * Removes from the files of SQLite what deleted rows left there; does nothing on PostgreSQL. Returns false
   * if the write-ahead log still has it after `patienceMs`, because a reader needs the log.
   */
  async eraseDeleted(patienceMs: number): Promise<boolean> {
    this.assertFileInPlace();
    await this.#whileTransient(() => this.#engine.compact(this.read));
    const deadline = performance.now() + patienceMs;
    for (;;) {
      await this.#whileTransient(() => this.#engine.checkpoint(this.read));
      if (this.walBytes === 0) return true;
      if (performance.now() > deadline) return false;
      await sleep(RETRY_MS);
    }
  }

  async readConsistently<T>(work: (transaction: Executor) => Promise<T>): Promise<T> {
    return this.#whileTransient(() => this.#engine.readConsistently(this.read, work));
  }

  /** Runs `work` on one connection. Temporary tables are visible on their own connection only. */
  async withConnection<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.read.connection().execute((connection) => {
      const database = new Database(connection, this.#engine, this.#maxWaitMs);
      database.onLongWait = this.onLongWait;
      return work(database);
    });
  }

  /**
   * Calls back on every notification of another process, if the database supports it. Null means that
   * notifications may have been missed.
   */
  listen(onNotification: (notification: StoreNotification | null) => void): Listener {
    return this.#engine.listen(onNotification);
  }

  /** Call after inserting rows with explicit numbers: generated numbers continue after them. */
  async continueNumbers(transaction: Executor, table: NumberedTable): Promise<void> {
    await this.#engine.continueNumbers(transaction, table);
  }

  /** Call after filling a temporary table, so that the query planner knows its size. */
  async updateStatistics(table: 'staged_reviews'): Promise<void> {
    await this.#engine.updateStatistics(this.read, table);
  }

  close(): Promise<void> {
    return this.read.destroy();
  }

  async #whileTransient<T>(action: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now();
    let isLong = false;
    for (;;) {
      try {
        return await action();
      } catch (error) {
        if (!this.#engine.isTransient(error)) throw error;
        const waitedMs = performance.now() - startedAtMs;
        if (waitedMs > this.#maxWaitMs) throw this.#engine.lastTransient(error);
        if (waitedMs > LONG_WAIT_MS && !isLong) this.onLongWait();
        isLong ||= waitedMs > LONG_WAIT_MS;
      }
      await sleep(RETRY_MS);
    }
  }
}

/** Closes a database after the work. */
export async function used<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function openEngine(url: string, purpose: Purpose, maxWaitMs: number): Promise<Engine> {
  if (url.startsWith('sqlite:')) return openSqlite(url, purpose, maxWaitMs);
  // Loaded on demand: SQLite users do not wait for the PostgreSQL driver.
  const { openPostgres } = await import('./postgres/postgres.ts');
  return openPostgres(url, purpose, maxWaitMs);
}
