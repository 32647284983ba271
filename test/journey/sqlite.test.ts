// Errors that occur only with SQLite.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { until } from '../support/patience.ts';
import { finish, Workplace } from '../support/process.ts';
import { record } from '../support/store.ts';

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(() => place.close());

test('a start with a file that is not a database exits with 2 and names it', async () => {
  const path = await place.write('notes.txt', 'These are my notes.\n'.repeat(100));
  const ended = await finish(place.start(['serve'], { DATABASE_URL: `sqlite:${path}` }));
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(
    `DATABASE_URL: the database ${path} cannot be opened: file is not a database. If it was one: stop the server, move ${path} away with its`,
  );
});

const pathOf = ({ databaseUrl }: Workplace) => databaseUrl.slice('sqlite:'.length);
const importOne = async () => place.importHere(await place.write('a.json', [record()]));

test('a database file that is removed while a server runs is reported, and used again when it is back', async () => {
  await importOne();
  const server = await place.serve();
  const path = pathOf(place);
  await rename(path, `${path}.away`);
  const reported = await server.until('/readyz', ({ store }) => store.status !== 'ok');
  expect(reported.status).toBe('ready');
  expect(reported.store.detail).toContain(`the database file ${path} was removed or replaced`);
  await until(() => server.log.includes('was removed or replaced'));
  expect((await server.get('/reviews.json')).status).toBe(200);
  const refused = await fetch(`${server.url}/api/websub/hub`, {
    method: 'POST',
    body: new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.topic': `${server.url}/feed.xml`,
      'hub.callback': 'https://reader.example/',
    }),
  });
  expect(refused.status).toBe(503);
  // No thread has created an empty file in its place.
  await rename(`${path}.away`, path);
  await server.until('/readyz', ({ store }) => store.status === 'ok');
});

test('a start with a damaged database fails with one line that says how to restore it', async () => {
  await importOne();
  const path = pathOf(place);
  const bytes = await readFile(path);
  // Keeps the first page, whose header identifies a database.
  await writeFile(path, bytes.fill(0xff, 4096));
  await rm(`${path}-wal`, { force: true });
  const ended = await finish(place.start(['serve']));
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toMatch(/^the database .* is damaged \(.*\): .*restore BACKUP.*\n$/);
});
