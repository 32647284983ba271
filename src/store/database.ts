// Opens the database, brings its schema up to date, and runs writes one at a time.

import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { InputError } from '../errors.ts';
import { migrationProvider } from './migrations.ts';
import type { Schema } from './schema.ts';
import { isBusy, isUnusable, sqliteDialect, type SqliteOptions } from './sqlite.ts';

const RETRY_MS = 20;
/** The longest merge that was measured holds the lock for seconds; past this something is wrong. */
const PATIENCE_MS = 120_000;

/** What a statement runs on: the database, or a connection inside a transaction. */
export type Executor = Kysely<Schema>;

export interface WriteOptions {
  /**
   * Whether this returns only when the disk has it. Without, it survives a killed process, but a power
   * cut may undo it: as a whole, with all that was written after it and did not wait either.
   */
  readonly waitForDisk?: boolean;
}

/** An open database. Close it, or the process may not end. */
export class Database {
  /** For reads. A statement that changes something belongs into `write`. */
  readonly read: Kysely<Schema>;
  #writes = 0;

  private constructor(read: Kysely<Schema>) {
    this.read = read;
  }

  /**
   * Opens `sqlite:PATH` and migrates it. Two processes may do so at once.
   *
   * @throws {InputError} where the schema is newer than this program, or the file no database.
   */
  static async open(
    url: string,
    options: SqliteOptions = { checkpoints: true },
  ): Promise<Database> {
    const path = url.slice('sqlite:'.length);
    try {
      const database = new Database(new Kysely<Schema>({ dialect: sqliteDialect(path, options) }));
      await whileBusy(() => database.#migrate());
      return database;
    } catch (error) {
      if (!isUnusable(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new InputError(`DATABASE_URL: the database ${path} cannot be opened: ${reason}`, {
        cause: error,
      });
    }
  }

  async #migrate(): Promise<void> {
    const known = await migratorOf(this.read).getMigrations();
    // Kysely takes no transaction for SQLite; without one, two processes would both migrate, and a
    // killed one would leave half a schema. What is up to date is only read, and waits for no lock.
    if (known.some(({ executedAt }) => !executedAt)) await this.write(migrate);
    else await migrate(this.read);
  }

  /**
   * Runs a transaction that may write: all of it or nothing happens. While another process holds
   * the lock this waits without stopping the event loop, then runs `work` from its beginning.
   */
  async write<T>(
    work: (transaction: Executor) => Promise<T>,
    { waitForDisk = true }: WriteOptions = {},
  ): Promise<T> {
    return whileBusy(() =>
      this.read.connection().execute(async (connection) => {
        if (!waitForDisk) await sql`pragma synchronous = normal`.execute(connection);
        try {
          // Immediate: the lock is taken at the start, so nothing read in `work` can be outdated.
          await sql`begin immediate`.execute(connection);
          const result = await whole(connection, work);
          this.#writes += 1;
          return result;
        } finally {
          if (!waitForDisk) await sql`pragma synchronous = full`.execute(connection);
        }
      }),
    );
  }

  /** Transactions that `write` has run. */
  get writes(): number {
    return this.#writes;
  }

  /** Moves what was written from the log to the file, as far as no reader still needs the log. */
  async checkpoint(): Promise<void> {
    await sql`pragma wal_checkpoint(passive)`.execute(this.read);
  }

  /** Runs reads that must all see the same state of the store. */
  async readConsistently<T>(work: (transaction: Executor) => Promise<T>): Promise<T> {
    return whileBusy(() => this.read.transaction().execute(work));
  }

  close(): Promise<void> {
    return this.read.destroy();
  }
}

function migratorOf(db: Executor): Migrator {
  return new Migrator({ db, provider: migrationProvider });
}

async function migrate(executor: Executor): Promise<void> {
  const { error } = await migratorOf(executor).migrateToLatest();
  if (!error) return;
  if (error instanceof Error && error.message.startsWith('corrupted migrations')) {
    throw new InputError(
      'the database was written by a newer version of this program: run that version or newer',
      { cause: error },
    );
  }
  throw error;
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

async function whileBusy<T>(action: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await sleep(RETRY_MS);
  }
}
