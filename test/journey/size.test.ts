// A large import while a server runs: readers are answered during the merge. test/long/size.test.ts measures
// memory and waiting times with half a million reviews.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeReviews } from '../support/generate.ts';
import { until } from '../support/patience.ts';
import { finish, type Server, Workplace } from '../support/process.ts';
import { record } from '../support/store.ts';

const MERGE_ONLY = fileURLToPath(new URL('../support/merge-only.ts', import.meta.url));
const COUNT = 2_500;
/** The pause of the reader between two reads. */
const READ_EVERY_MS = 5;

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(() => place.close());

test('readers are answered while an import merges, and see all of it or nothing', async () => {
  const known = await place.write('known.json', [record({ source: 'yelp' })]);
  expect(await place.run('import', known)).toMatchObject({ code: 0 });
  const server = await place.serve({ BASE_URL: 'https://reviews.example' });
  let rounds = 0;
  // A merge may end between two answers. Then there is another one.
  await until(async () => {
    const answersWhileMerging = await importBeside(server, `round-${rounds}`, 1 + rounds * COUNT);
    rounds += 1;
    return answersWhileMerging > 0;
  });
  expect(await server.stop()).toBe(0);
});

/** Imports reviews of a new source beside those that are stored; returns the number of answers during its merge. */
async function importBeside(server: Server, source: string, stored: number): Promise<number> {
  const file = join(place.folder, `${source}.ndjson`);
  // Few different texts, so that the server has little to analyse.
  await writeReviews(file, COUNT, { different: 300, source });
  const child = spawn(process.execPath, [MERGE_ONLY, place.databaseUrl, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [isMerging, answersWhileMerging] = [false, 0];
  child.stderr.once('data', () => (isMerging = true));
  const ended = finish(child);
  while (child.exitCode === null) {
    const wasMerging = isMerging;
    const { matched } = await server.json('/api/reviews/search?limit=1');
    expect([stored, stored + COUNT]).toContain(matched);
    if (wasMerging && child.exitCode === null) answersWhileMerging += 1;
    // Leaves the processor to the import.
    await sleep(READ_EVERY_MS);
  }
  expect(await ended).toMatchObject({ code: 0 });
  // Only the server can publish now.
  await server.until('/api/reviews/search', ({ matched }) => matched === stored + COUNT);
  return answersWhileMerging;
}
