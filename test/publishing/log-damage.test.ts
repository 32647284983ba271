// Damaged entries of the log: nobody signs on, everybody who looks is told, and a backup mends them.

import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBackup } from '../../src/commands/store/backup.ts';
import { checkStore } from '../../src/commands/doctor/database.ts';
import { runLog } from '../../src/commands/log/log.ts';
import { runRestore } from '../../src/commands/store/restore.ts';
import { parseConfig } from '../../src/config.ts';
import type { Bundle } from '../../src/log/bundles.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { currentSnapshot, expectHolds, logOf } from '../support/log.ts';
import { Workplace } from '../support/process.ts';
import { capture } from '../support/run-command.ts';
import { record } from '../support/store.ts';

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
});
afterEach(() => place.close());

const config = () => parseConfig(place.environment);
const ORIGIN = 'https://reviews.example';
const DAMAGED = 'in the store are damaged';
const backup = () => join(place.folder, 'backup.db');

const importRows = async (...ids: string[]) =>
  place.importHere(
    await place.write(
      'rows.json',
      ids.map((id) => record({ source_id: id })),
    ),
  );

/** Publishes three reviews, makes a backup, and damages the log. */
async function damage(change: (bundle: Bundle) => Partial<Bundle>): Promise<void> {
  await importRows('1', '2', '3');
  await capture(() => runBackup(config(), backup()));
  await place.look(async ({ read }) => {
    const bundle = await read.selectFrom('log_bundles').selectAll().executeTakeFirstOrThrow();
    await read.updateTable('log_bundles').set(change(bundle)).execute();
  });
}

const flip = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] as number) ^ 1);
const flipEntries = ({ entries }: Bundle) => ({ entries: flip(entries, 100) });
const logState = () =>
  place.look((database) =>
    database.read.selectFrom('log_state').select('size').executeTakeFirstOrThrow(),
  );
const finding = async () =>
  (await checkStore(config(), Date.now())).findings.find(
    ({ check }) => check === 'transparency log',
  );

for (const [what, change] of [
  ['entries', flipEntries],
  ['hashes', ({ hashes }: Bundle) => ({ hashes: flip(hashes, 40) })],
  ['root', ({ hashes }: Bundle) => ({ root: hashes.slice(0, 32) })],
] as const) {
  test(`nothing is appended to a log whose ${what} are damaged, and import and doctor say why`, async () => {
    await damage(change);
    const failure = importRows('4');
    await expect(failure).rejects.toThrow(/Imported, not published: .*the entries 0 to 3/s);
    await expect(failure).rejects.not.toThrow('the next import publishes again');
    expect(await logState()).toEqual({ size: 4 });
    expect(await finding()).toMatchObject({ status: 'wrong' });
  });
}

test('a server finds the damage at its start, and says so in its health and metrics', async () => {
  // Otherwise the start would publish anyway, under the origin of this server.
  await place.publishFor(ORIGIN);
  await damage(flipEntries);
  const server = await place.serveHere({ METRICS: 'on', BASE_URL: ORIGIN });
  await server.until('/readyz', ({ publishing }) => publishing?.status === 'failing');
  expect(await (await server.get('/readyz')).text()).toContain(DAMAGED);
  expect(await (await server.get('/metrics')).text()).toMatch(
    /^public_reviews_publish_failing(\{[^}]*\})? 1$/m,
  );
  // Readers get what was published before.
  expect((await server.json('/reviews.json')).reviews).toHaveLength(3);
});

test('a server finds at its start that the log was rolled back, and says so', async () => {
  await place.publishFor(ORIGIN);
  await importRows('1');
  const path = place.databaseUrl.slice('sqlite:'.length);
  await copyFile(path, backup());
  await importRows('1', '2');
  for (const ending of ['-wal', '-shm', '-wal-of']) await rm(path + ending, { force: true });
  await copyFile(backup(), path);
  const server = await place.serveHere({ METRICS: 'on', BASE_URL: ORIGIN });
  await server.until('/readyz', ({ publishing }) => publishing?.status === 'failing');
  expect(await (await server.get('/readyz')).text()).toContain('was signed before');
  expect((await server.json('/reviews.json')).reviews).toHaveLength(1);
});

test('a backup that has the entries mends the log, which continues', async () => {
  await importRows('0');
  await damage(flipEntries);
  await capture(() => runRestore(config(), backup(), { replace: true }));
  expect(await finding()).toMatchObject({ status: 'ok' });
  await importRows('0', '1', '2', '3', '4');
  const snapshot = await place.look(currentSnapshot);
  expectHolds(snapshot);
  expect(logOf(snapshot).size).toBeGreaterThan(5);
});

test('without a backup, "log replace" begins a new log', async () => {
  await damage(flipEntries);
  await capture(() => runLog(config(), 'replace'));
  await importRows('4');
  const snapshot = await place.look(currentSnapshot);
  expectHolds(snapshot);
  expect(logOf(snapshot).size).toBe(5);
  expect(await finding()).toMatchObject({ status: 'ok' });
});
