// Removals and restores that are killed at many random moments; test/faults/killed-removals.test.ts has the chosen ones.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSqliteDatabase } from '../support/databases.ts';
import { finish, Workplace } from '../support/process.ts';
import { randomFrom } from '../support/random.ts';
import { record } from '../support/store.ts';

const ROUNDS = 30;
const ORIGIN = { BASE_URL: 'https://reviews.example' };

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
});
afterEach(() => place.close());

/** Runs a command and kills it at a moment of its usual duration; returns its exit code, null if it was killed. */
async function kill(args: readonly string[], afterMs: number): Promise<number | null> {
  const child = place.start(args);
  const ended = finish(child);
  await Promise.race([sleep(afterMs), ended]);
  child.kill('SIGKILL');
  return (await ended).code;
}

async function durationOf(args: readonly string[]): Promise<number> {
  const start = performance.now();
  expect(await place.run(...args)).toMatchObject({ code: 0 });
  return performance.now() - start;
}

/** The files of the store, and in folders beside it, that have a text. */
async function filesWith(text: string): Promise<string[]> {
  const entries = await readdir(place.folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith('.json')) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.of());
    if (bytes.includes(text)) found.push(path);
  }
  return found;
}

const leftFolders = async () =>
  (await readdir(place.folder)).filter((name) => name.startsWith('public-reviews-'));

test('a forget killed at random moments is finished when it is repeated', async () => {
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed);
  const outcomes = { before: 0, pending: 0, done: 0 };
  const others = Array.from({ length: 300 }, (_, index) => record({ source_id: `o${index}` }));
  const add = async (round: number) => {
    const gone = record({
      source_id: `g${round}`,
      author: `Author ${round}X`,
      text: `Quixote${round}X`,
    });
    await place.importHere(await place.write(`${round}.json`, [...others, gone]));
    return ['forget', '--author', `Author ${round}X`, '--yes'];
  };
  const durationMs = await durationOf(await add(-1));
  let server = null;
  for (let round = 0; round < ROUNDS; round++) {
    const args = await add(round);
    if (round === ROUNDS / 2) server = await place.serve(ORIGIN);
    const killMs = ((round % (ROUNDS / 2)) + random()) * (durationMs / (ROUNDS / 2));
    const what = `seed ${seed}, round ${round}, killed after ${Math.round(killMs)} of ${Math.round(durationMs)} ms`;
    const code = await kill(args, killMs);
    const state = await place.look(({ read }) =>
      read.selectFrom('state').select(['erasing_version', 'forgotten']).executeTakeFirstOrThrow(),
    );
    const { code: repeated, stdout } = await place.run(...args);
    const outcome =
      state.forgotten !== null
        ? 'pending'
        : stdout.includes('removed 1 review')
          ? 'before'
          : 'done';
    outcomes[outcome] += 1;
    // After its last statement nothing is kept of the author, so nobody can tell it from a name that never was.
    expect([what, repeated]).toEqual([what, outcome === 'done' ? 2 : 0]);
    if (code === 0) expect([what, outcome]).toEqual([what, 'done']);
    expect([what, await filesWith(`Quixote${round}X`)]).toEqual([what, []]);
    expect([what, await filesWith(`Author ${round}X`)]).toEqual([what, []]);
  }
  expect(await server?.stop()).toBe(0);
  console.info('killed before the removal, while it was not erased, and afterwards:', outcomes);
});

test('a restore killed at random moments leaves nothing after the next command', async () => {
  const random = randomFrom(Date.now() % 1_000_000);
  const rows = Array.from({ length: 3_000 }, (_, index) => record({ source_id: `${index}` }));
  await place.importHere(await place.write('all.json', rows));
  const restore = ['restore', join(place.folder, 'backup.db'), '--replace'];
  expect(await place.run('backup', restore[1]!)).toMatchObject({ code: 0 });
  const durationMs = await durationOf(restore);
  let folders = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await kill(restore, ((round + random()) / ROUNDS) * durationMs);
    folders += (await leftFolders()).length;
    expect(await place.run('status')).toMatchObject({ code: 0 });
    expect(await leftFolders()).toEqual([]);
  }
  console.info('folders that were left:', folders);
  expect(folders).toBeGreaterThan(0);
});
