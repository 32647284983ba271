// What the two databases do differently: one of these for each, in sqlite.ts and postgres.ts.

import type { ColumnDefinitionBuilder, Dialect, Expression, Kysely, KyselyPlugin } from 'kysely';
import type { Schema } from './schema.ts';

/** What a statement runs on: the database, or a connection inside a transaction. */
export type Executor = Kysely<Schema>;

/**
 * Who opens the database: the server, whose statements are all short and whose event loop others wait
 * for; one of its threads; or a command, which may take its time.
 */
export type Purpose = 'server' | 'thread' | 'command';

export interface WriteOptions {
  /**
   * Whether this returns only when the disk has it. Without, it survives a killed process, but a power
   * cut may undo it: as a whole, with all that was written after it and did not wait either.
   */
  readonly waitForDisk?: boolean;
  /** Keeps other transactions out that name the same: all of them, or those that want to be alone. */
  readonly lock?: Lock;
  /** What all processes of the store are told when, and if, the transaction takes effect. */
  readonly notifies?: StoreNotification;
}

/** What processes tell each other: the content or the snapshot is another, or the hub has something to
 * do. Who is told looks into the store. */
export type StoreNotification = 'state' | 'requests';

/** Hears what other processes tell. */
export interface Listener {
  /** Whether news come by themselves now; if not, the store has to be asked often. */
  readonly isConnected: boolean;
  close(): Promise<void>;
}

/**
 * What a transaction needs to be alone with where several may write at a time. What is ordered by a
 * row that the transaction changes anyway needs none.
 */
export type Lock = { readonly exclusive: string } | { readonly shared: string };

/** The column types that the databases call by other names. */
export interface ColumnTypes {
  /** Compared and sorted by its bytes. */
  readonly text: Expression<unknown>;
  readonly bytes: Expression<unknown>;
  /** Makes an integer column one that counts up by itself, and never gives a number twice. */
  readonly numbered: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
}

export type NumberedTable = 'intents' | 'denials' | 'session_ends';

export interface Engine {
  readonly dialect: Dialect;
  readonly plugins: KyselyPlugin[];
  readonly columns: ColumnTypes;
  /** The size of the log in which what is written waits for `checkpoint`; null where there is none. */
  walBytes(): number | null;
  /** @throws {UnavailableError} where the file of the database was removed or replaced: what is written to it is lost. */
  assertInPlace(): void;
  /** Runs a transaction that may write. One that fails leaves nothing. */
  write<T>(
    read: Executor,
    work: (transaction: Executor) => Promise<T>,
    options: WriteOptions,
  ): Promise<T>;
  /** Runs reads that all see the same state. */
  readConsistently<T>(read: Executor, work: (transaction: Executor) => Promise<T>): Promise<T>;
  /** Whether a transaction failed only because of another one, and may be run again. */
  isTransient(error: unknown): boolean;
  /** Tells in words for the operator why the database cannot be opened; null for other faults. */
  problemOf(error: unknown): Error | null;
  /** @throws {InputError} where the database answers and cannot be used all the same. */
  assertUsable(read: Executor): Promise<void>;
  /** Tells the database that a temporary table has its rows now. */
  updateStatistics(executor: Executor, table: 'staged_reviews'): Promise<void>;
  /** To be called when rows were written with numbers of their own: the next are beyond them. */
  continueNumbers(transaction: Executor, table: NumberedTable): Promise<void>;
  /** Moves what was written from the log to the file, and empties the log where no reader needs it. */
  checkpoint(read: Executor): Promise<void>;
  /** `null` stands for anything: some may have been missed. */
  listen(onNotification: (news: StoreNotification | null) => void): Listener;
}
