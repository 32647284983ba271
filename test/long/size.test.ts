// An import of half a million reviews beside a server: it is answered and written meanwhile, and the
// memory of reading and merging does not grow with the file.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { writeReviews } from '../support/generate.ts';
import { finish, type Server, Workplace } from '../support/process.ts';
import { record } from '../support/store.ts';

const MERGE_ONLY = fileURLToPath(new URL('../support/merge-only.ts', import.meta.url));
const ORIGIN = { BASE_URL: 'https://reviews.example' };

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(() => place.close());

/** Reads and merges in a process of its own, without publishing. */
async function mergeOnly(
  databaseUrl: string,
  file: string,
): Promise<{ maxRss: number; readMs: number; mergeMs: number }> {
  const child = spawn(process.execPath, [MERGE_ONLY, databaseUrl, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr } = await finish(child);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'merging\n' });
  return JSON.parse(stdout) as { maxRss: number; readMs: number; mergeMs: number };
}

/** Does something again and again until it is stopped; knows how long the slowest time took. */
class Repeated {
  slowestMs = 0;
  count = 0;
  #isStopped = false;
  readonly #ended: Promise<void>;

  constructor(act: (turn: number) => Promise<void>, pauseMs: number) {
    const run = async () => {
      while (!this.#isStopped) {
        const start = performance.now();
        await act(this.count);
        this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - start));
        this.count += 1;
        await sleep(pauseMs);
      }
    };
    this.#ended = run();
    // Told when it is stopped; until then it is no failure that nobody waits for.
    this.#ended.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }
}

/** Asks what readers ask. Every answer has to be one. */
function ask(server: Server): Repeated {
  const paths = [
    '/api/reviews/search?limit=5',
    '/readyz',
    '/api/feed.json',
    '/api/reviews/search?query=boiler&limit=5',
    '/api/reviews/since/2999-01-01',
  ];
  return new Repeated(async (turn) => {
    const path = paths[turn % paths.length] as string;
    const response = await server.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    await response.arrayBuffer();
  }, 5);
}

const [FEW, MANY] = inject('database') === 'sqlite' ? [100_000, 500_000] : [50_000, 200_000];

test('hundreds of thousands of reviews are imported while the server answers and others write', async () => {
  const [small, large] = [join(place.folder, 'small.ndjson'), join(place.folder, 'large.ndjson')];
  await writeReviews(small, FEW);
  await writeReviews(large, MANY);
  const other = await place.database.copy();
  const ofSmall = await mergeOnly(other.url, small);
  await other.remove();

  const known = await place.write('known.json', [record({ source: 'yelp' })]);
  expect(await place.run('import', known)).toMatchObject({ code: 0 });
  const server = await place.serve(ORIGIN);
  const database = await Database.open(place.databaseUrl);
  const asking = ask(server);
  const writing = new Repeated(
    (turn) =>
      database.write(async (transaction) => {
        await transaction
          .updateTable('state')
          .set({ publisher_until: turn })
          .where('publisher', 'is', null)
          .execute();
      }),
    20,
  );
  const ofLarge = await mergeOnly(place.databaseUrl, large);
  await writing.stop();
  const mergedAt = performance.now();
  // Nobody but the server is left to publish.
  await server.until('/api/reviews/search', ({ matched }) => matched === MANY + 1, 600_000);
  const publishMs = Math.round(performance.now() - mergedAt);
  expect(await place.run('import', large)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`unchanged  ${MANY}`),
  });
  await asking.stop();
  await database.close();
  const { slowestMs, count } = asking;
  const waits = { longestMs: writing.slowestMs, count: writing.count };
  console.info({ ofSmall, ofLarge, publishMs, requests: { slowestMs, count }, waits });

  expect(ofLarge.maxRss / ofSmall.maxRss).toBeLessThan(1.3);
  expect(count).toBeGreaterThan(100);
  // Neither readers nor writers wait for as long as the merge takes.
  expect(slowestMs).toBeLessThan(ofLarge.mergeMs);
  expect(writing.count).toBeGreaterThan(10);
  expect(writing.slowestMs).toBeLessThan(ofLarge.mergeMs);
  expect(await server.stop()).toBe(0);
});
