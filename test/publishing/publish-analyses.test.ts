// Publishing analyses a review once: the analysis is stored for the next publish.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../src/publishing/publish.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing, loadCurrentManifest } from '../../src/store/snapshots/snapshots.ts';
import { requestPublish } from '../../src/store/state.ts';
import { refuseInserts } from '../support/databases.ts';
import { BUSINESS } from '../support/reviews.ts';
import { merge, record, TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

async function publishAll(): Promise<void> {
  expect(await claimPublishing(database, 'p', 0, 5000)).toBe(true);
  await publish(
    database,
    { publisherId: 'p', defaultOrigin: 'https://reviews.example' },
    1_700_000_000,
  );
}

const manifest = () => loadCurrentManifest(database.read);

describe('an analysis', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      record({ source_id: `s${at}`, text: `Mike came ${at}.` }),
    );

  async function analyses(): Promise<Map<string, string>> {
    const rows = await database.read.selectFrom('analyses').selectAll().execute();
    return new Map(rows.map(({ key, analysis }) => [key, analysis]));
  }

  test('is made once: with ten new reviews among fifty, ten are analysed', async () => {
    await merge(database, many(50), { business: BUSINESS });
    await publishAll();
    const before = await analyses();
    expect(before.size).toBe(50);
    // A new analysis would be correct again.
    const mark = JSON.parse([...before.values()][0]!) as object;
    const marked = JSON.stringify({ ...mark, score: 0.01, sentiment: 'neutral' });
    await database.read.updateTable('analyses').set({ analysis: marked }).execute();
    await merge(database, many(60));
    await publishAll();
    const after = await analyses();
    expect(after.size).toBe(60);
    expect([...after.values()].filter((analysis) => analysis === marked)).toHaveLength(50);
  });

  test('that is stored is not stored again', async () => {
    await merge(database, many(20), { business: BUSINESS });
    await publishAll();
    await refuseInserts(database, 'analyses', 'stored again');
    await requestPublish(database);
    await publishAll();
    await merge(database, many(21));
    await expect(publishAll()).rejects.toThrow('stored again');
  });

  test('that is lost is made again, and no byte changes', async () => {
    await merge(database, many(20), { business: BUSINESS });
    await publishAll();
    const before = await manifest();
    await database.read.deleteFrom('analyses').execute();
    await requestPublish(database);
    await publishAll();
    expect(await manifest()).toEqual(before);
    expect((await analyses()).size).toBe(20);
  });

  test('is deleted with its review; a changed business deletes all', async () => {
    await merge(database, many(3), { business: BUSINESS });
    await publishAll();
    const before = await analyses();
    await merge(database, [record({ source_id: 's0', text: 'Other words.' })]);
    await publishAll();
    const after = await analyses();
    expect(after.size).toBe(3);
    expect([...after.keys()].filter((key) => before.has(key))).toHaveLength(2);
    await merge(database, [], { business: { ...BUSINESS, technicians: [] } });
    await publishAll();
    const last = await analyses();
    expect([last.size, [...last.keys()].filter((key) => after.has(key))]).toEqual([3, []]);
  });
});
