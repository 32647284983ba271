// Copying to another database: everything is copied, and all answers stay the same.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCopy } from '../../src/commands/store/copy.ts';
import { parseConfig } from '../../src/config.ts';
import { Database } from '../../src/store/database.ts';
import { createPostgresDatabase, sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { fingerprint } from '../support/fingerprint.ts';
import { Workplace } from '../support/process.ts';
import { BUSINESS } from '../support/reviews.ts';
import { capture } from '../support/run-command.ts';
import { record } from '../support/store.ts';
import { save, storedIntents, storedSubscriptions, subscribe } from '../support/subscriptions.ts';

const ORIGIN = { BASE_URL: 'https://reviews.example' };
const REVIEWS = Array.from({ length: 700 }, (_, turn) =>
  record({ source_id: `copied-${turn}`, verified: turn % 7 === 0 ? null : true }),
);

let place: Workplace;
let target: TestDatabase;
beforeEach(async () => {
  await prepare('postgres');
});
afterEach(async () => {
  await target.remove();
  await place.close();
});

/** Opens a workplace with a store of the given kind, and a target of the other kind. */
async function prepare(kind: 'sqlite' | 'postgres'): Promise<void> {
  const onSqlite = (folder: string) => sqliteDatabase(join(folder, 'reviews.db'));
  const onPostgres = () => createPostgresDatabase('template0');
  place = await Workplace.open(
    kind === 'postgres' ? (folder) => Promise.resolve(onSqlite(folder)) : onPostgres,
  );
  target = kind === 'postgres' ? await onPostgres() : onSqlite(join(place.folder, 'elsewhere'));
}

/** Runs the command `copy` in the process of the test. */
const copyHere = (url = target.url) => capture(() => runCopy(parseConfig(place.environment), url));

/** The rows of the tables that a copy must preserve. */
async function rowsOf(url: string): Promise<Record<string, unknown[]>> {
  const database = await Database.open(url);
  const rows: Record<string, unknown[]> = {};
  for (const table of [
    'reviews',
    'analyses',
    'subscriptions',
    'intents',
    'secrets',
    'state',
  ] as const) {
    const found = await database.read.selectFrom(table).selectAll().execute();
    rows[table] = found.map((row) => JSON.stringify(row)).toSorted();
  }
  await database.close();
  return rows;
}

test.each([
  ['SQLite to PostgreSQL', 'postgres'],
  ['PostgreSQL to SQLite', 'sqlite'],
] as const)(
  'from %s everything is copied, and the answers of the copy are byte-identical',
  async (_, kind) => {
    if (kind === 'sqlite') {
      await target.remove();
      await place.close();
      await prepare(kind);
    }
    const file = await place.write('reviews.json', { business: BUSINESS, reviews: REVIEWS });
    const first = await place.serveHere(ORIGIN);
    await place.importHere(file);
    await first.until('/reviews.json', ({ reviews }) => reviews.length === 600);
    const before = await fingerprint(first.url);
    await first.close();
    await place.look(async (database) => {
      await subscribe(database, [{ secret: 'kept', leaseSeconds: 100_000 }], Date.now());
      await save(database, { callback: 'https://pending.example/' });
    });

    const copied = await place.run('copy', '--to', target.url);
    expect(copied).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^copied 700 reviews, 1 subscriptions, and what is published\n/,
      ),
    });
    expect(await rowsOf(target.url)).toEqual(await rowsOf(place.databaseUrl));

    // New numbers continue after the copied ones.
    const copy = await Database.open(target.url);
    await save(copy, { callback: 'https://later.example/' });
    expect((await storedIntents(copy)).map(({ number }) => number)).toEqual([2, 3]);
    expect(await storedSubscriptions(copy)).toMatchObject([{ secret: 'kept' }]);
    await copy.close();
    const second = await place.serveHere({ ...ORIGIN, DATABASE_URL: target.url });
    expect(await fingerprint(second.url)).toEqual(before);
    await second.close();
  },
);

test('refuses a target that is in use, and changes nothing in it', async () => {
  const file = await place.write('reviews.json', [record()]);
  await place.importHere(file);
  await copyHere();
  const before = await rowsOf(target.url);
  const again = await place.run('copy', '--to', target.url);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('--to: expected an empty database, got one that is in use');
  expect(again.stderr).not.toContain('password');
  expect(await rowsOf(target.url)).toEqual(before);
  // The source itself counts as in use.
  await expect(copyHere(place.databaseUrl)).rejects.toThrow('got one that is in use');
});

test('refuses an empty source and an invalid URL', async () => {
  await expect(copyHere()).rejects.toThrow('there is no store at');
  await place.look(() => Promise.resolve());
  await expect(copyHere()).rejects.toThrow('DATABASE_URL: expected a database to copy');
  const bad = copyHere('mysql://me:secret@db/reviews');
  await expect(bad).rejects.toThrow('--to: expected "postgres://');
});

test('a killed copy leaves nothing', async () => {
  const file = await place.write('reviews.json', REVIEWS);
  await place.importHere(file);
  const child = place.start(['copy', '--to', target.url]);
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stderr?.once('data', () => child.kill('SIGKILL'));
  await ended;
  await target.settled();
  const isWhole = (await rowsOf(target.url))['reviews']?.length;
  expect([0, 700]).toContain(isWhole);
  if (isWhole === 0) await copyHere();
});
