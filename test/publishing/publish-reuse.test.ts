// A publish that reuses stored data gives the same result as one from scratch, whatever changed before.

import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { publish } from '../../src/publishing/publish.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing, loadCurrentManifest } from '../../src/store/snapshots/snapshots.ts';
import { requestPublish } from '../../src/store/state.ts';
import { cases } from '../support/cases.ts';
import { BUSINESS } from '../support/reviews.ts';
import { merge, record, TestStore } from '../support/store.ts';
import { loadStoredSnapshot } from '../support/stored-snapshot.ts';

const TEXTS = [
  'Mike came on time and fixed the boiler. Great price!',
  'Zoe was rude and the bill was a disaster.',
  'The heat pump is loud. Nobody called back.',
  'Came with Mike again: the heat pump runs, and the heat pump is quiet.',
  null,
];

/** One import: reviews by their number, each with a text and stars. */
const anyImport = fc.array(
  fc.record({
    number: fc.nat({ max: 11 }),
    text: fc.constantFrom(...TEXTS),
    rating: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 1, maxLength: 6 },
);

async function publishAt(database: Database, seconds: number): Promise<Manifest> {
  expect(await claimPublishing(database, 'p', seconds * 1000, seconds * 1000 + 500)).toBe(true);
  const publishing = { publisherId: 'p', defaultOrigin: 'https://reviews.example' };
  await publish(database, publishing, 1_700_000_000 + seconds);
  return JSON.parse((await loadCurrentManifest(database.read)) as string) as Manifest;
}

async function indexOf(database: Database): Promise<Buffer> {
  const nameOf = (manifest: string) => [(JSON.parse(manifest) as Manifest).index];
  const snapshot = await loadStoredSnapshot(database, nameOf);
  return Buffer.from([...(snapshot?.parts.values() ?? [])][0] ?? []);
}

test('after any imports, reuse gives the same result as a publish from scratch', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyImport, { minLength: 2, maxLength: 4 }), async (imports) => {
      const store = await TestStore.create();
      try {
        const database = await store.open();
        let kept: Manifest | null = null;
        for (const [at, reviews] of imports.entries()) {
          const rows = reviews.map(({ number, text, rating }) =>
            record({ source_id: `s${number}`, text, rating }),
          );
          await merge(database, rows, { business: BUSINESS });
          kept = await publishAt(database, at * 10);
        }
        const index = await indexOf(database);
        await database.read.deleteFrom('analyses').execute();
        const renamed = sql<string>`replace(manifest, '"builder":"', '"builder":"another ')`;
        await database.read.updateTable('snapshots').set({ manifest: renamed }).execute();
        await requestPublish(database);
        const anew = await publishAt(database, 1000);
        expect(anew.index).not.toBe(kept?.index);
        expect(anew.documents).toEqual(kept?.documents);
        expect(anew.days).toEqual(kept?.days);
        expect((await indexOf(database)).equals(index)).toBe(true);
      } finally {
        await store.close();
      }
    }),
    { numRuns: cases(2) },
  );
});

test('without the results of the previous publish, or with damaged ones, a publish computes them anew', async () => {
  const store = await TestStore.create();
  try {
    const database = await store.open();
    const publishText = async (text: string, seconds: number) => {
      await merge(database, [record({ source_id: 's1', text })], { business: BUSINESS });
      return publishAt(database, seconds);
    };
    await merge(database, [record({ source_id: 's2', text: TEXTS[0] })], { business: BUSINESS });
    const { results = '' } = await publishText('Mike was on time.', 0);
    await database.read
      .updateTable('snapshot_parts')
      .set({ bytes: Buffer.from('damaged') })
      .where('name', '=', results)
      .execute();
    const second = await publishText('Mike was late.', 10);
    await database.read
      .deleteFrom('snapshot_parts')
      .where('name', '=', second.results ?? '')
      .execute();
    const third = await publishText('Mike was on time.', 20);
    const partOf = (name = '') => loadStoredSnapshot(database, () => [name]);
    expect((await partOf(third.results))?.parts.size).toBe(1);
    expect(third.number).toBe(3);
  } finally {
    await store.close();
  }
});
