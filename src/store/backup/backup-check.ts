// Checks a backup before it is restored: whoever made the file, a restore puts all of it into the store, or says in one
// line what is wrong.

import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { InputError, isUnavailable, withoutControls, messageOf } from '../../errors.ts';
import { type BackupInfo, digestTable, FORMAT } from './backup.ts';
import { foreignContent, foreignPart } from './backup-schema.ts';
import { TABLE_NAMES } from './copy-store.ts';
import { Database } from '../database.ts';
import { may } from '../inspect.ts';
import { isConstraint } from '../sqlite/sqlite-errors.ts';

const infoSchema = z.object({
  format: z.literal(FORMAT),
  version: z.string().regex(/^[\w.+-]{1,100}$/),
  made_at: z.iso.datetime(),
  tables: z.record(
    z.string().regex(/^[a-z_]{1,100}$/),
    z.object({ rows: z.int().min(0), digest: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});

/** What every format says. */
const anyInfoSchema = z.object({
  format: z.int().min(1),
  version: infoSchema.shape.version,
});

/** From a view or a computed column, it could take any time. */
const INFO_QUERY = `select info from backup where length(info) < 1000000
  and exists (select 1 from sqlite_schema where type = 'table' and name = 'backup' and rootpage > 0)
  and not exists (select 1 from pragma_table_xinfo('backup') where hidden <> 0)`;

/** Whether a file says that it is a backup, of any version. Does not check it. */
export function isBackup(path: string): boolean {
  return readInfo(path) !== null;
}

/** What a file says about itself; null if it is no backup. */
function readInfo(path: string): z.infer<typeof anyInfoSchema> | null {
  let file: DatabaseSync | null = null;
  try {
    // Opening a pipe would wait for somebody to write into it.
    if (!statSync(path).isFile()) return null;
    file = new DatabaseSync(path, { readOnly: true });
    const row = file.prepare(INFO_QUERY).get();
    return anyInfoSchema.loose().parse(JSON.parse(String(row?.['info'])));
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
  const said = readInfo(path);
  if (!existsSync(path)) throw new InputError(`${path}: no such file`);
  if (!said) {
    const expected = may(path, 'R_OK')
      ? 'expected a file that "backup" made, got another or a damaged one'
      : 'this user may not read it; as root give it to the user of the server, with chown';
    throw new InputError(`${path}: ${expected}`);
  }
  if (said.format > FORMAT) throw newerBackup(path, said.version);
  const { data: info } = infoSchema.safeParse(said);
  if (!info) throw damagedBackup(path, 'what it says about itself has another shape');
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    // First of all: what checks the file would run it.
    const foreign = foreignPart(file);
    if (foreign !== null) throw damagedBackup(path, `it has ${foreign}, which no backup has`);
    const [result] = file.prepare('pragma integrity_check(1)').all();
    const found = String(result?.['integrity_check']);
    if (found !== 'ok') throw damagedBackup(path, found);
    for (const [table, expected] of Object.entries(info.tables)) {
      const actual = digestTable(file, table);
      if (actual.rows !== expected.rows) {
        throw damagedBackup(path, `${table} has ${actual.rows} rows instead of ${expected.rows}`);
      }
      if (actual.digest !== expected.digest) throw damagedBackup(path, `${table} was altered`);
    }
    const unlisted = undigested(file, info);
    if (unlisted !== null) throw damagedBackup(path, `it has no digest of ${unlisted}`);
    return info;
  } catch (error) {
    throw error instanceof InputError ? error : damagedBackup(path, reasonOf(error), error);
  } finally {
    file.close();
  }
}

/**
 * Opens a copy of a backup that was checked, and migrates it to the schema of this version. A new store is made
 * beside it for comparison.
 *
 * @param path Names the backup in messages.
 * @throws {InputError} if it has other tables or values than a store, or is newer than this program.
 */
export async function openBackupCopy(
  copy: string,
  path: string,
  { version }: BackupInfo,
): Promise<Database> {
  const url = `sqlite:${copy}`;
  const fresh = `${copy}.fresh`;
  // Only the copy is used, so what fails is in it, or is the disk.
  const explain = (error: unknown): never => {
    throw isUnavailable(error) ? error : damagedBackup(path, reasonOf(error), error);
  };
  const asIs = await Database.openAsIs(url).catch(explain);
  await asIs.database.close();
  if (asIs.version === 'newer') throw newerBackup(path, version);
  const backup = await Database.open(url).catch(explain);
  await (await Database.open(`sqlite:${fresh}`)).close();
  const problem = compare(copy, fresh);
  if (problem === null) return backup;
  await backup.close();
  throw damagedBackup(path, problem);
}

function compare(copy: string, fresh: string): string | null {
  const file = new DatabaseSync(copy, { readOnly: true });
  try {
    const model = new DatabaseSync(fresh, { readOnly: true });
    try {
      return foreignContent(file, model);
    } finally {
      model.close();
    }
  } finally {
    file.close();
  }
}

/** The operator's error for rows of a backup that the store refused; null for other errors. */
export function refusedRow(error: unknown, path: string): InputError | null {
  const { code } = (error ?? {}) as { code?: unknown };
  // PostgreSQL: a value that is invalid or out of range, or a violated constraint.
  const isRefused = isConstraint(error) || /^2[23][0-9A-Z]{3}$/.test(String(code));
  return isRefused ? damagedBackup(path, reasonOf(error), error) : null;
}

/** A table that would be restored and could have been altered unnoticed. */
function undigested(file: DatabaseSync, { tables }: BackupInfo): string | null {
  for (const table of [...TABLE_NAMES, 'state', 'log_state']) {
    const exists = file
      .prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`)
      .get(table);
    if (exists && !(table in tables) && file.prepare(`select 1 from "${table}" limit 1`).get()) {
      return table;
    }
  }
  return null;
}

function newerBackup(path: string, version: string): InputError {
  return new InputError(
    `${path}: a newer version of this program made this backup (${version}): restore it with ` +
      'that version or a newer one',
  );
}

function reasonOf(error: unknown): string {
  return withoutControls(messageOf(error));
}

/** The operator's error for a backup that must not be restored. */
export function damagedBackup(path: string, reason: string, cause?: unknown): InputError {
  return new InputError(`${path}: the backup is damaged (${reason}): use another one`, { cause });
}
