// Compares the SQL of subscriptions with its oracle, test/support/subscription-model.ts, on random series of
// events. The seed is fixed here; test/long/subscriptions-model.test.ts uses new ones.

import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { TestStore } from '../support/store.ts';
import { compareWithModel } from '../support/subscription-events.ts';

let store: TestStore;
let database: Database;
beforeAll(async () => {
  store = await TestStore.create();
  database = await store.open();
  // Thousands of transactions; none has to survive a power cut.
  if (store.url.startsWith('sqlite:')) await sql`pragma synchronous = off`.execute(database.read);
});
afterAll(() => store.close());

test('the store does what the model says', async () => {
  await compareWithModel(database, { numRuns: 25, seed: 7 });
});
