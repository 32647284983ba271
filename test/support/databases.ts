// Empty databases for tests, SQLite or PostgreSQL as the test project says.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { inject } from 'vitest';
import { Database } from '../../src/store/database.ts';
import type { Schema } from '../../src/store/schema.ts';
import { until } from './patience.ts';
import { TEMPLATE } from './postgres-setup.ts';

const SQLITE_FILE = 'reviews.db';

export interface TestDatabase {
  readonly url: string;
  /** Copies the database while nobody has it open; a SQLite copy is a file in the folder. */
  copy(folder?: string): Promise<TestDatabase>;
  /** Waits until the sessions of killed processes have ended. */
  settled(): Promise<void>;
  remove(): Promise<void>;
}

/** Creates a database: a file in the folder, or one on the shared PostgreSQL server. */
export async function createDatabase(folder: string): Promise<TestDatabase> {
  if (inject('database') === 'postgres') return createPostgresDatabase();
  return createSqliteDatabase(folder);
}

/** Creates a database with the program's schema. */
export async function createDatabaseWithSchema(folder: string): Promise<TestDatabase> {
  // Those on PostgreSQL have it already.
  const database = await createDatabase(folder);
  if (inject('database') === 'sqlite') {
    migratedFile ??= migrate();
    await writeFile(join(folder, SQLITE_FILE), await migratedFile);
  }
  return database;
}

/** A new SQLite database, in bytes. Migrating takes five times as long as writing them. */
let migratedFile: Promise<Buffer> | undefined;

async function migrate(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-schema-'));
  const { url } = createSqliteDatabase(folder);
  await (await Database.open(url)).close();
  const bytes = await readFile(join(folder, SQLITE_FILE));
  await rm(folder, { recursive: true });
  return bytes;
}

/** Creates a SQLite database in the folder. */
export function createSqliteDatabase(folder: string): TestDatabase {
  return sqliteDatabase(join(folder, SQLITE_FILE));
}

export function sqliteDatabase(path: string): TestDatabase {
  return {
    url: `sqlite:${path}`,
    async copy(folder) {
      const target = folder === undefined ? `${path}.copy` : join(folder, SQLITE_FILE);
      // The file does not exist before the first open.
      if (existsSync(path)) await copyFile(path, target);
      return sqliteDatabase(target);
    },
    settled: () => Promise.resolve(),
    remove: () => rm(path, { force: true }),
  };
}

/** Creates a database with the program's schema, or an empty one from `template0`. */
export async function createPostgresDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // By default PostgreSQL writes the copy to its log, for twice the work.
  await administer(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    copy: () => createPostgresDatabase(name),
    async settled() {
      const busy = `select 1 from pg_stat_activity where datname = '${name}'
        and application_name = 'public-reviews command'`;
      await until(async () => (await administer(busy)).length === 0);
    },
    async remove() {
      await administer(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Runs a statement as the server's superuser, in the database of a URL. */
export async function administer(
  statement: string,
  url: string = inject('postgresUrl'),
): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Makes every insert into a table fail with a message. */
export async function refuseInserts(
  { read }: Database,
  table: keyof Schema,
  message: string,
): Promise<void> {
  const [into, why] = [sql.table(table), sql.lit(message)];
  if (inject('database') === 'sqlite') {
    await sql`create trigger refused before insert on ${into}
      begin select raise(abort, ${why}); end`.execute(read);
    return;
  }
  await sql`create function refuse() returns trigger language plpgsql
    as ${sql.lit(`begin raise exception '${message}'; end`)}`.execute(read);
  await sql`create trigger refused before insert on ${into}
    for each row execute function refuse()`.execute(read);
}
