// Looks at a store without creating, migrating or changing it.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { countRows, type Executor } from './engine.ts';
import { loadStatus, type StoreStatus } from './status.ts';

/** What the file system says about an SQLite store. */
export interface StoreFile {
  readonly path: string;
  readonly exists: boolean;
  readonly bytes: number;
  readonly walBytes: number;
  readonly freeBytes: number;
  /** Permission bits of the file. */
  readonly mode: number;
  readonly isWritable: boolean;
}

/** Of the files of a store: root may have made any of them. */
const ENDINGS = ['', '-wal', '-shm', '-wal-of', '-signed', '-server'];

export function inspectFile(path: string): StoreFile {
  const exists = existsSync(path);
  const folder = nearestFolder(path);
  const { bavail, bsize } = statfsSync(folder);
  const stat = exists ? statSync(path) : null;
  return {
    path,
    exists,
    bytes: stat?.size ?? 0,
    walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    freeBytes: bavail * bsize,
    mode: (stat?.mode ?? 0) & 0o777,
    isWritable: [folder, ...ENDINGS.map((ending) => path + ending)].every(
      (each) => !existsSync(each) || may(each, 'W_OK'),
    ),
  };
}

function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? folder : nearestFolder(folder);
}

/** Whether this user may read a file, or write it. */
export function may(path: string, mode: 'R_OK' | 'W_OK'): boolean {
  try {
    accessSync(path, constants[mode]);
    return true;
  } catch {
    return false;
  }
}

export interface StoreInspection {
  /** What is wrong with the database file; null if nothing is, or if the database checks itself. */
  readonly damage: string | null;
  /** Why the database does not let this user write; null if it does. A file is inspected apart. */
  readonly obstacle: string | null;
  readonly kind: Database['kind'];
  /** How far this machine's clock is ahead of the database's; 0 for a file. */
  readonly clockAheadMs: number;
  readonly sizeBytes: number;
  readonly status: StoreStatus;
  /** Reviews that recorded imports added since `sinceMs`. */
  readonly addedRecently: number;
  /** Bytes that the store has grown by since then; null if it is younger. */
  readonly grownBytes: number | null;
  /** Subscriptions whose last delivery failed. */
  readonly failing: number;
}

/** Imports that are looked at; no more are kept. */
const MOST_IMPORTS = 1_000;

/** Loads everything that `doctor` checks. `nowMs` is this machine's clock. */
export async function inspectStore(
  database: Database,
  { nowMs, sinceMs }: { readonly nowMs: number; readonly sinceMs: number },
): Promise<StoreInspection> {
  const isFile = database.kind === 'sqlite';
  const damage = isFile ? await checkIntegrity(database.read) : null;
  const status = await loadStatus(database, MOST_IMPORTS, nowMs);
  const recent = status.imports.filter(({ startedAtMs }) => startedAtMs >= sinceMs);
  const added = recent.reduce((sum, { report }) => sum + (report.counts?.added ?? 0), 0);
  // With more imports than are kept, the growth is at least this.
  const isYoung = recent.length === status.imports.length && recent.length < MOST_IMPORTS;
  const sizeBytes = await loadSize(database.read, isFile);
  const subscriptions = database.read.selectFrom('subscriptions').where('expires_at', '>', nowMs);
  return {
    damage,
    kind: database.kind,
    obstacle: isFile ? null : await findObstacle(database.read),
    clockAheadMs: isFile ? 0 : Date.now() - (await loadClock(database.read)),
    sizeBytes,
    status,
    addedRecently: added,
    grownBytes: isYoung ? null : (sizeBytes * added) / Math.max(status.reviews, 1),
    failing: await countRows(subscriptions.where('failures', '>', 0)),
  };
}

/** What is wrong with the file of SQLite; null if nothing is. */
export async function checkIntegrity(read: Executor): Promise<string | null> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(read);
  const found = rows[0]?.quick_check ?? 'no answer';
  return found === 'ok' ? null : found;
}

/** Why PostgreSQL would refuse writes. */
async function findObstacle(read: Executor): Promise<string | null> {
  const { rows } = await sql<{ obstacle: string | null }>`
    select case when pg_is_in_recovery() then 'it is a standby'
      when current_setting('default_transaction_read_only') = 'on' then 'its transactions are read-only by default'
      when not has_database_privilege(current_database(), 'temporary') then 'this user may not create temporary tables'
      else 'this user may not write the tables ' || (select string_agg(distinct tablename, ', ')
        from pg_tables, unnest(array['select', 'insert', 'update', 'delete']) as privilege
        where schemaname = current_schema() and not has_table_privilege(
          quote_ident(schemaname) || '.' || quote_ident(tablename), privilege)) end as obstacle`.execute(
    read,
  );
  return rows[0]?.obstacle ?? null;
}

/** Takes the locks that an import and a publish take. @throws {UnavailableError} if another process keeps them. */
export async function tryToWrite(database: Database): Promise<void> {
  await database.write(async (transaction) => {
    if (database.kind === 'sqlite') return;
    await sql`lock table reviews, state, imports in row exclusive mode`.execute(transaction);
    await transaction.selectFrom('state').select('id').forUpdate().execute();
  });
}

/** The sessions of PostgreSQL that may keep others from writing, by their process ids; null if there are none. */
export async function loadLockers(read: Executor): Promise<string | null> {
  const { rows } = await sql<{ pids: string | null }>`
    select string_agg(distinct pid::text, ', ') as pids from pg_locks join pg_stat_activity using (pid)
      where granted and pid <> pg_backend_pid() and datname = current_database()
        and relation in ('reviews'::regclass, 'state'::regclass, 'imports'::regclass)
        and mode <> 'AccessShareLock'`.execute(read);
  return rows[0]?.pids ?? null;
}

async function loadClock(read: Executor): Promise<number> {
  const { rows } = await sql<{ ms: string }>`
    select (extract(epoch from clock_timestamp()) * 1000)::text as ms`.execute(read);
  return Number(rows[0]?.ms);
}

export async function loadSize(read: Executor, isFile: boolean): Promise<number> {
  const query = isFile
    ? sql<{ size: number }>`select page_count * page_size as size
        from pragma_page_count(), pragma_page_size()`
    : sql<{ size: number }>`select sum(pg_total_relation_size(pg_class.oid))::bigint as size
        from pg_class join pg_namespace as own on own.oid = relnamespace
          where nspname = current_schema() and relkind = 'r'`;
  return (await query.execute(read)).rows[0]?.size ?? 0;
}
