// An import that is killed at many random moments; test/journey/kill.test.ts has the chosen ones.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importEdition, isServed, servedReviews, storedReviews } from '../support/editions.ts';
import type { SeenLog } from '../../src/log/verify.ts';
import { verifyServer } from '../support/log.ts';
import { finish, Workplace } from '../support/process.ts';
import { randomFrom } from '../support/random.ts';

const ROUNDS = 20;
const ORIGIN = { BASE_URL: 'https://reviews.example' };

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(() => place.close());

test('an import killed at random moments leaves all or nothing, and all is published', async () => {
  const seed = Date.now() % 1_000_000;
  console.info(`seed ${seed}`);
  const random = randomFrom(seed);
  let server = await place.serve(ORIGIN);
  let other = await importEdition(place, server, 1, 20_000);
  const start = performance.now();
  let current = await importEdition(place, server, 2, 20_300);
  const durationMs = performance.now() - start;

  const outcomes = { before: 0, after: 0 };
  let seen: SeenLog | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    // Each round draws from its own part of the whole duration.
    const killMs = ((round + random()) / ROUNDS) * durationMs;
    const what = `seed ${seed}, round ${round}, killed after ${Math.round(killMs)} of ${Math.round(durationMs)} ms`;
    const startsAfterwards = round % 5 === 4;
    if (startsAfterwards) expect(await server.stop()).toBe(0);
    const child = place.start(['import', other.file, '--prune']);
    const ended = finish(child);
    await Promise.race([sleep(killMs), ended]);
    child.kill('SIGKILL');
    await ended;
    const stored = await storedReviews(place);
    expect([current.stored, other.stored], what).toContain(stored);
    if (stored === other.stored) {
      [current, other] = [other, current];
      outcomes.after += 1;
    } else {
      outcomes.before += 1;
    }
    if (startsAfterwards) server = await place.serve(ORIGIN);
    await isServed(server, current.count);
    expect(await servedReviews(server), what).toBe(current.served);
    seen = await verifyServer(server.url, seen);
    expect(await storedReviews(place), what).toBe(stored);
  }
  console.info('reviews as before or as after:', outcomes);
});
