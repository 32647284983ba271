// A connection pool for PostgreSQL with time limits: a statement without an answer fails, and its
// connection is closed.

import type { PostgresPool, PostgresPoolClient } from 'kysely';
import {
  type ClientBase,
  DatabaseError,
  escapeIdentifier,
  Pool,
  type PoolClient,
  type PoolConfig,
} from 'pg';
import type Cursor from 'pg-cursor';
import { ConnectionLostError, UnavailableError } from '../../errors.ts';
import { currentSite } from '../../model/command-name.ts';

/** Added to the database's own statement timeout, which ends a statement but keeps the connection. */
const MARGIN_MS = 1_000;
/** Time limit for a connection to become free. */
const SLOT_MS = 30_000;
/** Time limit for closing connections; then they are destroyed. */
const CLOSE_MS = 1_000;

interface PoolSettings extends PoolConfig {
  /** The database in error messages. */
  readonly databaseName: string;
  /** Time limit of every statement, and of every read of a cursor. */
  readonly statementMs: number;
  /** Time limit of a wait for a lock; 0 is none. */
  readonly lockMs: number;
  readonly max: number;
}

/** What the stores of a database in this process share, by a key of their settings. */
const pools = new Map<string | symbol, SharedPool>();

/** The part of a store in a pool. */
export interface StorePool extends PostgresPool {
  /** Does once for all stores what has to be done with the database; tries again what failed. */
  once(work: () => Promise<void>): Promise<void>;
}

/**
 * A pool for Kysely, shared with other stores that have the same `key`; of its connections a store has at most `most`
 * at once, each with its `schema` (null is that of the user). Statements fail with UnavailableError if the connection
 * cannot be established, is lost or does not answer. If that happens to a COMMIT, it may or may not have taken effect.
 */
export function openPool(
  key: string | symbol,
  settings: PoolSettings,
  { schema, most }: { readonly schema: string | null; readonly most: number },
): StorePool {
  const shared = pools.get(key) ?? new SharedPool(settings);
  pools.set(key, shared);
  shared.users += 1;
  const own = new ConnectionSlots(most, settings.databaseName);
  return {
    options: {},
    once: (work) => shared.once(work),
    async connect() {
      await own.acquire();
      return shared.connect(schema, () => own.release());
    },
    async end() {
      shared.users -= 1;
      if (shared.users > 0) return;
      pools.delete(key);
      await shared.end();
    },
  };
}

class SharedPool {
  users = 0;
  readonly #pool: Pool;
  readonly #settings: PoolSettings;
  readonly #slots: ConnectionSlots;
  readonly #openClients = new Set<PoolClient>();
  readonly #schemas = new WeakMap<PoolClient, string>();
  #done: Promise<void> | null = null;

  constructor(settings: PoolSettings) {
    const { databaseName, statementMs, lockMs, ...others } = settings;
    this.#settings = settings;
    this.#slots = new ConnectionSlots(settings.max, databaseName);
    const pool = new Pool({
      ...others,
      statement_timeout: statementMs,
      // Poolers would refuse it as a parameter of the connection.
      ...(lockMs > 0 && {
        // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it
        onConnect: async (client) => void (await client.query(`set lock_timeout = ${lockMs}`)),
      }),
    });
    // An idle connection that fails is replaced at the next use.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => {
      // If a connection in use fails, its statement fails too.
      client.on('error', () => undefined);
      this.#openClients.add(client);
    });
    pool.on('remove', (client) => this.#openClients.delete(client));
    this.#pool = pool;
  }

  async once(work: () => Promise<void>): Promise<void> {
    this.#done ??= work();
    try {
      await this.#done;
    } catch (error) {
      this.#done = null;
      throw error;
    }
  }

  async connect(schema: string | null, onReleased: () => void): Promise<PostgresPoolClient> {
    const { databaseName, statementMs } = this.#settings;
    let release = onReleased;
    try {
      await this.#slots.acquire();
      release = () => {
        this.#slots.release();
        onReleased();
      };
      const client = await this.#pool.connect().catch((error: unknown) => {
        throw lostConnection(error, databaseName);
      });
      const guarded = new GuardedClient(client, statementMs + MARGIN_MS, databaseName, release);
      release = () => guarded.release(true);
      if (schema !== null && this.#schemas.get(client) !== schema) {
        await guarded.query(`set search_path = ${escapeIdentifier(schema)}`, []);
        this.#schemas.set(client, schema);
      }
      return guarded;
    } catch (error) {
      release();
      throw error;
    }
  }

  async end(): Promise<void> {
    const timer = setTimeout(() => this.#openClients.forEach(destroyConnection), CLOSE_MS);
    await this.#pool.end();
    clearTimeout(timer);
  }
}

