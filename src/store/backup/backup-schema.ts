// Checks that the tables of a backup are those of a store, with values of their types. SQLite would store anything in
// any column, and a file that somebody made by hand may have anything.

import type { DatabaseSync } from 'node:sqlite';
import { show } from '../../errors.ts';

const OWN_TABLE = 'backup';
const ONE_ROW = ['state', 'log_state'];

/**
 * What no backup has, or null: a view could be read without end, a trigger would run, and a computed column could
 * take any time and memory.
 */
export function foreignPart(file: DatabaseSync): string | null {
  const other = file
    .prepare(
      `select case when type = 'table' then 'virtual table' else type end as type, name from sqlite_schema
        where type in ('view', 'trigger') or (type = 'table' and rootpage = 0)`,
    )
    .get();
  if (other) return `the ${String(other['type'])} ${show(other['name'])}`;
  const computed = file
    .prepare(
      `select tables.name as "table", columns.name as "column" from sqlite_schema as tables,
        pragma_table_xinfo(tables.name) as columns where tables.type = 'table' and columns.hidden <> 0`,
    )
    .get();
  if (!computed) return null;
  return `the computed column ${show(computed['column'])} of ${show(computed['table'])}`;
}

/** How the tables of a file differ from those of a new store, or how their values differ from their types. Or null. */
export function foreignContent(file: DatabaseSync, fresh: DatabaseSync): string | null {
  const tables = tablesOf(fresh);
  const strange = tablesOf(file).find((name) => name !== OWN_TABLE && !tables.includes(name));
  if (strange !== undefined) return `it has the table ${show(strange)}, which no store has`;
  for (const table of tables) {
    const [expected, found] = [describe(fresh, table), describe(file, table)];
    if (found.length === 0) return `it has no table ${table}`;
    const missing = expected.find((line) => !found.includes(line));
    if (missing !== undefined) return `${table} has no ${missing}`;
    const more = found.find((line) => !expected.includes(line));
    if (more !== undefined) return `${table} has a ${show(more)}, which no store has`;
    const wrong = wrongValue(file, table);
    if (wrong !== null) return wrong;
  }
  for (const table of ONE_ROW) {
    const count = file.prepare(`select count(*) as count from "${table}"`).get()?.['count'];
    if (count !== 1) return `${table} has ${String(count)} rows instead of 1`;
  }
  return null;
}

function tablesOf(file: DatabaseSync): string[] {
  const rows = file
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`)
    .all();
  return rows.map(({ name }) => String(name));
}

/** The columns and unique keys of a table, a line each. */
function describe(file: DatabaseSync, table: string): string[] {
  const columns = file.prepare(`select * from pragma_table_xinfo(?)`).all(table);
  const keys = file
    .prepare(
      `select l.name, group_concat(coalesce(i.name, ''), ', ') as columns from pragma_index_list(?) as l,
        pragma_index_info(l.name) as i where l."unique" = 1 group by l.name order by 2`,
    )
    .all(table);
  return [
    ...columns.map(
      ({ name, type, notnull, pk }) =>
        `column ${String(name)} ${String(type).toLowerCase()}${notnull === 1 ? ' not null' : ''}${Number(pk) > 0 ? ' primary key' : ''}`,
    ),
    ...keys.map(({ columns: names }) => `unique key (${String(names)})`),
  ];
}

/** A value that is not of the type of its column; null if there is none. Reads the table once. */
function wrongValue(file: DatabaseSync, table: string): string | null {
  const columns = file.prepare(`select name, type from pragma_table_xinfo(?)`).all(table);
  const checks = columns.map(({ name, type }) => {
    const expected = storageOf(String(type));
    return `when typeof("${String(name)}") not in ('${expected}', 'null')
      then '${String(name)}: expected ${expected}, got ' || typeof("${String(name)}")`;
  });
  const found = file
    .prepare(
      `select problem from (select case ${checks.join(' ')} end as problem from "${table}")
        where problem is not null limit 1`,
    )
    .get();
  return found ? `${table}.${String(found['problem'])}` : null;
}

function storageOf(type: string): 'integer' | 'blob' | 'text' {
  if (/int/i.test(type)) return 'integer';
  return /blob/i.test(type) ? 'blob' : 'text';
}
