// The differences between the two databases. sqlite.ts and postgres.ts each implement `Engine`.

import type {
  ColumnDefinitionBuilder,
  Dialect,
  Expression,
  Kysely,
  KyselyPlugin,
  SelectQueryBuilder,
} from 'kysely';
import type { Schema } from './schema.ts';

export async function exists(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

/** The number of rows that a query finds; it selects nothing yet. */
export async function countRows<Tables, Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const { count } = await query
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow();
  return count;
}

/** Runs statements: on the database, on one connection, or in a transaction. */
export type Executor = Kysely<Schema>;

/**
 * Who opens the database: the server, whose statements must be short because its event loop serves
 * readers; one of its threads; its thread that loads a snapshot; or a command of the command line, which may
 * run long statements. `restore` is a command that may make a store where one was lost.
 */
export type Purpose = 'server' | 'thread' | 'load' | 'command' | 'restore';

export interface WriteOptions {
  /**
   * Whether the transaction is on disk when this returns (default true). If false, it survives a killed
   * process, but a power cut may undo it, together with later transactions that did not wait either.
   */
  readonly waitForDisk?: boolean;
  /** Excludes other transactions with a lock of the same name; see `Lock`. */
  readonly lock?: Lock;
  /** Sent to all processes that share the store when the transaction commits. */
  readonly notifies?: StoreNotification;
}

/**
 * What processes notify each other of: `state`, the content or the snapshot changed; `requests`, the
 * hub has something to do. Receivers read the details from the store.
 */
export type StoreNotification = 'state' | 'requests';

/** Receives notifications of other processes until it is closed. */
export interface Listener {
  /** Whether notifications arrive now. If not, the store has to be polled often. */
  readonly isConnected: boolean;
  close(): Promise<void>;
}

/**
 * An advisory lock, held until the transaction ends: exclusive, or shared with other shared holders.
 * Needed where several transactions may write at once and no row that both update orders them.
 */
export type Lock = { readonly exclusive: string } | { readonly shared: string };

/** Held by every transaction that changes reviews or the business. */
export const CONTENT_LOCK: Lock = { exclusive: 'content' };

/** Column types whose names differ between the databases. */
export interface ColumnTypes {
  /** Compared and sorted bytewise. */
  readonly text: Expression<unknown>;
  readonly bytes: Expression<unknown>;
  /** Makes an integer column an auto-increment primary key that never reuses a number. */
  readonly numbered: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
}

export type NumberedTable = 'intents' | 'denials' | 'imports' | 'review_history';

export interface Engine {
  readonly dialect: Dialect;
  readonly plugins: KyselyPlugin[];
  readonly columns: ColumnTypes;
  /** The schema of its own that the store has in the database; null is that of the user. */
  readonly schema?: string | null;
  /** Bytes of the write-ahead log that `checkpoint` empties; null if the database needs no checkpoints. */
  walBytes(): number | null;
  /** Differs after each commit, by whatever process; null if only a read tells. Costs some microseconds. */
  version(): string | null;
  /** A path beside the database file, for what must not be restored with it; null without such a file. */
  fileBeside(ending: string): string | null;
  /** @throws {UnavailableError} if the database file was removed or replaced: writes to it would be lost. */
  assertFileInPlace(): void;
  write<T>(
    read: Executor,
    work: (transaction: Executor) => Promise<T>,
    options: WriteOptions,
  ): Promise<T>;
  /** Runs reads on one consistent view of the database. */
  readConsistently<T>(read: Executor, work: (transaction: Executor) => Promise<T>): Promise<T>;
  /** Whether a transaction failed only because of a concurrent one and can be retried. */
  isTransient(error: unknown): boolean;
  /** What to throw for a transient error that did not pass in time. */
  lastTransient(error: unknown): unknown;
  /** The operator's error for a database that cannot be opened; null for other errors. */
  openingError(error: unknown): Error | null;
  /** @throws {InputError} if the database answers but cannot be used. */
  assertUsable(read: Executor): Promise<void>;
  /** Whether it has tables of ours. Kysely would read those of all schemas: seconds, where there are thousands. */
  hasTables(read: Executor): Promise<boolean>;
  /** Called when tables were created: throws an InputError if a store was here, whose files would tell with SQLite. */
  assertNew?(transaction: Executor): Promise<void>;
  /** Updates the planner's statistics of a temporary table after it was filled. */
  updateStatistics(executor: Executor, table: 'staged_reviews'): Promise<void>;
  /** Call after inserting rows with explicit numbers: generated numbers continue after them. */
  continueNumbers(transaction: Executor, table: NumberedTable): Promise<void>;
  /** Moves the write-ahead log into the file, and empties it if no reader needs it. */
  checkpoint(read: Executor): Promise<void>;
  /**
   * Rewrites the database, so that its files have nothing of deleted rows; the log has to be emptied too.
   * Does nothing on PostgreSQL.
   */
  compact(read: Executor): Promise<void>;
  /** Null means that notifications may have been missed. */
  listen(onNotification: (notification: StoreNotification | null) => void): Listener;
}
