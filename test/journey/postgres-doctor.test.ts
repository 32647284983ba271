// `doctor` with a store on PostgreSQL: a sound one, and planted faults.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkStore } from '../../src/commands/doctor/database.ts';
import type { Finding } from '../../src/commands/doctor/finding.ts';
import { parseConfig } from '../../src/config.ts';
import { writeBackup } from '../../src/store/backup/backup.ts';
import { saveBackup } from '../../src/store/state.ts';
import { VERSION } from '../../src/version.ts';
import { administer, createPostgresDatabase } from '../support/databases.ts';
import { freePort } from '../support/free-port.ts';
import { finish, Workplace } from '../support/process.ts';
import { BUSINESS } from '../support/reviews.ts';
import { merge, record } from '../support/store.ts';

const ROLE = `visitor_${randomUUID().replaceAll('-', '')}`;

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
  await place.look(async (database) => {
    await merge(database, [record()], { business: BUSINESS });
    await database.read
      .updateTable('state')
      .set((set) => ({ published_version: set.ref('content_version') }))
      .execute();
    const backup = join(place.folder, 'backup.db');
    await writeBackup(database, backup, { version: VERSION, nowMs: 0 }, () => undefined);
    await saveBackup(database, Date.now(), backup);
  });
});
afterEach(() => place.close());

const check = async (url = place.databaseUrl) => [
  ...(await checkStore(parseConfig({ ...place.environment, DATABASE_URL: url }), Date.now()))
    .findings,
];
const contains = (text: string): string => expect.stringContaining(text) as string;

function faults(findings: readonly Finding[]): [string, string, string][] {
  return findings.flatMap(({ status, check: name, message, action }) =>
    status === 'ok' ? [] : [[`${status}: ${name}`, message, action ?? '']],
  );
}

test('a sound store has no faults, and its size is stated', async () => {
  const findings = await check();
  expect(faults(findings)).toEqual([]);
  expect(findings.map(({ check: name }) => name)).toEqual([
    'version',
    'lock',
    'permissions',
    'integrity',
    'clock',
    'published',
    'sizes',
    'hub',
    'backup',
    'business',
    'transparency log',
  ]);
  expect(findings.find(({ check: name }) => name === 'sizes')?.message).toMatch(
    /^1 reviews, \d+(?:\.\d)? [kKM]B; 0 reviews added in the last 30 days$/,
  );
});

test('a server that does not answer, and a database that does not exist', async () => {
  const url = new URL(place.databaseUrl);
  url.port = String(await freePort());
  const action = contains('check DATABASE_URL');
  expect(faults(await check(url.href))).toEqual([['wrong: database', contains('reach'), action]]);
  const missing = new URL(place.databaseUrl);
  missing.pathname = '/missing';
  expect(faults(await check(missing.href))).toEqual([
    ['wrong: database', contains('"missing"'), action],
  ]);
});

test('an empty database, and one of a newer version', async () => {
  const empty = await createPostgresDatabase('template0');
  try {
    expect(faults(await check(empty.url))).toEqual([
      ['wrong: version', contains('the database is empty'), contains('restore BACKUP')],
    ]);
  } finally {
    await empty.remove();
  }
  await administer(
    `insert into kysely_migration values ('9999-later', '2030-01-01')`,
    place.databaseUrl,
  );
  expect(faults(await check())).toEqual([
    ['wrong: version', 'a newer version wrote the store', contains('run that version')],
  ]);
});

