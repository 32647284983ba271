// The locks by which other programs see that a server has the database open. POSIX drops all locks that a
// process holds on a file when it closes any descriptor of that file.

import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { saveOrigin } from '../../src/store/snapshots.ts';
import { publishPending } from '../../src/publishing/publish-pending.ts';
import { checkpointInThread, loadInThread } from '../../src/publishing/task-threads.ts';
import { Workplace } from '../support/process.ts';
import { holdsSharedLock, logInodes, readAndBackUp } from '../support/sqlite-locks.ts';
import { merge, record } from '../support/store.ts';

let place: Workplace;
let path: string;
beforeEach(async () => {
  place = await Workplace.open();
  path = place.databaseUrl.slice('sqlite:'.length);
});
afterEach(() => place.close());

/** Another program must take the database for one in use. */
async function expectLogToSurvive(pid: number, copy: string): Promise<void> {
  // Elsewhere no system tells the locks; there the log alone shows whether they are held.
  if (process.platform === 'linux') expect(await holdsSharedLock(pid, path)).toBe(true);
  const log = await logInodes(path);
  const outsider = await readAndBackUp(path, join(place.folder, copy));
  expect(outsider).toEqual({ code: 0, stdout: '1\n', stderr: '' });
  expect(await logInodes(path)).toEqual(log);
  if (process.platform === 'linux') expect(await holdsSharedLock(pid, path)).toBe(true);
}

test('a server keeps its lock (in /proc/locks on Linux) and its log through a publish', async () => {
  const server = await place.serve();
  const { pid } = server.child;
  await expectLogToSurvive(pid as number, 'before.db');
  const file = await place.write('a.json', [record({ text: 'Published while a server runs.' })]);
  expect(await place.run('import', file)).toMatchObject({ code: 0 });
  await server.until('/reviews.json', ({ reviews }) => reviews.length === 1);
  await expectLogToSurvive(pid as number, 'after.db');
  await place.look((database) => merge(database, [record({ author: 'Second' })]));
  await server.until('/reviews.json', ({ reviews }) => reviews.length === 2);
  await expectLogToSurvive(pid as number, 'again.db');
  // What was written to the log while the others came and went is there after a kill.
  await server.kill();
  expect(
    await place.look(({ read }) => read.selectFrom('reviews').select('id').execute()),
  ).toHaveLength(2);
});

test('threads that load and checkpoint leave the lock (in /proc/locks on Linux) to their process', async () => {
  const database = await Database.open(place.databaseUrl, 'server');
  try {
    await saveOrigin(database, 'https://reviews.example');
    const publishing = { publisherId: 'p', defaultOrigin: 'https://reviews.example' };
    expect(await publishPending(database, place.databaseUrl, publishing)).toBe(true);
    await loadInThread(place.databaseUrl);
    await expectLogToSurvive(process.pid, 'loaded.db');
    await checkpointInThread(place.databaseUrl);
    await expectLogToSurvive(process.pid, 'checkpointed.db');
  } finally {
    await database.close();
  }
});

test("a new database is its owner's alone, and one that exists keeps its mode", async () => {
  await place.look(() => Promise.resolve());
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await chmod(path, 0o640);
  await place.look(() => Promise.resolve());
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});
