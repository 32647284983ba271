// Backups: a whole store, of either kind of database, in one SQLite file with a digest of its content.

import { createHash } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CopyListener,
  countRows,
  loadCopiedState,
  streamRows,
  TABLE_NAMES,
} from './copy-store.ts';
import { Database } from '../database.ts';
import type { Executor } from '../engine.ts';
import { explainErrors } from '../sqlite/sqlite-errors.ts';

/** The layout of the file, beside the schema of the store. */
export const FORMAT = 1;

export interface BackupInfo {
  readonly format: number;
  readonly version: string;
  /** ISO 8601. */
  readonly made_at: string;
  readonly tables: Readonly<Record<string, TableDigest>>;
}

interface TableDigest {
  readonly rows: number;
  /** The sum of the SHA-256 of all rows, so that their order does not matter; hexadecimal. */
  readonly digest: string;
}

/**
 * Writes a backup to a path where no file is. It is one consistent view of the store, which may be in use.
 *
 * @throws {UnavailableError} if the disk is full.
 */
export async function writeBackup(
  store: Database,
  path: string,
  { version, nowMs }: { readonly version: string; readonly nowMs: number },
  onProgress: CopyListener,
): Promise<BackupInfo> {
  // Creates the file with the current schema.
  await (await Database.open(`sqlite:${path}`)).close();
  const file = new DatabaseSync(path);
  try {
    const tables = await store.readConsistently((source) =>
      explainAsync(path, () => copyTables(source, file, onProgress)),
    );
    const made_at = new Date(nowMs).toISOString();
    const info: BackupInfo = { format: FORMAT, version, made_at, tables };
    explainErrors(path, () => {
      file.exec('create table backup (info text not null)');
      file.prepare('insert into backup values (?)').run(JSON.stringify(info));
      file.exec('commit');
    });
    return info;
  } finally {
    file.close();
  }
}

async function copyTables(
  source: Executor,
  file: DatabaseSync,
  onProgress: CopyListener,
): Promise<Record<string, TableDigest>> {
  // `delete` is stored in the file: it can be read without a write-ahead log. Written without a journal: a
  // backup that is interrupted is deleted. The caller waits for the disk.
  file.exec('pragma journal_mode = delete; pragma journal_mode = off');
  file.exec('pragma synchronous = off; begin exclusive');
  const totalRows = Object.values(await countRows(source)).reduce((sum, count) => sum + count, 0);
  const tables: Record<string, TableDigest> = {};
  let copied = 0;
  for (const table of TABLE_NAMES) {
    const digest = new Digest();
    const insert = inserter(file, table);
    for await (const row of streamRows(source, table)) {
      insert(row);
      digest.add(row);
      copied += 1;
      onProgress(copied, totalRows);
    }
    tables[table] = digest.end();
  }
  const log = await source.selectFrom('log_state').selectAll().executeTakeFirstOrThrow();
  tables['state'] = replaceOnlyRow(file, 'state', { ...(await loadCopiedState(source)) });
  tables['log_state'] = replaceOnlyRow(file, 'log_state', { ...log });
  return tables;
}

/** Replaces the row that the migrations made. */
function replaceOnlyRow(
  file: DatabaseSync,
  table: 'state' | 'log_state',
  row: Record<string, unknown>,
): TableDigest {
  file.exec(`delete from ${table}`);
  inserter(file, table)(row);
  const digest = new Digest();
  digest.add(row);
  return digest.end();
}

/** Inserts rows that have the same columns. */
function inserter(file: DatabaseSync, table: string): (row: Record<string, unknown>) => void {
  let statement: StatementSync | null = null;
  return (row) => {
    const columns = Object.keys(row);
    statement ??= file.prepare(
      `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')})
        values (${columns.map(() => '?').join(', ')})`,
    );
    statement.run(...(Object.values(row) as SQLInputValue[]));
  };
}

/** A digest of rows that does not depend on their order, nor on the kind of database. */
class Digest {
  #rows = 0;
  #sum = 0n;

  add(row: Record<string, unknown>): void {
    const hash = createHash('sha256');
    for (const column of Object.keys(row).toSorted()) {
      const value = row[column];
      if (!(value instanceof Uint8Array)) hash.update(JSON.stringify([column, value]));
      else hash.update(JSON.stringify([column, value.length])).update(value);
    }
    this.#rows += 1;
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash.digest('hex')}`));
  }

  end(): TableDigest {
    return { rows: this.#rows, digest: this.#sum.toString(16).padStart(64, '0') };
  }
}

export function digestTable(file: DatabaseSync, table: string): TableDigest {
  const digest = new Digest();
  for (const row of file.prepare(`select * from "${table}"`).iterate()) digest.add(row);
  return digest.end();
}

export function digestOf({ tables }: BackupInfo): string {
  const lines = Object.entries(tables)
    .map(([name, { rows, digest }]) => `${name} ${rows} ${digest}\n`)
    .toSorted();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

async function explainAsync<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    return explainErrors(path, () => {
      throw error;
    });
  }
}
