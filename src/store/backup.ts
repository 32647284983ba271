// Backups: a whole store, of either kind of database, in one SQLite file with a digest of its content.

import { createHash } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { InputError, show } from '../errors.ts';
import { type CopyListener, countRows, loadCopiedState, streamRows, TABLE_NAMES } from './copy.ts';
import { Database } from './database.ts';
import type { Executor } from './engine.ts';
import { explainErrors } from './sqlite-errors.ts';

/** The layout of the file, beside the schema of the store. */
const FORMAT = 1;

/** What a backup says about itself. */
export interface BackupInfo {
  readonly format: number;
  /** The version of the program that made it. */
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
    const insert = new Insert(file, table);
    for await (const row of streamRows(source, table)) {
      insert.run(row);
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
  new Insert(file, table).run(row);
  const digest = new Digest();
  digest.add(row);
  return digest.end();
}

/** Inserts rows that have the same columns. */
class Insert {
  readonly #file: DatabaseSync;
  readonly #table: string;
  #statement: StatementSync | null = null;

  constructor(file: DatabaseSync, table: string) {
    this.#file = file;
    this.#table = table;
  }

  run(row: Record<string, unknown>): void {
    const columns = Object.keys(row);
    this.#statement ??= this.#file.prepare(
      `insert into "${this.#table}" (${columns.map((column) => `"${column}"`).join(', ')})
        values (${columns.map(() => '?').join(', ')})`,
    );
    this.#statement.run(...(Object.values(row) as SQLInputValue[]));
  }
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

/** One digest of a whole backup. */
export function digestOf({ tables }: BackupInfo): string {
  const lines = Object.entries(tables)
    .map(([name, { rows, digest }]) => `${name} ${rows} ${digest}\n`)
    .toSorted();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/** What a file says about itself; null if it is no backup. Does not check it. */
export function readBackupInfo(path: string): BackupInfo | null {
  let file: DatabaseSync | null = null;
  try {
    file = new DatabaseSync(path, { readOnly: true });
    const row = file.prepare('select info from backup').get();
    return JSON.parse(String(row?.['info'])) as BackupInfo;
  } catch {
    return null;
  } finally {
    file?.close();
  }
}

/**
 * Reads a whole backup and compares it with its digests. The file is opened read-only.
 *
 * @throws {InputError} if it is no backup, or is damaged.
 */
export function checkBackup(path: string): BackupInfo {
  const info = readBackupInfo(path);
  if (!info) {
    throw new InputError(
      `${path}: expected a file that "backup" made, got another or a damaged one`,
    );
  }
  if (info.format > FORMAT) {
    throw new InputError(
      `${path}: a newer version of this program made this backup (${info.version}): restore it with ` +
        'that version or a newer one',
    );
  }
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const [result] = file.prepare('pragma integrity_check(1)').all();
    const found = String(result?.['integrity_check']);
    if (found !== 'ok') throw damaged(path, found);
    const foreign = foreignPart(file);
    if (foreign !== null) throw damaged(path, `it has ${foreign}, which no backup has`);
    for (const [table, expected] of Object.entries(info.tables)) {
      const digest = new Digest();
      for (const row of file.prepare(`select * from "${table}"`).iterate()) digest.add(row);
      const actual = digest.end();
      if (actual.rows !== expected.rows) {
        throw damaged(path, `${table} has ${actual.rows} rows instead of ${expected.rows}`);
      }
      if (actual.digest !== expected.digest) throw damaged(path, `${table} was altered`);
    }
    return info;
  } catch (error) {
    throw error instanceof InputError ? error : damaged(path, String(error), error);
  } finally {
    file.close();
  }
}

/** A view or a trigger, which no backup has: a view could be read without end, and a trigger would run. */
function foreignPart(file: DatabaseSync): string | null {
  const found = file
    .prepare(`select type, name from sqlite_schema where type in ('view', 'trigger')`)
    .get();
  return found ? `the ${String(found['type'])} ${show(found['name'])}` : null;
}

function damaged(path: string, reason: string, cause?: unknown): InputError {
  return new InputError(`${path}: the backup is damaged (${reason}): use another one`, { cause });
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
