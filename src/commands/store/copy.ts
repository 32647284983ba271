// `copy`: copies the whole store into another, empty database, as from an SQLite file to PostgreSQL.

import { isDatabaseUrl } from '../../config/environment.ts';
import { type Config, withoutPassword } from '../../config.ts';
import { InputError, show } from '../../errors.ts';
import { type CopyCounts, copyStore, isPristine } from '../../store/backup/copy.ts';
import { ProgressBar } from '../terminal/progress.ts';
import { withDatabase } from './store.ts';

/**
 * @param toUrl The other database, in the form of `DATABASE_URL`.
 * @throws {InputError} if there is nothing to copy, or if the other database is in use.
 */
export async function runCopy(config: Config, toUrl: string): Promise<void> {
  const bar = new ProgressBar();
  try {
    const onProgress = (rows: number, totalRows: number) => bar.update('copying', rows, totalRows);
    const { reviews, subscriptions } = await copyTo(config, toUrl, onProgress);
    bar.stop();
    process.stdout.write(
      `copied ${reviews} reviews, ${subscriptions} subscriptions, and what is published\n` +
        'now start the server with this database as its DATABASE_URL\n',
    );
  } finally {
    bar.stop();
  }
}

async function copyTo(
  from: Config,
  toUrl: string,
  onProgress: (rows: number, totalRows: number) => void,
): Promise<CopyCounts> {
  if (!isDatabaseUrl(toUrl)) {
    throw new InputError(
      `--to: expected "postgres://user:password@host:5432/database", or "sqlite:" and the path of ` +
        `a file, got ${show(withoutPassword(toUrl))}`,
    );
  }
  const target = { ...from, databaseUrl: toUrl };
  return withDatabase(from, async (source) => {
    if (await isPristine(source.read)) {
      throw new InputError(
        `DATABASE_URL: expected a database to copy, got an empty one, ${show(withoutPassword(from.databaseUrl))}`,
      );
    }
    return withDatabase(
      target,
      async (to) => {
        const counts = await copyStore(source, to, onProgress);
        if (counts) return counts;
        throw new InputError(
          `--to: expected an empty database, got one that is in use, ${show(withoutPassword(toUrl))}`,
        );
      },
      { creates: true },
    );
  });
}
