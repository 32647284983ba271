// Whether a server uses a store: it holds a lock beside an SQLite file, and listens to PostgreSQL.

import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Database, used } from './database.ts';
import { schemaOf } from '../model/schema-name.ts';
import { channelOf, isHeard } from './postgres/listener.ts';
import { isLocked } from './temporary-files.ts';

const LOCK = '-server';

/**
 * Holds a lock as long as this process lives, or until the returned function ends it. Several servers may. PostgreSQL
 * also tells `onChange` of what others store, and after each connect that it may have missed something.
 */
export function holdPresence(
  database: Database,
  onChange: () => void = () => undefined,
): () => Promise<void> | void {
  const path = database.fileBeside(LOCK);
  if (path === null) {
    const listener = database.listen(onChange);
    return () => listener.close();
  }
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
  const channel = channelOf(schemaOf(databaseUrl));
  return used((await Database.openAsIs(databaseUrl)).database, ({ read }) =>
    isHeard(read, channel),
  );
}
