// Whether a server uses a store: it holds a lock beside an SQLite file, and has connections of its own to PostgreSQL.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { Database } from './database.ts';
import { isLocked } from './temporary-files.ts';

const LOCK = '-server';

/** The lock of a server of several sites, in their folder: it looks at a store that changed within a second. */
export const lockOfSites = (folder: string): string => join(folder, '.server');

export function holdPresence(database: Database): () => void {
  const path = database.fileBeside(LOCK);
  return path === null ? () => undefined : holdLock(path);
}

/** Holds a lock as long as this process lives, or until the returned function ends it. Several servers may. */
export function holdLock(path: string): () => void {
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

export const isHeld = (path: string): boolean => existsSync(path) && isLocked(path);

export async function isServed(databaseUrl: string): Promise<boolean> {
  if (databaseUrl.startsWith('sqlite:')) {
    return isHeld(databaseUrl.slice('sqlite:'.length) + LOCK);
  }
  const { database } = await Database.openAsIs(databaseUrl);
  try {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and application_name in ('public-reviews server', 'public-reviews listener')`.execute(
      database.read,
    );
    return rows.length > 0;
  } finally {
    await database.close();
  }
}
