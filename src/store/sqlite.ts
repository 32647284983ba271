// What is particular to SQLite: node:sqlite behind Kysely's dialect, its settings and its errors.

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Dialect, type SqliteDatabase, SqliteDialect } from 'kysely';

export interface SqliteOptions {
  /** Whether a commit on this connection may move what was written from the log to the file. */
  readonly checkpoints: boolean;
}

/** Opens (and creates) the file. No statement waits for a lock inside SQLite: that would stop the
 * event loop; `Database.write` waits outside. */
export function sqliteDialect(path: string, { checkpoints }: SqliteOptions): Dialect {
  mkdirSync(dirname(path), { recursive: true });
  // For its owner alone: it has secrets of subscribers, and reviews that are not published.
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  const pragmas = [
    'PRAGMA journal_mode = WAL',
    // An acknowledged change survives the power cut, not only the killed process.
    'PRAGMA synchronous = FULL',
    'PRAGMA cache_size = -32000',
    'PRAGMA journal_size_limit = 67108864',
    ...(checkpoints ? [] : ['PRAGMA wal_autocheckpoint = 0']),
  ];
  for (const pragma of pragmas) whileBusy(() => database.exec(pragma));
  return new SqliteDialect({ database: adapt(database) });
}

/** Kysely's dialect speaks the interface of another driver; this is that interface. */
function adapt(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => tellFull(() => statement.all(...values(parameters))),
        run: (parameters) => tellFull(() => statement.run(...values(parameters))),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
}

/** SQLite's own words for a full disk tell nobody what to do. */
function tellFull<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (primaryCode(error) !== 13) throw error;
    throw new Error('the disk, or the one for temporary files, is full: nothing was changed', {
      cause: error,
    });
  }
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
  // The low byte is the primary result code: https://sqlite.org/rescode.html
  return typeof code === 'number' ? code & 0xff : null;
}

/** Whether another connection holds the lock (SQLITE_BUSY in all its forms). */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5;
}

/** Whether the file is none that this program can use: SQLite's codes for read-only, cannot open and
 * not a database, and the file system's own. */
export function isUnusable(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return [8, 14, 26].includes(primaryCode(error) ?? 0) || /^E[A-Z]+$/.test(String(code));
}
