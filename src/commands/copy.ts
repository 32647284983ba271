// Moves to another database: from one file to PostgreSQL, and back.

import { isDatabaseUrl, withoutPassword } from '../config.ts';
import { InputError, show } from '../errors.ts';
import { copyStore, isPristine } from '../store/copy.ts';
import { Database } from '../store/database.ts';

/**
 * Copies a store whole into an empty database; returns what to tell of it.
 *
 * @throws {InputError} where there is nothing to copy, or something in the target.
 */
export async function copyTo(
  fromUrl: string,
  toUrl: string,
  onProgress: (rows: number, rowsInAll: number) => void,
): Promise<string> {
  if (!isDatabaseUrl(toUrl)) {
    throw new InputError(
      `--to: expected "postgres://user:password@host:5432/database", or "sqlite:" and the path of ` +
        `a file, got ${show(withoutPassword(toUrl))}`,
    );
  }
  const from = await Database.open(fromUrl);
  try {
    if (await isPristine(from.read)) {
      throw new InputError(
        'DATABASE_URL: expected a database to copy, got one without anything in it, ' +
          show(withoutPassword(fromUrl)),
      );
    }
    const to = await Database.open(toUrl);
    try {
      const counts = await copyStore(from, to, onProgress);
      if (!counts) {
        throw new InputError(
          `--to: expected an empty database, got one that is in use, ${show(withoutPassword(toUrl))}`,
        );
      }
      const { reviews, subscriptions } = counts;
      return (
        `copied ${reviews} reviews, ${subscriptions} subscriptions, and what is published\n` +
        'start the server with this database as its DATABASE_URL now\n'
      );
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}
