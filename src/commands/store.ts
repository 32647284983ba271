// Opens the store for a command. A store that did not exist is created and reported: a command that is
// run in the wrong folder would otherwise work on an empty one unnoticed.

import { storeName } from '../config.ts';
import { Database } from '../store/database.ts';

/** Opens the store at a URL for as long as `work` takes. */
export async function withDatabase<T>(
  databaseUrl: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await Database.open(databaseUrl);
  try {
    if (database.isNew) process.stderr.write(`created a new store: ${storeName(databaseUrl)}\n`);
    return await work(database);
  } finally {
    await database.close();
  }
}
