// The locks that show other programs that a server has the database open. POSIX drops all locks that a
// process holds on a file when the process closes any descriptor of that file.

import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { saveOrigin } from '../../src/store/state.ts';
import { publishPending } from '../../src/publishing/run/2-claim.ts';
import { runInThread } from '../../src/publishing/task-threads.ts';
import { Workplace } from '../support/process.ts';
import { holdsSharedLock, logInodes, readAndBackUp } from '../support/sqlite-locks.ts';
import { merge, record } from '../support/store.ts';

let workplace: Workplace;
let path: string;
beforeEach(async () => {
  workplace = await Workplace.open();
  path = workplace.databaseUrl.slice('sqlite:'.length);
});
afterEach(() => workplace.close());

/** Other programs must see that the database is in use. */
async function expectLogToSurvive(pid: number, copy: string): Promise<void> {
  // Only Linux lists locks. Elsewhere only the write-ahead log shows whether they are held.
  if (process.platform === 'linux') expect(await holdsSharedLock(pid, path)).toBe(true);
  const log = await logInodes(path);
  const outsider = await readAndBackUp(path, join(workplace.folder, copy));
  expect(outsider).toEqual({ code: 0, stdout: '1\n', stderr: '' });
  expect(await logInodes(path)).toEqual(log);
  if (process.platform === 'linux') expect(await holdsSharedLock(pid, path)).toBe(true);
}

test('a server keeps its lock (in /proc/locks on Linux) and its write-ahead log during a publish', async () => {
  const server = await workplace.serve();
  const { pid } = server.child;
  await expectLogToSurvive(pid as number, 'before.db');
  const file = await workplace.write('a.json', [
    record({ text: 'Published while a server runs.' }),
  ]);
  expect(await workplace.run('import', file)).toMatchObject({ code: 0 });
  await server.until('/reviews.json', ({ reviews }) => reviews.length === 1);
  await expectLogToSurvive(pid as number, 'after.db');
  await workplace.look((database) => merge(database, [record({ author: 'Second' })]));
  await server.until('/reviews.json', ({ reviews }) => reviews.length === 2);
  await expectLogToSurvive(pid as number, 'again.db');
  // Writes to the log while other programs used the file survive a kill.
  await server.kill();
  expect(
    await workplace.look(({ read }) => read.selectFrom('reviews').select('id').execute()),
  ).toHaveLength(2);
});

test('threads that load and checkpoint do not drop the lock of their process (in /proc/locks on Linux)', async () => {
  const database = await Database.open(workplace.databaseUrl, 'server');
  try {
    await saveOrigin(database, 'https://reviews.example');
    const publishing = { publisherId: 'p', defaultOrigin: 'https://reviews.example' };
    expect(await publishPending(database, workplace.databaseUrl, publishing)).toBe(true);
    const { databaseUrl } = workplace;
    await runInThread({ kind: 'load', databaseUrl, wanted: null });
    await expectLogToSurvive(process.pid, 'loaded.db');
    await runInThread({ kind: 'checkpoint', databaseUrl });
    await expectLogToSurvive(process.pid, 'checkpointed.db');
  } finally {
    await database.close();
  }
});

test('a new database is readable by its owner only, and an existing one keeps its mode', async () => {
  await workplace.look(() => Promise.resolve());
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await chmod(path, 0o640);
  await workplace.look(() => Promise.resolve());
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});
