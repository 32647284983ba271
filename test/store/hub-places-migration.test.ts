// The migration of a store without domains and ranks.

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { TestStore } from '../support/store.ts';
import { save, storedIntents, storedSubscriptions, subscribe } from '../support/subscriptions.ts';

const ADDED = {
  subscriptions: ['domain', 'network', 'unproven', 'rank'],
  intents: ['domain', 'network', 'turn'],
  denials: ['domain', 'network'],
  // Of later migrations.
  reviews: ['verified_level', 'verified_at', 'title', 'location', 'attributes', 'ratings'],
  state: ['authors', 'erasing_version', 'forgotten', 'backed_up_at', 'backed_up_to'],
};
const INDEXES = [
  'reviews_by_author',
  'subscriptions_pending',
  'subscriptions_by_domain',
  'intents_by_domain',
  'intents_by_turn',
];

/** The tables of later migrations. */
const LATER_TABLES = [
  'imports',
  'log_state',
  'log_bundles',
  'log_reviews',
  'log_cosignatures',
  'witnessed_logs',
  'suppressions',
  'hidden_reviews',
  'review_history',
  'review_identities',
  'sources',
  'proposals',
];

/** The tables that later migrations drop. */
const DROPPED_TABLES = ['session_ends', 'hub_clients'];

let store: TestStore;
beforeEach(async () => {
  store = await TestStore.create();
});
afterEach(() => store.close());

/** Reverts the migration and the later ones. */
async function undo(database: Database): Promise<void> {
  const { read } = database;
  for (const index of INDEXES) await read.schema.dropIndex(index).execute();
  for (const [table, columns] of Object.entries(ADDED)) {
    for (const column of columns) {
      await read.schema.alterTable(table).dropColumn(column).execute();
    }
  }
  for (const name of ['snapshot', 'since']) {
    const table = read.schema.alterTable('subscriptions');
    await table.renameColumn(`pending_${name}`, `owed_${name}`).execute();
  }
  await sql`create index subscriptions_owed on subscriptions (failures, owed_since)`.execute(read);
  for (const column of ['logo', 'icon', 'header']) {
    await read.schema.alterTable('business').dropColumn(column).execute();
  }
  for (const table of LATER_TABLES) await read.schema.dropTable(table).execute();
  for (const table of DROPPED_TABLES)
    await read.schema.createTable(table).addColumn('id', 'text').execute();
  await sql`delete from kysely_migration where name >= '0007'`.execute(read);
}

test('the host becomes the domain, and subscriptions are ranked by their order', async () => {
  const before = await Database.open(store.url);
  const callbacks = ['https://a.example/1', 'https://b.example/1', 'https://a.example/2'];
  for (const [index, callback] of callbacks.entries()) {
    await subscribe(before, [{ callback }], index);
  }
  await before.write((transaction) =>
    transaction
      .updateTable('subscriptions')
      .set({ failures: 1 })
      .where('host', '=', 'b.example')
      .execute(),
  );
  await save(before, { callback: 'https://c.example/' });
  await undo(before);
  await before.close();

  const database = await store.open();
  const rows = await storedSubscriptions(database);
  expect(
    rows.map(({ callback, domain, network, rank, unproven }) => [
      callback,
      domain,
      network,
      rank,
      unproven,
    ]),
  ).toEqual([
    ['https://a.example/1', 'a.example', null, 1, 0],
    ['https://b.example/1', 'b.example', null, 1, 1],
    ['https://a.example/2', 'a.example', null, 2, 0],
  ]);
  expect(await storedIntents(database)).toMatchObject([
    { domain: 'c.example', network: null, turn: 0 },
  ]);
});
