// A fuzzer of `restore`: files that somebody made by hand from a backup, with other tables, columns and values, signed
// anew as anybody can.

import { copyFile, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { InputError } from '../../src/errors.ts';
import { digestTable } from '../../src/store/backup/backup.ts';
import { TABLE_NAMES } from '../../src/store/backup/copy-store.ts';
import { randomFrom } from './random.ts';

type Random = () => number;
type Change = (file: DatabaseSync, random: Random) => void;

const TABLES = [...TABLE_NAMES, 'state', 'log_state', 'kysely_migration', 'backup'];

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)] as T;
}

function columnsOf(file: DatabaseSync, table: string): string[] {
  return file
    .prepare(`select name from pragma_table_info(?)`)
    .all(table)
    .map(({ name }) => String(name));
}

/** Values of every kind, as SQL. */
const VALUES = [
  'null',
  `''`,
  `'text'`,
  `'{}'`,
  `'[]'`,
  `'null'`,
  `'"'`,
  `char(0)`,
  `'a' || char(10) || 'b' || char(27) || '[31m'`,
  `cast(x'ff80' as text)`,
  `'1e999'`,
  '1.5',
  '-1',
  '0',
  '7',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '9e999',
  `x''`,
  `x'00ff'`,
  `zeroblob(300000)`,
  `hex(zeroblob(200000))`,
];

/** Removes all checks of a table from its schema. */
function loosen(file: DatabaseSync, table: string): void {
  file.exec(`drop table if exists loose; create table loose as select * from "${table}";
    drop table "${table}"; alter table loose rename to "${table}"`);
}

/** A change of a random table and one of its columns, in SQL. */
const inSql =
  (statement: (table: string, column: string, random: Random) => string): Change =>
  (file, random) => {
    const table = pick(TABLES, random);
    const column = pick(columnsOf(file, table), random) ?? 'id';
    file.exec(statement(table, column, random));
  };

/** Replaces what the backup says about itself. */
const saying =
  (change: (info: any, random: Random) => unknown): Change =>
  (file, random) => {
    const info = JSON.parse(String(file.prepare('select info from backup').get()?.['info']));
    file
      .prepare('update backup set info = ?')
      .run(JSON.stringify(change(info, random)) ?? 'undefined');
  };

const CHANGES: readonly Change[] = [
  inSql((table) => `drop table "${table}"`),
  inSql((table) => `alter table "${table}" rename to strange`),
  inSql((table) => `alter table "${table}" rename to "x""y; '"`),
  inSql((table, column) => `alter table "${table}" rename column "${column}" to strange`),
  inSql((table, column) => `alter table "${table}" drop column "${column}"`),
  inSql((table) => `alter table "${table}" add column strange`),
  inSql((table) => `alter table "${table}" add column n text not null default ''`),
  inSql((table) => `alter table "${table}" add column g as (hex(zeroblob(100)))`),
  inSql((table) => `alter table "${table}" rename to t; create view "${table}" as select * from t`),
  inSql((table) => `create view v as select * from "${table}"`),
  inSql((table) => `create trigger t after insert on "${table}" begin delete from reviews; end`),
  inSql((table, column) => `create index strange on "${table}" (lower("${column}"))`),
  inSql((table, column) => `create unique index strange on "${table}" ("${column}")`),
  inSql((table) => `drop table "${table}"; create virtual table "${table}" using fts5(a, b)`),
  inSql((table) => `drop table "${table}"; create table "${table}" (id integer primary key)`),
  inSql((table) => `drop table "${table}"; create table "${table}" (a, b, c) strict`),
  inSql((table) => `delete from "${table}"`),
  inSql((table) => `insert into "${table}" select * from "${table}"`),
  inSql((table, column, random) => `update "${table}" set "${column}" = ${pick(VALUES, random)}`),
  (file, random) => {
    const table = pick(TABLES, random);
    loosen(file, table);
    const column = pick(columnsOf(file, table), random);
    file.exec(`update "${table}" set "${column}" = ${pick(VALUES, random)};
      insert into "${table}" select * from "${table}"`);
  },
  inSql(
    (table) => `pragma writable_schema = on;
    update sqlite_schema set sql = replace(sql, ' not null', '') where name = '${table}';
    pragma writable_schema = off`,
  ),
  inSql(
    (_, __, random) =>
      `delete from kysely_migration where name > '00${10 + Math.floor(random() * 7)}'`,
  ),
  inSql(() => `update kysely_migration set name = upper(name)`),
  inSql(() => `pragma user_version = 99; pragma application_id = 7`),
  inSql(() => `drop table backup; create table backup (info); insert into backup values (null)`),
  saying(() => null),
  saying(() => []),
  saying(() => 'text'),
  saying((info) => ({ ...info, tables: {} })),
  saying((info) => ({ ...info, tables: null })),
  saying((info) => ({ ...info, tables: { ...info.tables, 'x" union select 1 --': 1 } })),
  saying((info) => ({ ...info, tables: { ...info.tables, reviews: { rows: -1, digest: 5 } } })),
  saying((info) => ({ ...info, tables: { ...info.tables, sqlite_schema: info.tables.reviews } })),
  saying((info) => ({ ...info, format: 'one' })),
  saying((info) => ({ ...info, version: '1\n2\u001b[31m' })),
  saying((info) => ({ ...info, made_at: 5 })),
];

/** Writes the digests that the tables have now, where they can be read. */
export function sign(file: DatabaseSync): void {
  const info = JSON.parse(String(file.prepare('select info from backup').get()?.['info']));
  for (const table of Object.keys(info.tables)) {
    try {
      info.tables[table] = digestTable(file, table);
    } catch {
      // Stays as it was.
    }
  }
  file.prepare('update backup set info = ?').run(JSON.stringify(info));
}

/** Makes a file with random changes of a backup. */
function makeByHand(path: string, random: Random): void {
  const file = new DatabaseSync(path);
  try {
    for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
      try {
        pick(CHANGES, random)(file, random);
      } catch {
        // Not with this table.
      }
    }
    try {
      if (random() < 0.8) sign(file);
    } catch {
      // It says nothing about itself any more.
    }
  } finally {
    file.close();
  }
}

/**
 * Restores files that were made by hand from a backup. Returns how many were restored and refused; throws on any other
 * outcome, with the seed. `fingerprint` identifies the content of the store.
 */
export async function fuzzRestore(
  backup: string,
  count: number,
  seed: number,
  restore: (path: string) => Promise<void>,
  fingerprint: () => string,
): Promise<{ restored: number; refused: number }> {
  const random = randomFrom(seed);
  const outcomes = { restored: 0, refused: 0 };
  let before = fingerprint();
  for (let number = 0; number < count; number++) {
    const path = `${backup}-${number}.db`;
    await copyFile(backup, path);
    makeByHand(path, random);
    try {
      await restore(path);
      outcomes.restored += 1;
      before = fingerprint();
    } catch (error) {
      const where = `seed ${seed}, file ${number}`;
      if (!(error instanceof InputError)) throw new Error(where, { cause: error });
      // eslint-disable-next-line no-control-regex
      if (!/^[^\n\u001b]+$/.test(error.message) || !error.message.startsWith(`${path}: `)) {
        throw new Error(`${where}: not one line about the file`, { cause: error });
      }
      if (fingerprint() !== before)
        throw new Error(`${where}: the store changed`, { cause: error });
      outcomes.refused += 1;
    }
    await rm(path);
  }
  return outcomes;
}
