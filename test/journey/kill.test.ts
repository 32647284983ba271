// An import that is killed at any moment: the reviews are as before or as after, never between, and
// what was merged gets published without another import.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { writeReviews } from '../support/generate.ts';
import { finish, type Server, Workplace } from '../support/process.ts';
import { randomFrom } from '../support/random.ts';

const ROUNDS = inject('database') === 'sqlite' ? 20 : 10;
const ORIGIN = { BASE_URL: 'https://reviews.example' };

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(() => place.close());

/** A file, how many reviews it has, and hashes of what is stored and served of it. */
interface Edition {
  readonly file: string;
  readonly count: number;
  stored: string;
  served: string;
}

/** A hash of every column of every stored review. */
async function storedReviews(): Promise<string> {
  // What a killed import had asked for may still come about.
  await place.database.settled();
  return place.look(async (database) => {
    const hash = createHash('sha256');
    const rows = database.read.selectFrom('reviews').selectAll().orderBy('id').stream(1000);
    for await (const row of rows) hash.update(JSON.stringify(row));
    return hash.digest('hex');
  });
}

async function servedReviews(server: Server): Promise<string> {
  const { reviews } = await server.json('/reviews.json');
  return createHash('sha256').update(JSON.stringify(reviews)).digest('hex');
}

test('an import killed at random moments leaves all or nothing, and all is published', async () => {
  const seed = Date.now() % 1_000_000;
  console.info(`seed ${seed}`);
  const random = randomFrom(seed);
  const editions: [Edition, Edition] = [
    { file: join(place.folder, 'a.ndjson'), count: 20_000, stored: '', served: '' },
    { file: join(place.folder, 'b.ndjson'), count: 20_300, stored: '', served: '' },
  ];
  let server = await place.serve(ORIGIN);
  const isServed = (edition: Edition) =>
    server.until('/api/reviews/search?limit=1', ({ matched }) => matched === edition.count);
  let durationMs = 0;
  for (const [index, edition] of editions.entries()) {
    await writeReviews(edition.file, edition.count, { edition: index + 1 });
    const start = performance.now();
    expect(await place.run('import', edition.file, '--prune')).toMatchObject({ code: 0 });
    durationMs = performance.now() - start;
    await isServed(edition);
    edition.stored = await storedReviews();
    edition.served = await servedReviews(server);
  }

  let now: 0 | 1 = 1;
  const outcomes = { before: 0, after: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    // Each in its own part of the whole duration, and a little beyond: no two runs take the same.
    const killMs = ((round + random()) / ROUNDS) * durationMs * 1.1;
    const what = `seed ${seed}, round ${round}, killed after ${Math.round(killMs)} of ${Math.round(durationMs)} ms`;
    const startsAfterwards = round % 5 === 4;
    if (startsAfterwards) expect(await server.stop()).toBe(0);
    const next: 0 | 1 = now === 0 ? 1 : 0;
    const child = place.start(['import', editions[next].file, '--prune']);
    const ended = finish(child);
    await Promise.race([sleep(killMs), ended]);
    child.kill('SIGKILL');
    await ended;
    const stored = await storedReviews();
    expect([editions[now].stored, editions[next].stored], what).toContain(stored);
    if (stored === editions[next].stored) {
      now = next;
      outcomes.after += 1;
    } else {
      outcomes.before += 1;
    }
    if (startsAfterwards) server = await place.serve(ORIGIN);
    await isServed(editions[now]);
    expect(await servedReviews(server), what).toBe(editions[now].served);
    expect(await storedReviews(), what).toBe(stored);
  }
  console.info('reviews as before or as after:', outcomes);
  expect(outcomes.before).toBeGreaterThan(0);
  expect(outcomes.after).toBeGreaterThan(0);
}, 300_000);
