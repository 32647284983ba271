// Connections to PostgreSQL that never keep anybody waiting: what is not answered within a time limit
// fails, and its connection is closed.

import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg';
import type Cursor from 'pg-cursor';
import { UnavailableError } from '../errors.ts';

/** Beyond the time limit of the database itself, which ends a statement and keeps the connection. */
const MARGIN_MS = 1_000;
/** For a connection that others use to become free. */
const PLACE_MS = 30_000;
/** For connections to close; those that hang are cut. */
const CLOSING_MS = 1_000;

export interface PoolSettings extends PoolConfig {
  /** Names the database in what is said when it is lost. */
  readonly place: string;
  /** Limits every statement, and every read of a cursor. */
  readonly statementMs: number;
}

/**
 * A pool for Kysely. Where the connection was lost, cannot be made or gives no answer, statements fail
 * with UnavailableError; whether a transaction that was just to be committed was, nobody knows then.
 */
export function openPool({ place, statementMs, ...settings }: PoolSettings): PostgresPool {
  const pool = new Pool({ ...settings, statement_timeout: statementMs });
  const limitMs = statementMs + MARGIN_MS;
  const places = new Places(settings.max ?? 1, place);
  const guarded = new WeakMap<PoolClient, GuardedClient>();
  const open = new Set<PoolClient>();
  // A connection that fails while nobody uses it is replaced at the next use.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // One that fails while it is used fails its statement too.
    client.on('error', () => undefined);
    open.add(client);
  });
  pool.on('remove', (client) => open.delete(client));
  return {
    options: {},
    async connect() {
      await places.take();
      const client = await pool.connect().catch((error: unknown) => {
        places.give();
        throw lost(error, place);
      });
      const known =
        guarded.get(client) ?? new GuardedClient(client, limitMs, place, () => places.give());
      guarded.set(client, known);
      return known;
    },
    async end() {
      const cut = setTimeout(() => open.forEach(destroy), CLOSING_MS);
      await pool.end();
      clearTimeout(cut);
    },
  };
}

/** One connection. Once a statement was not answered it is of no use, and leaves the pool. */
class GuardedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #limitMs: number;
  readonly #place: string;
  readonly #onReleased: () => void;
  #failure: Error | null = null;

  constructor(client: PoolClient, limitMs: number, place: string, onReleased: () => void) {
    this.#client = client;
    this.#limitMs = limitMs;
    this.#place = place;
    this.#onReleased = onReleased;
  }

  /** Takes a statement, or a cursor for one. */
  readonly query = ((statement: string | Cursor, parameters: readonly unknown[]) =>
    typeof statement === 'string'
      ? this.#run(statement, parameters)
      : this.#limitReads(statement)) as PostgresPoolClient['query'];

  async #run(statement: string, parameters: readonly unknown[]): Promise<unknown> {
    // Who loses a connection rolls its transaction back; that must not hide what was lost.
    if (this.#failure && statement === 'rollback') return { command: 'ROLLBACK', rows: [] };
    if (this.#failure) throw this.#failure;
    return this.#limit(() => this.#client.query(statement, [...parameters]));
  }

  #limitReads(cursor: Cursor) {
    const started = this.#client.query(cursor);
    return {
      read: (count: number) => this.#limit(() => started.read(count)),
      close: async () => {
        // Closing one of a connection that was lost would wait for ever.
        if (!this.#failure) await this.#limit(() => started.close());
      },
    };
  }

  async #limit<T>(ask: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      this.#failure ??= lost(new Error(`no answer within ${this.#limitMs / 1000} s`), this.#place);
      destroy(this.#client);
    }, this.#limitMs);
    try {
      return await ask();
    } catch (error) {
      if (isAnswer(error)) throw error;
      this.#failure ??= lost(error, this.#place);
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

/** The connections that there may be. Waiting for one that others use is not waiting for PostgreSQL: a
 * crowd of requests may take longer than a connection may. */
class Places {
  readonly #place: string;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number, place: string) {
    this.#free = count;
    this.#place = place;
  }

  /** @throws {UnavailableError} where none became free in time. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(go);
        const waited = `no connection became free within ${PLACE_MS / 1000} s`;
        reject(new UnavailableError(`${this.#place} has too much to do: ${waited}`));
      }, PLACE_MS);
      this.#waiting.add(go);
    });
  }

  /** In the order in which they asked. */
  give(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/** Whether PostgreSQL itself said so, and will answer on. The class 57 but for a statement that it
 * ended itself says that it shuts down or starts. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const { code = '' } = error;
  return code === '57014' || !/^(?:08|57|53300)/.test(code);
}

function lost(error: unknown, place: string): Error {
  // That it refuses a user or has no such database is an answer too.
  if (isAnswer(error)) return error as Error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = message || code || String(error);
  return new UnavailableError(`${place} cannot be reached: ${reason}`, { cause: error });
}

/** Cuts a connection off: whoever waits for it fails now. */
function destroy(client: PoolClient): void {
  (
    client as unknown as { connection: { stream: { destroy(): void } } }
  ).connection.stream.destroy();
}