test('a user who may only read, and a database that is read-only', async () => {
  await administer(`create role ${ROLE} login password 'visitor'`, place.databaseUrl);
  try {
    await administer(`grant select on all tables in schema public to ${ROLE}`, place.databaseUrl);
    const visitor = new URL(place.databaseUrl);
    [visitor.username, visitor.password] = [ROLE, 'visitor'];
    const name = new URL(place.databaseUrl).pathname.slice(1);
    await administer(`revoke temporary on database ${name} from public`);
    const [temporary] = faults(await check(visitor.href));
    expect(temporary).toEqual(['wrong: permissions', contains('temporary'), contains('database')]);
    await administer(`grant temporary on database ${name} to public`);
    expect(faults(await check(visitor.href))).toEqual([
      [
        'wrong: permissions',
        contains('may not write the tables analyses, business'),
        contains('all rights'),
      ],
    ]);
  } finally {
    await administer(`drop owned by ${ROLE}`, place.databaseUrl);
    await administer(`drop role ${ROLE}`, place.databaseUrl);
  }
  const name = new URL(place.databaseUrl).pathname.slice(1);
  await administer(`alter database ${name} set default_transaction_read_only = on`);
  expect(faults(await check())).toEqual([
    ['wrong: permissions', contains('read-only'), contains('the primary server')],
  ]);
});

test('tables of another user, and one that is missing: each command says it in one line', async () => {
  await administer(`create role ${ROLE} login password 'visitor'`, place.databaseUrl);
  const visitor = new URL(place.databaseUrl);
  [visitor.username, visitor.password] = [ROLE, 'visitor'];
  const denied = contains('permission denied for table');
  const give = contains('give its tables to this user');
  try {
    expect(faults(await check(visitor.href))).toEqual([['wrong: database', denied, give]]);
    await administer(`grant select on kysely_migration to ${ROLE}`, place.databaseUrl);
    expect(faults(await check(visitor.href))).toEqual([['wrong: database', denied, give]]);
    const file = await place.write('more.json', [record({ source_id: 'more' })]);
    const refused = await finish(place.start(['import', file], { DATABASE_URL: visitor.href }));
    expect(refused).toMatchObject({ code: 1, stderr: give });
    expect(refused.stderr).toMatch(/^[^\n]*\n$/);
  } finally {
    await administer(`drop owned by ${ROLE}`, place.databaseUrl);
    await administer(`drop role ${ROLE}`, place.databaseUrl);
  }
  await administer('drop table log_bundles', place.databaseUrl);
  expect(faults(await check())).toEqual([
    ['wrong: database', contains('has lost tables'), contains('restore the last backup')],
  ]);
  const restored = await place.run('restore', '--replace', join(place.folder, 'backup.db'));
  expect(restored).toMatchObject({ code: 1, stderr: contains('restore the last backup') });
  expect(restored.stderr).toMatch(/^[^\n]*\n$/);
});

test('a database that was emptied under a server is no new store', async () => {
  const running = await place.serve();
  await running.until('/reviews.json', ({ reviews }) => reviews?.length === 1);
  await administer('drop schema public cascade; create schema public', place.databaseUrl);
  const { store } = await running.until('/readyz', (body) => body.store.status !== 'ok');
  expect(store.detail).toContain('has lost tables');
  const file = await place.write('more.json', [record({ source_id: 'more' })]);
  for (const command of [['import', file], ['serve']]) {
    const refused = await place.run(...command);
    expect(refused).toMatchObject({ code: 2, stderr: contains('stop all servers') });
  }
  expect((await running.json('/reviews.json')).reviews).toHaveLength(1);
  await running.stop();
  const restored = await place.run('restore', join(place.folder, 'backup.db'));
  expect(restored).toMatchObject({ code: 0 });
  const again = await place.serve();
  expect((await again.json('/reviews.json')).reviews).toHaveLength(1);
});

test('a backup that another machine made is none that is gone', async () => {
  await place.look((database) => saveBackup(database, Date.now(), '/elsewhere/backup.db'));
  expect(faults(await check())).toEqual([]);
  const threeDaysAgo = Date.now() - 3 * 86_400_000;
  await place.look((database) => saveBackup(database, threeDaysAgo, '/elsewhere/backup.db'));
  expect(faults(await check())).toEqual([
    ['warning: backup', contains('3 days ago: /elsewhere/backup.db'), contains('backup DIR')],
  ]);
});
