// The state of the store: its one row, and what `serve` records in it.

import { resolve } from 'node:path';
import { type AuthorDisplay, isAuthorDisplay } from '../model/author-names.ts';
import type { Database } from './database.ts';
import { type Executor, CONTENT_LOCK } from './engine.ts';

export interface State {
  readonly origin: string | null;
  readonly authors: AuthorDisplay;
  readonly example: boolean;
  readonly contentVersion: number;
  readonly publishedVersion: number;
  readonly snapshotNumber: number | null;
  /** The content version of a removal whose texts may still be in the files; null if there is none. */
  readonly erasingVersion: number | null;
  /** When the last backup was made; null if none was. */
  readonly backedUpAtMs: number | null;
  /** Its absolute path; null also in stores of earlier versions. */
  readonly backedUpTo: string | null;
}

export async function loadState(executor: Executor): Promise<State> {
  const row = await executor.selectFrom('state').selectAll().executeTakeFirstOrThrow();
  return {
    origin: row.origin,
    authors: row.authors !== null && isAuthorDisplay(row.authors) ? row.authors : 'full',
    example: row.example === 1,
    contentVersion: row.content_version,
    publishedVersion: row.published_version,
    snapshotNumber: row.snapshot_number,
    erasingVersion: row.erasing_version,
    backedUpAtMs: row.backed_up_at,
    backedUpTo: row.backed_up_to,
  };
}

/**
 * Records the base URL of the server. A publish becomes pending if it differs from both the recorded and
 * the published one.
 */
export async function saveOrigin(
  database: Database,
  origin: string,
  publishedOrigin: string | null = null,
): Promise<void> {
  const increment = origin === publishedOrigin ? 0 : 1;
  await database.write(
    async (transaction) => {
      await transaction
        .updateTable('state')
        .set((set) => ({ origin, content_version: set('content_version', '+', increment) }))
        .where('origin', 'is distinct from', origin)
        .execute();
    },
    { notifies: 'state' },
  );
}

/**
 * Records how the settings show authors; null keeps what is recorded, so that a store that is moved without them does not
 * publish full names. Returns whether a name that is published must not be any more, for which a publish is pending.
 */
export function saveAuthors(database: Database, authors: AuthorDisplay | null): Promise<boolean> {
  if (authors === null) return Promise.resolve(false);
  return database.write(
    async (transaction) => {
      const isNew = authors !== (await loadState(transaction)).authors;
      await transaction
        .updateTable('state')
        .set((set) => ({ authors, content_version: set('content_version', '+', isNew ? 1 : 0) }))
        .where('authors', 'is distinct from', authors)
        .execute();
      return isNew && authors !== 'full';
    },
    { notifies: 'state' },
  );
}

export async function saveBackup(database: Database, atMs: number, path: string): Promise<void> {
  const values = { backed_up_at: atMs, backed_up_to: resolve(path) };
  await database.write(async (transaction) => {
    await transaction.updateTable('state').set(values).execute();
  });
}

/** Requests a publish although no content changed, for example after an update of the program. */
export async function requestPublish(database: Database): Promise<void> {
  await database.write(requestPublishIn, { notifies: 'state' });
}

export async function requestPublishIn(transaction: Executor): Promise<void> {
  await transaction
    .updateTable('state')
    .set((set) => ({ content_version: set('content_version', '+', 1) }))
    .execute();
}

/** Deletes the example business and its reviews; returns false if the store does not have it. */
export async function removeExample(database: Database): Promise<boolean> {
  return database.write(
    async (transaction) => {
      const { example } = await loadState(transaction);
      if (!example) return false;
      await transaction.deleteFrom('reviews').execute();
      await transaction.deleteFrom('business').execute();
      await transaction.updateTable('state').set({ example: 0 }).execute();
      await requestPublishIn(transaction);
      return true;
    },
    { lock: CONTENT_LOCK, notifies: 'state' },
  );
}
