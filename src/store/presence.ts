// Whether a server uses a store: it holds a lock beside an SQLite file, and has connections of its own to PostgreSQL.

import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { Database, used } from './database.ts';
import { LONGEST_NAME, schemaOf } from '../model/schema-name.ts';
import { isLocked } from './temporary-files.ts';

const LOCK = '-server';

/** Holds a lock as long as this process lives, or until the returned function ends it. Several servers may. */
export function holdPresence(database: Database): () => void {
  const path = database.fileBeside(LOCK);
  if (path === null) return () => undefined;
  try {
    const lock = new DatabaseSync(path, { timeout: 500 });
    // Of an empty database: a read transaction shares its lock.
    lock.exec('begin; select 1 from sqlite_schema');
    return () => lock.close();
  } catch {
    // A folder that cannot be written: the server goes on, and is not noticed.
    return () => undefined;
  }
}

export async function isServed(databaseUrl: string): Promise<boolean> {
  if (databaseUrl.startsWith('sqlite:')) {
    const path = databaseUrl.slice('sqlite:'.length) + LOCK;
    return existsSync(path) && isLocked(path);
  }
  const schema = schemaOf(databaseUrl);
  // PostgreSQL cuts longer names.
  const names = ['server', 'listener'].map((who) =>
    `public-reviews ${who}${schema === null ? '' : ` ${schema}`}`.slice(0, LONGEST_NAME),
  );
  return used((await Database.openAsIs(databaseUrl)).database, async ({ read }) => {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and application_name in (${sql.join(names)})`.execute(read);
    return rows.length > 0;
  });
}
