// A store for a test, and merging records into it as an import does.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANY_DATE, parseRecord } from '../../src/intake/record.ts';
import { Database } from '../../src/store/database.ts';
import { type MergeOptions, Staging } from '../../src/store/merge/merge.ts';
import type { MergeCounts } from '../../src/store/merge/imports.ts';
import type { ReviewRow } from '../../src/store/reviews/review-rows.ts';
import { createDatabaseWithSchema, type TestDatabase } from './databases.ts';

export class TestStore {
  readonly folder: string;
  readonly #database: TestDatabase;
  readonly #databases: Database[] = [];

  private constructor(folder: string, database: TestDatabase) {
    this.folder = folder;
    this.#database = database;
  }

  static async create(): Promise<TestStore> {
    const folder = await mkdtemp(join(tmpdir(), 'public-reviews-store-'));
    return new TestStore(folder, await createDatabaseWithSchema(folder));
  }

  get url(): string {
    return this.#database.url;
  }

  /** Opens another connection to the store; closed with it. */
  async open(): Promise<Database> {
    const database = await Database.open(this.url);
    this.#databases.push(database);
    return database;
  }

  async close(): Promise<void> {
    await Promise.all(this.#databases.map((database) => database.close()));
    await this.#database.remove();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The key for ids of reviews without an id of their source. */
export const ID_KEY = 'key-of-tests';

/** A record of an import file with these values and defaults. */
export function record(values: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    source: 'google',
    author: 'Karen W.',
    rating: 5,
    date: '2024-05-17',
    text: 'Came on time and fixed the boiler.',
    verified: true,
    ...values,
  };
}

/** Merges records, in order, and those whose authors do not agree any more. */
export async function merge(
  database: Database,
  records: readonly Record<string, unknown>[],
  options: Partial<MergeOptions> = {},
  disagreed: readonly Record<string, unknown>[] = [],
): Promise<MergeCounts> {
  return Staging.use(database, async (staging) => {
    for (const each of [...records, ...disagreed]) {
      const parsed = parseRecord(each, { source: null, verifiedBy: null, dates: ANY_DATE }, ID_KEY);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
      await (disagreed.includes(each) ? staging.disagree(parsed.value) : staging.add(parsed.value));
    }
    return staging.merge({
      business: null,
      prune: false,
      dryRun: false,
      example: false,
      record: null,
      ...options,
    });
  });
}

/** Every stored review, verified or not, by id. */
export function storedReviews(database: Database): Promise<ReviewRow[]> {
  return database.read.selectFrom('reviews').selectAll().orderBy('id').execute();
}

/** The error of opening a database. */
export async function openingError(url: string): Promise<unknown> {
  try {
    await Database.open(url);
  } catch (error) {
    return error;
  }
  throw new Error('the database was opened');
}
