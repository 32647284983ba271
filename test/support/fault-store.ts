// A published SQLite store that faults are tried on: each test gets a copy of the same files.

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { publish } from '../../src/publishing/publish.ts';
import { Database } from '../../src/store/database.ts';
import { claimPublishing, releasePublishing } from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';
import { BUSINESS } from './reviews.ts';
import { merge, record, storedReviews } from './store.ts';

export const ORIGIN = 'https://reviews.example';
export const PUBLISHER = { publisherId: 'p', defaultOrigin: ORIGIN };
/** Reviews in the store. */
export const STORED = 40;

/** Records of so many reviews; another edition has other and longer texts. */
export function recordsOf(count: number, edition = 1): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, number) =>
    record({
      source_id: `${number}`,
      text: `Edition ${edition}: Mike fixed boiler ${number}. `.repeat(edition ** 5).trim(),
    }),
  );
}

/** Publishes in this process, whoever held the claim before. */
export async function publishHere(database: Database): Promise<void> {
  await claimPublishing(database, PUBLISHER.publisherId, Date.now(), Date.now() + 60_000);
  try {
    await publish(database, PUBLISHER, Date.now() / 1000);
  } finally {
    await releasePublishing(database, PUBLISHER.publisherId).catch(() => undefined);
  }
}

/** What must not be lost. */
export async function contentOf(database: Database): Promise<object> {
  const state = await loadState(database.read);
  const parts = await database.read
    .selectFrom('snapshot_parts')
    .select(['name', 'hash'])
    .orderBy('name')
    .orderBy('sequence')
    .execute();
  return { state, parts, reviews: await storedReviews(database) };
}

/** The files of a store that was closed after its last write. */
export class FaultStore {
  readonly folder: string;
  readonly #template: string;
  #copies = 0;

  private constructor(folder: string) {
    this.folder = folder;
    this.#template = join(folder, 'template.db');
  }

  static async create(): Promise<FaultStore> {
    const store = new FaultStore(await mkdtemp(join(tmpdir(), 'public-reviews-faults-')));
    const database = await Database.open(`sqlite:${store.#template}`);
    await merge(database, recordsOf(STORED), { business: BUSINESS });
    await publishHere(database);
    await database.close();
    // Reverts the file to one without a write-ahead log, so that a copy of it is whole.
    const file = new DatabaseSync(store.#template);
    file.exec('pragma wal_checkpoint(truncate)');
    file.close();
    return store;
  }

  /** The path of a fresh copy. */
  async copy(): Promise<string> {
    this.#copies += 1;
    const path = join(this.folder, `copy-${this.#copies}.db`);
    await copyFile(this.#template, path);
    return path;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Whether what was imported is published. */
export async function isPublished(database: Database): Promise<boolean> {
  const { contentVersion, publishedVersion } = await loadState(database.read);
  return contentVersion === publishedVersion;
}

/** Rows for `test.each`, with what names them first: vitest shortens the members of objects. */
export function named<Row>(rows: readonly Row[], nameOf: (row: Row) => string): [string, Row][] {
  return rows.map((row) => [nameOf(row), row]);
}
