// A full disk, simulated by limiting the pages of the database.

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UnavailableError } from '../../src/errors.ts';
import { parseConfig } from '../../src/config.ts';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { HubEndpoint } from '../../src/hub/endpoint.ts';
import { load } from '../../src/publishing/load.ts';
import { publish } from '../../src/publishing/publish.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing } from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { merge, record, storedReviews, TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const full = () => {
  const path = store.url.slice('sqlite:'.length);
  return new UnavailableError(
    `the disk of ${path}, or the one for temporary files, is full: make room`,
  );
};

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

test('a merge fails as unavailable, and the store stays as it was', async () => {
  await merge(database, [record({ source_id: 'first' })]);
  const before = { reviews: await storedReviews(database), state: await loadState(database.read) };
  await leaveRoom(20);
  await expect(merge(database, MANY)).rejects.toThrow(full());
  expect(await storedReviews(database)).toEqual(before.reviews);
  expect(await loadState(database.read)).toEqual(before.state);

  await leaveRoom(100_000);
  expect(await merge(database, MANY)).toMatchObject({ added: 2_000 });
});

test('a publish fails as unavailable, stays pending, and succeeds when there is room', async () => {
  await merge(database, MANY);
  const publisher = 'me';
  const publishing = { publisherId: publisher, defaultOrigin: 'https://reviews.example' };
  await claimPublishing(database, publisher, 0, 1);
  await leaveRoom(2);
  await expect(publish(database, publishing, 1)).rejects.toThrow(full());
  expect(await loadState(database.read)).toMatchObject({
    publishedVersion: 0,
    snapshotNumber: null,
  });

  await leaveRoom(100_000);
  await publish(database, publishing, 1);
  expect(await loadState(database.read)).toMatchObject({ publishedVersion: 2, snapshotNumber: 1 });
  expect((await load(database))?.manifest.number).toBe(1);
});

test('the hub answers 503 with Retry-After, and accepts the request when there is room', async () => {
  const hub = new HubEndpoint(parseConfig({}).hub, new AddressPolicy([]), database);
  const server = await TestServer.open(await snapshotOf([review()]), { hub });
  let requests = 0;
  const subscribe = () => {
    requests += 1;
    return server.ask('/api/websub/hub', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.callback': `https://subscriber-${requests}.example/${'long'.repeat(200)}`,
        'hub.topic': 'https://reviews.example/feed.xml',
      }).toString(),
    });
  };
  try {
    await leaveRoom(0);
    let answer = await subscribe();
    for (let more = 0; answer.status === 202 && more < 200; more++) answer = await subscribe();
    const { status, headers, text } = answer;
    expect([status, headers['retry-after'], text]).toEqual([
      503,
      '60',
      'The hub cannot store requests at the moment. Try again in a minute.\n',
    ]);
    await leaveRoom(100);
    expect((await subscribe()).status).toBe(202);
  } finally {
    await server.close();
  }
});
