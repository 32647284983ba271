// What a removal or a restore leaves that is killed at any point is finished or removed by the next command or server.
// test/long/removal-kill.test.ts kills at random moments.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadSnapshot } from '../../src/publishing/load.ts';
import { runBackup } from '../../src/commands/store/backup.ts';
import { diagnose } from '../../src/commands/doctor/doctor.ts';
import { runForget } from '../../src/commands/reviews/remove.ts';
import { showStatus } from '../../src/commands/store/status.ts';
import { parseConfig } from '../../src/config.ts';
import { finishErasures } from '../../src/serving/erasures.ts';
import { Database } from '../../src/store/database.ts';
import { loadState } from '../../src/store/state.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { killedAt } from '../support/killed-at.ts';
import { until } from '../support/patience.ts';
import { Workplace } from '../support/process.ts';
import { publishHere } from '../support/publish.ts';
import { capture } from '../support/run-command.ts';
import { record } from '../support/store.ts';

const WORDS = 'Quixotic plumbers flooded the conservatory';
const AUTHOR = 'Xanthippe Vandersloot';
const ROWS = [
  record({ source_id: 'a', author: AUTHOR, text: `${WORDS}.` }),
  record({ source_id: 'b', text: 'A good job.' }),
];
const FORGET = ['forget', '--author', AUTHOR, '--yes'];

let place: Workplace;
let file: string;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
  file = await place.write('reviews.json', ROWS);
  await place.importHere(file);
});
afterEach(() => place.close());

const config = () => parseConfig(place.environment);
const forget = (author = AUTHOR) =>
  capture(() => runForget(config(), { author, yes: true }, publishHere));

/** Whether the words are in the published reviews, and in the files of the database. */
async function remains(): Promise<{ published: boolean; files: boolean }> {
  const path = place.databaseUrl.slice('sqlite:'.length);
  const files = [path, `${path}-wal`].filter(existsSync);
  // Another process reads: a process that closes a file gives up the locks of its own connections (fcntl of POSIX).
  const bytes = execFileSync('cat', files);
  const snapshot = await loadSnapshot(place.databaseUrl);
  const published = Buffer.from(snapshot!.bodies.get('/reviews.json')!);
  return { published: published.includes(WORDS), files: bytes.includes(WORDS) };
}
const NOTHING = { published: false, files: false };

/** What `doctor` says of erasures. */
async function diagnosed(): Promise<(string | null)[]> {
  const findings = await diagnose(() => config(), Date.now());
  return findings.filter(({ check }) => check === 'erasure').map(({ message }) => message);
}
const PENDING = [expect.stringContaining('texts of removed reviews remain in the store')];

/** Keeps the files as the kill left them: the last connection that closes empties the log. */
async function whileOpen(work: () => Promise<void>): Promise<void> {
  const other = await Database.open(place.databaseUrl, 'server');
  try {
    await work();
  } finally {
    await other.close();
  }
}

const status = () => capture(() => showStatus(config(), {}));

test.each([
  ['before it publishes', 'update "state" set "publisher"', { published: true, files: true }],
  ['before it rewrites the files', 'vacuum', { published: false, files: true }],
  ['before it empties the log', 'wal_checkpoint(truncate)', NOTHING],
  ['before it records the end', 'set "erasing_version" = ? where', NOTHING],
])('forget killed %s is finished by the next command, or by itself', async (_, point, left) => {
  await whileOpen(async () => {
    await killedAt(place, FORGET, point);
    expect(await remains()).toEqual(left);
    expect(await diagnosed()).toEqual(PENDING);
    const repeated = await forget();
    expect(repeated.stdout).toBe('an earlier "forget" of this author had removed the reviews\n');
    expect(await remains()).toEqual(NOTHING);
    expect(await diagnosed()).toEqual([]);
    await expect(forget()).rejects.toThrow('no stored review is by');
  });
});

test('a restore that is killed leaves nothing after the next command', async () => {
  const backup = join(place.folder, 'backup.db');
  const leftovers = async () =>
    (await readdir(place.folder)).filter((name) => name.startsWith('public-reviews-'));
  await capture(() => runBackup(config(), backup));
  await forget();
  const next = [status, forget, () => capture(() => runBackup(config(), backup))];
  for (const [index, point] of ['copyFile', 'delete from "reviews"', 'commit'].entries()) {
    // The migration of the copy commits too.
    const count = point === 'commit' ? 2 : 1;
    await killedAt(place, ['restore', backup, '--replace'], point, count);
    const [left] = await leftovers();
    const findings = await diagnose(() => config(), Date.now());
    expect(findings).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining(left!) }),
    );
    await next[index]!().catch(() => undefined);
    expect([point, await leftovers()]).toEqual([point, []]);
    expect(await remains()).toEqual(NOTHING);
  }
});

test('an import finishes what a killed forget left, and forget may still be repeated', async () => {
  await whileOpen(async () => {
    await killedAt(place, FORGET, 'update "state" set "publisher"');
    const { stderr } = await place.importHere(file);
    expect(stderr).toContain('erasing what an interrupted removal left ...\n');
    expect(await remains()).toEqual(NOTHING);
    await expect(forget('Xanthippe')).rejects.toThrow('no stored review is by');
    const state = () =>
      place.look(({ read }) =>
        read.selectFrom('state').select(['erasing_version', 'forgotten']).execute(),
      );
    expect(JSON.stringify(await state())).not.toContain('anthippe');
    await forget(AUTHOR.toUpperCase());
    expect(await state()).toEqual([{ erasing_version: null, forgotten: null }]);
  });
});

test('a running server finishes what a killed forget left', async () => {
  const server = await Database.open(place.databaseUrl, 'server');
  const stop = new AbortController();
  const log = vi.fn<(...words: unknown[]) => void>();
  const loop = finishErasures({
    database: server,
    databaseUrl: place.databaseUrl,
    logger: { info: log, warn: log },
    isLead: true,
    signal: stop.signal,
    takeoverMs: 0,
  });
  await killedAt(place, FORGET, 'vacuum');
  await until(async () => (await loadState(server.read)).erasingVersion === null);
  expect(await remains()).toEqual(NOTHING);
  await until(() => log.mock.calls.length > 0);
  expect(log.mock.calls).toEqual([['erased what an interrupted removal left']]);
  stop.abort();
  await loop;
  await server.close();
});

test('a server finishes what a forget left that was killed before its start', async () => {
  await whileOpen(async () => {
    await killedAt(place, FORGET, 'update "state" set "publisher"');
    await place.serveHere();
    await until(() =>
      place.look(async ({ read }) => (await loadState(read)).erasingVersion === null),
    );
    expect(await remains()).toEqual(NOTHING);
    expect(await status()).toMatchObject({ stderr: '' });
  });
});