/** One connection. After a statement without an answer it is broken, and leaves the pool. */
class GuardedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #limitMs: number;
  readonly #databaseName: string;
  readonly #onReleased: () => void;
  #failure: Error | null = null;

  constructor(client: PoolClient, limitMs: number, databaseName: string, onReleased: () => void) {
    this.#client = client;
    this.#limitMs = limitMs;
    this.#databaseName = databaseName;
    this.#onReleased = onReleased;
  }

  readonly query = ((statement: string | Cursor, parameters: readonly unknown[]) =>
    typeof statement === 'string'
      ? this.#run(statement, parameters)
      : this.#limitReads(statement)) as PostgresPoolClient['query'];

  async #run(statement: string, parameters: readonly unknown[]): Promise<unknown> {
    // Kysely rolls back after a lost connection; that must not hide the original error.
    if (this.#failure && statement === 'rollback') return { command: 'ROLLBACK', rows: [] };
    if (this.#failure) throw this.#failure;
    return this.#limit(() => this.#client.query(statement, [...parameters]));
  }

  #limitReads(cursor: Cursor) {
    const started = this.#client.query(cursor);
    return {
      read: (count: number) => this.#limit(() => started.read(count)),
      close: async () => {
        // Closing a cursor of a lost connection would wait forever.
        if (!this.#failure) await this.#limit(() => started.close());
      },
    };
  }

  async #limit<T>(ask: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      this.#failure ??= lostConnection(
        new Error(`no answer within ${this.#limitMs / 1000} s`),
        this.#databaseName,
      );
      destroyConnection(this.#client);
    }, this.#limitMs);
    try {
      return await ask();
    } catch (error) {
      const unavailable = unavailableError(error, this.#databaseName);
      if (unavailable !== null) throw unavailable;
      if (isServerAnswer(error)) throw error;
      this.#failure ??= lostConnection(error, this.#databaseName);
      throw this.#failure;
    } finally {
      clearTimeout(timer);
    }
  }

  release(isDiscarded?: boolean): void {
    this.#client.release(isDiscarded === true || this.#failure !== null);
    this.#onReleased();
  }
}

/**
 * Limits the connections in use. Waiting for a free slot has a time limit of its own: under load it may
 * take longer than connecting may.
 */
class ConnectionSlots {
  readonly #databaseName: string;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number, databaseName: string) {
    this.#free = count;
    this.#databaseName = databaseName;
  }

  /** @throws {UnavailableError} if no slot becomes free in time. */
  async acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onFree = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(onFree);
        const waited = `no connection became free within ${SLOT_MS / 1000} s`;
        reject(new UnavailableError(`${this.#databaseName}: connection pool exhausted: ${waited}`));
      }, SLOT_MS);
      this.#waiting.add(onFree);
    });
  }

  /** Frees the slot, or passes it to the longest waiting caller. */
  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/**
 * Whether the error is an answer of PostgreSQL on a connection that still works. Connection exceptions
 * (08), too many connections (53300), and shutdown or startup (57, except 57014, a cancelled statement)
 * are not.
 */
function isServerAnswer(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const { code = '' } = error;
  return code === '57014' || !/^(?:08|57|53300)/.test(code);
}

type Explain = (database: string, message: string) => string;
const RESTORE = 'empty the database and restore the last backup';

function mendLost(): string {
  return currentSite() === null
    ? `stop all servers, ${RESTORE}`
    : 'if this site was moved or removed on another machine, do that here too; else restore its last backup';
}

/** Why PostgreSQL cannot run a statement now, by the start of its error code; the first that fits counts. */
const PREVENTED: readonly (readonly [code: string, explain: Explain])[] = [
  ['53100', (database) => `the disk of ${database} is full: make room`],
  ['57014', (database) => `${database} took too long: look for a session that holds a lock`],
  ['55P03', (database) => `${database} is locked: look for the session that holds the lock`],
  ['25006', (database) => `${database} is read-only: connect to the primary, or make room on it`],
  ['42P01', (database, message) => `${database} has lost tables (${message}): ${mendLost()}`],
  ['42501', (database, message) => `${database} cannot be used: ${withMend(message)}`],
  ['53', (database) => `${database} ran out of memory or connections: see its log`],
  ['58', (database) => `${database} could not read or write a file: see its log`],
];

/**
 * The operator's error if PostgreSQL cannot run a statement now; null for other errors. It has undone the
 * transaction, and the connection works.
 */
function unavailableError(error: unknown, databaseName: string): UnavailableError | null {
  if (!isServerAnswer(error)) return null;
  const { code = '', message } = error as DatabaseError;
  const [, explain] = PREVENTED.find(([start]) => code.startsWith(start)) ?? [];
  return explain ? new UnavailableError(explain(databaseName, message), { cause: error }) : null;
}

/** As PostgreSQL says it, or its client before it asks. */
export function withMend(message: string): string {
  const isUnsaid = /empty password|client password must be/.test(message);
  if (isUnsaid) return 'no password: set PGPASSWORD, or put it into the URL';
  return message.includes('denied for table')
    ? `${message}: give its tables to this user, or ${RESTORE}`
    : message;
}

/** Also for a refused user or a missing database, which may be a restart or a restore under way. */
function lostConnection(error: unknown, databaseName: string): ConnectionLostError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = withMend(message || code || String(error));
  return new ConnectionLostError(`${databaseName} cannot be reached: ${reason}`, { cause: error });
}

/** Destroys the socket of a connection: all its pending statements fail now. */
export function destroyConnection(client: ClientBase): void {
  (
    client as unknown as { connection: { stream: { destroy(): void } } }
  ).connection.stream.destroy();
}
