// A publish follows the settings for people of the server, and other commands keep them.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_PEOPLE, describePeople, type PeopleSettings } from '../../src/model/people.ts';
import { load } from '../../src/publishing/load.ts';
import { publish } from '../../src/publishing/publish.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { SnapshotQueries } from '../../src/snapshot/queries.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing, loadCurrentManifest } from '../../src/store/snapshots/snapshots.ts';
import { requestPublish } from '../../src/store/state.ts';
import { BUSINESS } from '../support/reviews.ts';
import { merge, record, TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

let seconds = 0;
async function publishWith(people: PeopleSettings | null) {
  seconds += 10;
  await requestPublish(database);
  expect(await claimPublishing(database, 'p', seconds * 1000, seconds * 1000 + 500)).toBe(true);
  const publishing = { publisherId: 'p', defaultOrigin: 'https://reviews.example', people };
  await publish(database, publishing, 1_700_000_000 + seconds);
  const loaded = await load(database);
  const queries = new SnapshotQueries(new Snapshot(loaded!));
  const manifest = JSON.parse((await loadCurrentManifest(database.read)) as string) as Manifest;
  return {
    recorded: manifest.people,
    named: queries.entities.technicians.map(({ name }) => name),
    listed: queries.businessRecord.technicians.length,
  };
}

test('the settings of people are recorded, and kept by a publish that has none', async () => {
  await merge(database, [record({ text: 'Mike fixed the boiler.' })], { business: BUSINESS });
  const auto = { recorded: describePeople(DEFAULT_PEOPLE), named: ['Mike Alvarez'], listed: 2 };
  expect(await publishWith(null)).toEqual(auto);
  const off: PeopleSettings = { ...DEFAULT_PEOPLE, mode: 'off' };
  const nobody = { recorded: describePeople(off), named: [], listed: 0 };
  expect(await publishWith(off)).toEqual(nobody);
  expect(await publishWith(null)).toEqual(nobody);
  expect(await publishWith(DEFAULT_PEOPLE)).toEqual(auto);
});
