// A store that an earlier version made is served by this one: nothing is lost, ids stay, and what did not change
// keeps its validators. `test/stores/make.ts` made the stores.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { migrationProvider } from '../../src/store/migrations.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { createPostgresDatabase, sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { Workplace } from '../support/process.ts';
import { type Answers, answersAt } from '../stores/answers.ts';

const STORES = join(import.meta.dirname, '../stores');
/** Deleted tables, and Kysely's own. */
const TRANSIENT = [
  'hub_clients',
  'kysely_migration',
  'kysely_migration_lock',
  'session_ends',
  'sqlite_sequence',
];
/** Documents that only the reviews determine. */
const OF_REVIEWS = /^\/(?:reviews\.json|api\/reviews\/(?:since\/|[0-9A-Z]{26}$))/;

type Row = Record<string, unknown>;
type Rows = Record<string, Row[]>;

let folder: string;
let place: Workplace | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-older-'));
});
afterEach(async () => {
  await place?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The rows of a store by table, as its own version wrote them. */
async function unpack(name: string): Promise<{ path: string; rows: Rows; migrations: string[] }> {
  const path = join(folder, 'older.db');
  await writeFile(path, gunzipSync(await readFile(join(STORES, `${name}.db.gz`))));
  const database = new DatabaseSync(path);
  const select = (text: string) => database.prepare(text).all() as Row[];
  const tables = select(`select name from sqlite_schema where type = 'table'`);
  const rows = Object.fromEntries(
    tables.map(({ name: table }) => [String(table), select(`select * from "${String(table)}"`)]),
  );
  database.close();
  return { path, rows, migrations: rows['kysely_migration']!.map((row) => String(row['name'])) };
}

/** The same store on PostgreSQL: the schema that its version had, and its rows. */
async function toPostgres(rows: Rows, migrations: readonly string[]): Promise<TestDatabase> {
  const database = await createPostgresDatabase('template0');
  const { dialect, columns } = await openPostgres(database.url, 'command', 1_000);
  // oxlint-disable-next-line typescript/no-explicit-any -- the schema of an earlier version
  const db = new Kysely<any>({ dialect });
  const migrator = new Migrator({ db, provider: migrationProvider(columns) });
  const { error } = await migrator.migrateTo(migrations.at(-1)!);
  if (error !== undefined) throw error;
  await db.deleteFrom('state').execute();
  for (const [table, ofTable] of Object.entries(rows)) {
    if (/^(?:kysely|sqlite)_/.test(table)) continue;
    for (const row of ofTable) await db.insertInto(table).values(row).execute();
  }
  await db.destroy();
  return database;
}

test.each(['migration-0007'])('the store %s is served', async (name) => {
  const { path, rows, migrations } = await unpack(name);
  const recorded = JSON.parse(await readFile(join(STORES, `${name}.json`), 'utf8')) as Answers;
  expect(Object.entries(rows).filter(([, { length }]) => length === 0)).toEqual([]);
  place = await Workplace.open(() =>
    inject('database') === 'postgres' ? toPostgres(rows, migrations) : sqliteDatabase(path),
  );

  await place.look(async ({ read }) => {
    for (const [table, before] of Object.entries(rows)) {
      if (TRANSIENT.includes(table)) continue;
      const columns = Object.keys(before[0]!);
      const after = await read
        .selectFrom(table as 'reviews')
        .select(columns as 'id'[])
        .execute();
      expect({ table, rows: sorted(after) }).toEqual({ table, rows: sorted(before) });
    }
  });

  const server = await place.serve({ BASE_URL: 'https://reviews.example' });
  const answers = await answersAt(server.url, Object.keys(recorded));
  for (const [asked, before] of Object.entries(recorded)) {
    const after = answers[asked]!;
    if (OF_REVIEWS.test(asked) || after.sha256 === before.sha256) {
      expect({ asked, ...after }).toEqual({ asked, ...before });
    } else {
      expect(after.etag).not.toBe(before.etag);
      expect(Date.parse(after.last_modified)).toBeGreaterThan(Date.parse(before.last_modified));
    }
  }
  expect(await server.stop()).toBe(0);
});

/** Rows in an order of their own, with bytes as text, which both databases have in common. */
function sorted(rows: readonly object[]): string[] {
  return rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row).map(([column, value]) => [
          column,
          value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
        ]),
      ),
    )
    .toSorted();
}
