// An import that is killed leaves the reviews as before or as after it, never in between, and merged reviews
// are published without another import. test/long/kill.test.ts kills at random moments.

import { execFile } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Edition,
  importEdition,
  isServed,
  servedReviews,
  storedReviews,
} from '../support/editions.ts';
import type { SeenLog } from '../../src/log/verify.ts';
import { verifyServer } from '../support/log.ts';
import { until } from '../support/patience.ts';
import { finish, type Server, Workplace } from '../support/process.ts';

const ORIGIN = { BASE_URL: 'https://reviews.example' };
/** About the middle of the merge. */
const KILL_AFTER_MS = 40;

let place: Workplace;
let server: Server;
/** The stored edition, and the one that the next import brings. */
let [current, next]: [Edition, Edition] = [] as never;
let pipe: string;
/** The log as it was seen last. */
let seen: SeenLog | null = null;
beforeAll(async () => {
  place = await Workplace.open();
  pipe = join(place.folder, 'pipe.ndjson');
  await promisify(execFile)('mkfifo', [pipe]);
  await place.publishFor(ORIGIN.BASE_URL);
  server = await place.serve(ORIGIN);
  next = await importEdition(place, server, 1, 300);
  current = await importEdition(place, server, 2, 330);
});
afterAll(() => place.close());

/** Starts an import of the next edition and writes a part of the file; the import waits for the rest. */
async function startReading(part: number) {
  const child = place.start(['import', pipe, '--prune']);
  const ended = finish(child);
  const content = await readFile(next.file);
  // Resolves when the import opens its end.
  const writing = await open(pipe, 'w');
  await writing.write(content.subarray(0, Math.floor(content.length * part)));
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  return { child, writing, kill };
}

/** Expects the reviews of one whole edition, which is served without another import. */
async function expectWhole(what: string): Promise<'before' | 'after'> {
  const stored = await storedReviews(place);
  expect([current.stored, next.stored], what).toContain(stored);
  const outcome = stored === next.stored ? 'after' : 'before';
  if (outcome === 'after') [current, next] = [next, current];
  await isServed(server, current.count);
  expect(await servedReviews(server), what).toBe(current.served);
  seen = await verifyServer(server.url, seen);
  expect(await storedReviews(place), what).toBe(stored);
  return outcome;
}

test('killed while it reads, an import changes nothing', async () => {
  const { writing, kill } = await startReading(0.5);
  await kill();
  await writing.close();
  expect(await expectWhole('while it reads')).toBe('before');
});

test('killed while it merges, an import leaves all or nothing', async () => {
  const { writing, kill } = await startReading(1);
  await writing.close();
  // How far the import gets depends on the machine; every outcome must be valid.
  await sleep(KILL_AFTER_MS);
  await kill();
  await expectWhole(`killed ${KILL_AFTER_MS} ms after its last line`);
});

test('killed after its report, an import is published by the server', async () => {
  const { child, writing, kill } = await startReading(1);
  const reported = new Promise((resolve) => child.stdout?.once('data', resolve));
  await writing.close();
  await reported;
  await kill();
  expect(await expectWhole('after its report')).toBe('after');
});

test('killed while no server runs, an import is published by the next server', async () => {
  expect(await server.stop()).toBe(0);
  const { child, writing, kill } = await startReading(1);
  await writing.close();
  // A stored claim means that it is publishing. It may end between two looks.
  await until(() =>
    place.look(async ({ read }) => {
      const state = await read.selectFrom('state').select('publisher').executeTakeFirstOrThrow();
      return state.publisher !== null || child.exitCode !== null;
    }),
  );
  await kill();
  server = await place.serve(ORIGIN);
  expect(await expectWhole('while it publishes')).toBe('after');
});
