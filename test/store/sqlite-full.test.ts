// A full disk, simulated by limiting the pages of the database.

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { load } from '../../src/publishing/load.ts';
import { publish } from '../../src/publishing/publish.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing, loadState } from '../../src/store/snapshots.ts';
import { merge, record, storedReviews, TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

/** Limits the growth of the database to a number of 4 KiB pages. */
async function leaveRoom(pages: number): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.read);
  await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + pages)}`.execute(
    database.read,
  );
}

const MANY = Array.from({ length: 2_000 }, (_, number) =>
  record({ source_id: `many-${number}`, text: `Fixed the boiler, number ${number}.`.repeat(5) }),
);

test('fails a merge with a message that says so, and the store is unchanged', async () => {
  await merge(database, [record({ source_id: 'first' })]);
  const before = { reviews: await storedReviews(database), state: await loadState(database.read) };
  await leaveRoom(20);
  await expect(merge(database, MANY)).rejects.toThrow('is full: nothing was changed');
  expect(await storedReviews(database)).toEqual(before.reviews);
  expect(await loadState(database.read)).toEqual(before.state);

  await leaveRoom(100_000);
  expect(await merge(database, MANY)).toMatchObject({ added: 2_000 });
});

test('fails a publish, which stays pending and succeeds when there is space', async () => {
  await merge(database, MANY);
  const publisher = 'me';
  const publishing = { publisher, defaultOrigin: 'https://reviews.example' };
  await claimPublishing(database, publisher, 0, 1);
  await leaveRoom(2);
  await expect(publish(database, publishing, 1)).rejects.toThrow('is full: nothing was changed');
  expect(await loadState(database.read)).toMatchObject({
    publishedVersion: 0,
    snapshotNumber: null,
  });

  await leaveRoom(100_000);
  await publish(database, publishing, 1);
  expect(await loadState(database.read)).toMatchObject({ publishedVersion: 2, snapshotNumber: 1 });
  expect((await load(database))?.manifest.number).toBe(1);
});
