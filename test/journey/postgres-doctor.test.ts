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
import { Workplace } from '../support/process.ts';
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
    /^1 reviews, \d+\.\d MB; 0 reviews added in the last 30 days$/,
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
      ['wrong: version', contains('the database is empty'), contains('check DATABASE_URL')],
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
