// Opens the database that a URL names, brings its schema up to date, and runs transactions on it.

import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { InputError } from '../errors.ts';
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
import { openSqlite } from './sqlite.ts';

const RETRY_MS = 20;
/** The longest merge that was measured holds the lock for seconds; past this something is wrong. */
const PATIENCE_MS = 120_000;

/** An open database. Close it, or the process may not end. */
export class Database {
  /** For reads. A statement that changes something belongs into `write`. */
  readonly read: Executor;
  readonly #engine: Engine;
  #isNew = false;
  #writes = 0;

  private constructor(read: Executor, engine: Engine) {
    this.read = read;
    this.#engine = engine;
  }

  /**
   * Opens `sqlite:PATH` or `postgres://...`, and migrates it. Any number of processes may do so at
   * once.
   *
   * @throws {InputError} where the schema is newer than this program, or the URL leads to no database
   * that can be used.
   */
  static async open(url: string, purpose: Purpose = 'command'): Promise<Database> {
    const engine = await openEngine(url, purpose);
    const read = new Kysely<Schema>({ dialect: engine.dialect, plugins: engine.plugins });
    try {
      const database = new Database(read, engine);
      await engine.assertUsable(read);
      await database.#whileTransient(() => database.#migrate());
      return database;
    } catch (error) {
      await read.destroy();
      throw engine.problemOf(error) ?? error;
    }
  }

  async #migrate(): Promise<void> {
    const provider = migrationProvider(this.#engine.columns);
    const known = await new Migrator({ db: this.read, provider }).getMigrations();
    if (known.some(({ executedAt }) => executedAt)) await refuseNewer(this.read, known);
    if (known.every(({ executedAt }) => executedAt)) return;
    // Kysely takes no transaction for SQLite; without one, two processes would both migrate, and a
    // killed one would leave half a schema.
    await this.write(
      async (transaction) => {
        // Kysely would make it too, but not say why it cannot.
        await transaction.schema
          .createTable('kysely_migration')
          .ifNotExists()
          .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
          .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
          .execute();
        const { error, results = [] } = await new Migrator({
          db: transaction,
          provider,
        }).migrateToLatest();
        if (error !== undefined) throw error;
        this.#isNew = results.length === known.length;
      },
      { lock: { alone: 'schema' } },
    );
  }

  /**
   * Runs a transaction that may write: all of it or nothing happens. `work` may run more than once,
   * where another transaction comes in its way; waiting for one does not stop the event loop.
   */
  async write<T>(
    work: (transaction: Executor) => Promise<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    this.assertInPlace();
    const result = await this.#whileTransient(() => this.#engine.write(this.read, work, options));
    this.#writes += 1;
    return result;
  }

  /**
   * Reads go on from a file that was removed or replaced, so whoever relies on them asks this.
   *
   * @throws {UnavailableError}
   */
  assertInPlace(): void {
    this.#engine.assertInPlace();
  }

  /** Whether opening it created the store. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** Transactions that `write` has run and that wait for a checkpoint, where there is such a thing. */
  get writes(): number {
    return this.#engine.logBytes() === null ? 0 : this.#writes;
  }

  /** Bytes of the log from which a checkpoint moves what was written to the file. */
  get logBytes(): number {
    return this.#engine.logBytes() ?? 0;
  }

  /** Moves what was written from the log to the file, as far as no reader still needs the log. */
  async checkpoint(): Promise<void> {
    await this.#engine.checkpoint(this.read);
  }

  /** Runs reads that must all see the same state of the store. */
  async readConsistently<T>(work: (transaction: Executor) => Promise<T>): Promise<T> {
    return this.#whileTransient(() => this.#engine.readConsistently(this.read, work));
  }

  /** Runs work on one connection, which alone sees the temporary tables that are made on it. */
  async withConnection<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.read
      .connection()
      .execute((connection) => work(new Database(connection, this.#engine)));
  }

  /** Hears what other processes tell of, where the database can; `null` stands for anything. */
  listen(onNotification: (news: StoreNotification | null) => void): Listener {
    return this.#engine.listen(onNotification);
  }

  /** To be called when rows were written with numbers of their own. */
  async continueNumbers(transaction: Executor, table: NumberedTable): Promise<void> {
    await this.#engine.continueNumbers(transaction, table);
  }

  /** To be called when a temporary table has its rows: they are found more quickly then. */
  async analyse(table: 'staged_reviews'): Promise<void> {
    await this.#engine.analyse(this.read, table);
  }

  close(): Promise<void> {
    return this.read.destroy();
  }

  async #whileTransient<T>(action: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await action();
      } catch (error) {
        if (!this.#engine.isTransient(error) || performance.now() > deadline) throw error;
      }
      await sleep(RETRY_MS);
    }
  }
}

async function openEngine(url: string, purpose: Purpose): Promise<Engine> {
  if (url.startsWith('sqlite:')) return openSqlite(url, purpose);
  // Who has SQLite needs not wait for the other driver.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(url, purpose);
}

async function refuseNewer(
  executor: Executor,
  known: readonly { readonly name: string }[],
): Promise<void> {
  const rows = await executor.selectFrom('kysely_migration').select('name').execute();
  const names = new Set(known.map(({ name }) => name));
  if (rows.every(({ name }) => names.has(name))) return;
  throw new InputError(
    'the database was written by a newer version of this program: run that version or newer',
  );
}
