// `status` of an empty store, of one with content, and of one whose publish is pending or failed.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { runImport } from '../../src/commands/import/import.ts';
import { showStatus } from '../../src/commands/store/status.ts';
import { parseConfig } from '../../src/config.ts';
import { hideReviews } from '../../src/store/reviews/removals.ts';
import { claimPublishing } from '../../src/store/snapshots/snapshots.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { Workplace } from '../support/process.ts';
import { BUSINESS } from '../support/reviews.ts';
import { capture } from '../support/run-command.ts';
import { merge, record, storedReviews } from '../support/store.ts';
import { save, subscribe } from '../support/subscriptions.ts';

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
  await place.look(() => Promise.resolve());
});
afterEach(() => place.close());

const config = () => parseConfig({ ...place.environment, BASE_URL: 'https://reviews.example' });
const text = async () => (await capture(() => showStatus(config(), {}))).stdout;
const json = async (): Promise<unknown> =>
  JSON.parse((await capture(() => showStatus(config(), { json: true }))).stdout);

test('of an empty store', async () => {
  const store = place.databaseUrl.slice('sqlite:'.length);
  expect(await json()).toEqual({
    store,
    business: 'Unnamed business',
    example: false,
    base_url: null,
    reviews: { stored: 0, verified: 0, hidden: 0 },
    published: null,
    publishing: { status: 'pending', error: null },
    subscribers: [],
    waiting_requests: 0,
    sources: [],
    imports: [],
  });
  expect(await text()).toContain('published   nothing yet\n');
  expect(await text()).toContain('nothing was imported into this store\n');
});

test('of a store with content, subscribers and a later change that is pending', async () => {
  const reviews = [record(), record({ source_id: 'b', text: 'Quick.', verified: undefined })];
  const file = await place.write('a.json', { business: BUSINESS, reviews });
  await capture(() => runImport(config(), [file], {}));
  await place.look(async (database) => {
    await subscribe(database, [{ lease_seconds: 100_000 }], Date.now());
    await save(database, { callback: 'https://waiting.example/' });
  });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(await json()).toMatchObject({
    business: 'Harbor Heating',
    reviews: { stored: 2, verified: 1, hidden: 0 },
    published: { snapshot: 1, published_at: time, reviews_changed_at: time },
    publishing: { status: 'up to date' },
    subscribers: [{ topic: '/feed.xml', active: 1, pending_deliveries: 0 }],
    waiting_requests: 1,
    imports: [{ number: 1, outcome: 'published' }],
  });
  expect(await text()).toMatch(/^published +snapshot 1, since .*Z; reviews last changed .*Z$/m);
  expect(await text()).toMatch(/^subscribers 1, 1 of \/feed\.xml$/m);

  await place.look((database) => merge(database, [record({ rating: 1 })]));
  expect(await json()).toMatchObject({ publishing: { status: 'pending' } });
  await place.look(async (database) => {
    const ids = (await storedReviews(database)).map(({ id }) => id);
    await hideReviews(database, ids, 'error', { command: 'hide', operator: '', startedAtMs: 0 });
  });
  expect(await json()).toMatchObject({ reviews: { stored: 2, verified: 1, hidden: 1 } });
  expect(await text()).toMatch(/^reviews +2 stored, 1 of them verified, 1 of these hidden$/m);
  await place.look((database) => claimPublishing(database, 'p', Date.now(), Date.now() + 60_000));
  expect(await json()).toMatchObject({ publishing: { status: 'running' } });
  // The end of a claim by a clock that was ahead is invalid.
  await place.look(({ read }) =>
    read
      .updateTable('state')
      .set({ publisher_until: Date.now() * 2 })
      .execute(),
  );
  expect(await json()).toMatchObject({ publishing: { status: 'pending' } });
});
