// The PostgreSQL engine: opening, locks between transactions, sorting and privileges.

import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { checkStore } from '../../src/commands/doctor/database.ts';
import { parseConfig } from '../../src/config.ts';
import { ConnectionLostError, InputError, UnavailableError } from '../../src/errors.ts';
import { copyStore } from '../../src/store/backup/copy-store.ts';
import { Database } from '../../src/store/database.ts';
import {
  claimPublishing,
  saveSnapshot,
  switchSnapshot,
} from '../../src/store/snapshots/snapshots.ts';
import { withSchema } from '../../src/model/schema-name.ts';
import { isServed } from '../../src/store/presence.ts';
import { loadState } from '../../src/store/state.ts';
import { administer, createPostgresDatabase, type TestDatabase } from '../support/databases.ts';
import { until } from '../support/patience.ts';
import { openInProcesses } from '../support/process.ts';
import { holding } from '../support/holding.ts';
import { merge, openingError, record, storedReviews, TestStore } from '../support/store.ts';
import {
  LONGEST,
  publish,
  save,
  storedSubscriptions,
  subscribe,
  takeDeliveries,
} from '../support/subscriptions.ts';

const INIT = new URL('../../deploy/postgres-init.sql', import.meta.url);

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

/** The URL of the store with a change. */
function urlWith(change: (url: URL) => void): string {
  const url = new URL(store.url);
  change(url);
  return url.href;
}

describe('opening', () => {
  let empty: TestDatabase;
  beforeEach(async () => {
    empty = await createPostgresDatabase('template0');
  });
  afterEach(() => empty.remove());

  test('an empty database by several processes at once migrates once without errors', async () => {
    await openInProcesses(empty.url);
    const opened = await Database.open(empty.url);
    expect(await loadState(opened.read)).toMatchObject({ contentVersion: 1 });
    await opened.close();
  });

  test('an empty database is new, and only the first time', async () => {
    for (const isNew of [true, false]) {
      const opened = await Database.open(empty.url);
      expect(opened.isNew).toBe(isNew);
      await opened.close();
    }
  });

  test.each([
    ['a wrong password', (url: URL) => (url.password = 'wrong'), 'password authentication failed'],
    ['an unknown database', (url: URL) => (url.pathname = '/nothing'), 'does not exist'],
  ])('with %s is an input error without the password', async (_, change, reason) => {
    const error = await openingError(urlWith(change));
    expect(error).toBeInstanceOf(InputError);
    const { message } = error as Error;
    expect(message).toMatch(/^DATABASE_URL: the database \w+ at 127\.0\.0\.1 cannot be used: /);
    expect(message).toContain(reason);
    expect(message).not.toContain('wrong@');
  });

  test('as a user without the privilege to create tables is an input error that says so', async () => {
    const name = `reader_${new URL(empty.url).pathname.slice(-8)}`;
    await administer(`create role ${name} login password 'reader'`);
    const url = new URL(empty.url);
    [url.username, url.password] = [name, 'reader'];
    const error = await openingError(url.href);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toContain('permission denied for schema public');
    await administer(`drop role ${name}`);
  });

  test('without a password says where it belongs', async () => {
    const error = await openingError(urlWith((url) => (url.password = '')));
    expect((error as Error).message).toMatch(/used: no password: set PGPASSWORD, or put it into/);
  });

  test('without a server is one line, and not an input error', async () => {
    const error = await openingError(urlWith((url) => (url.port = '1')));
    expect(error).toBeInstanceOf(UnavailableError);
    expect((error as Error).message).toMatch(
      /^the database test_\w+ at 127\.0\.0\.1 cannot be reached: .*ECONNREFUSED/,
    );
  });
});

/** Waits until a transaction waits for a lock. */
function somebodyWaits(): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return until(async () => (await waiting.execute(database.read)).rows.length > 0);
}

describe('while a transaction has not ended', () => {
  test('another request for its host waits, and then counts it', async () => {
    const limits = { maxPerHost: 1, maxPending: 10, maxSubscriptions: 0 };
    const { on, isDone, commit } = holding(database);
    const first = save(on, { callback: 'https://reader.example/1' }, 0, limits);
    await isDone;
    const second = save(await store.open(), { callback: 'https://reader.example/2' }, 0, limits);
    const other = save(await store.open(), { callback: 'https://other.example/' }, 0, limits);
    await somebodyWaits();
    expect(await other).toBe('saved');
    commit();
    expect([await first, await second]).toEqual(['saved', 'host_full']);
  });

  test('its publish claim cannot be taken over', async () => {
    await claimPublishing(database, 'slow', 0, 1);
    const { on, isDone, commit } = holding(database);
    const slow = saveSnapshot(on, 'slow', { number: 1, manifest: '[]', parts: new Map() });
    await isDone;
    const other = claimPublishing(await store.open(), 'other', 10, 20);
    await somebodyWaits();
    commit();
    await slow;
    expect(await other).toBe(true);
  });

  test('that marks deliveries as pending, a dispatcher waits; two dispatchers do not wait for each other', async () => {
    await subscribe(database);
    await claimPublishing(database, 'p', 0, 1);
    const turn = async () =>
      (await store.open()).write((transaction) => Promise.resolve(transaction), {
        lock: { shared: 'deliveries' },
      });
    const held = holding(await store.open());
    const first = held.on.write((transaction) => Promise.resolve(transaction), {
      lock: { shared: 'deliveries' },
    });
    await held.isDone;
    await turn();
    const next = { number: 7, changedTopics: ['/feed.xml'], publishedAtMs: 1 };
    const publishing = switchSnapshot(database, 'p', 1, next);
    await somebodyWaits();
    expect(await storedSubscriptions(database)).toMatchObject([{ pending_snapshot: 0 }]);
    held.commit();
    await Promise.all([first, publishing]);
    expect(await storedSubscriptions(database)).toMatchObject([{ pending_snapshot: 7 }]);
  });
});

test('rows that one dispatcher is claiming are skipped by another, without waiting', async () => {
  await subscribe(database, [
    { callback: 'https://one.example/' },
    { callback: 'https://two.example/' },
  ]);
  await publish(database, ['/feed.xml'], 5, 1);
  const ready = { nowMs: 10, pendingBeforeMs: 10, snapshot: 5, ...LONGEST };
  const { on, isDone, commit } = holding(database);
  const first = takeDeliveries(on, 'one', ready, { limit: 1 });
  await isDone;
  const second = await takeDeliveries(await store.open(), 'two', ready);
  commit();
  const callbacks = [...(await first), ...second].map(({ callback }) => callback);
  expect(callbacks.toSorted()).toEqual(['https://one.example/', 'https://two.example/']);
});

test.each([
  ['reading and writing', 'access exclusive', 'wrong: database'],
  ['writing', 'exclusive', 'warning: lock'],
])(
  'a session that keeps others from %s: one line in time, and doctor names it',
  async (_, mode, last) => {
    const other = holding(database);
    const locking = other.on.write((transaction) =>
      sql`lock table reviews, state, imports in ${sql.raw(mode)} mode`.execute(transaction),
    );
    await other.isDone;
    const command = await Database.open(store.url, 'command', 50);
    await expect(merge(command, [record()])).rejects.toThrow(
      /^the database \w+ at 127\.0\.0\.1 is locked: look for the session that holds the lock$/,
    );
    const { findings } = await checkStore(parseConfig({ DATABASE_URL: store.url }), Date.now());
    const faults = findings.filter(({ check }) => ['lock', 'database'].includes(check));
    expect(faults[0]?.action).toMatch(/^end the session with the process id \d+: psql/);
    expect(`${faults.at(-1)?.status}: ${faults.at(-1)?.check}`).toBe(last);
    other.commit();
    await locking;
    await merge(command, [record()]);
    await command.close();
  },
);

test('text is sorted bytewise, whatever the locale of the database', async () => {
  const name = `language_${new URL(store.url).pathname.slice(-8)}`;
  await administer(
    `create database ${name} template template0 locale_provider icu icu_locale 'en-US' locale 'C'`,
  );
  const other = await Database.open(urlWith((url) => (url.pathname = `/${name}`)));
  for (const callback of ['https://b.example/', 'https://B.example/', 'https://a.example/é']) {
    await subscribe(other, [{ callback, callback_key: callback }]);
  }
  const rows = await other.read
    .selectFrom('subscriptions')
    .select('callback')
    .orderBy('callback')
    .execute();
  expect(rows.map(({ callback }) => callback)).toEqual([
    'https://B.example/',
    'https://a.example/é',
    'https://b.example/',
  ]);
  await other.close();
  await administer(`drop database ${name} with (force)`);
});

test('the role of deploy/postgres-init.sql can do everything the program does, and nothing in another database', async () => {
  const suffix = new URL(store.url).pathname.slice(-8);
  const [role, name] = [`role_${suffix}`, `name_${suffix}`];
  const script = (await readFile(INIT, 'utf8'))
    .replaceAll(/database public_reviews\b/g, `database ${name}`)
    .replaceAll('role public_reviews', `role ${role}`)
    .replaceAll('to public_reviews', `to ${role}`)
    .replace(':password', "'secret'");
  const [outside = '', inside = ''] = script.split('\\connect public_reviews');
  const statements = (text: string) =>
    text
      .replaceAll(/^--.*$/gm, '')
      .split(';')
      .map((each) => each.trim())
      .filter(Boolean);
  for (const statement of statements(outside)) await administer(statement);
  const there = new URL(inject('postgresUrl'));
  there.pathname = `/${name}`;
  for (const statement of statements(inside)) await administer(statement, there.href);
  [there.username, there.password] = [role, 'secret'];
  const limited = await Database.open(there.href);
  expect(await merge(limited, [record()])).toMatchObject({ added: 1 });
  await subscribe(limited);
  const received: unknown[] = [];
  const listener = limited.listen((notification) => received.push(notification));
  await until(() => received.length > 0);
  const copied = await copyStore(limited, database, () => undefined);
  expect(copied).toMatchObject({ reviews: 1, subscriptions: 1 });
  await listener.close();
  await limited.close();
  await administer(`drop database ${name} with (force)`);
  await administer(`drop role ${role}`);
});

test('a full disk fails a merge as unavailable, changes nothing, and keeps the connection', async () => {
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(
    database.read,
  );
  await sql`create trigger refused before insert on reviews for each row execute function refuse()`.execute(
    database.read,
  );
  const before = await loadState(database.read);
  const error = await merge(database, [record()]).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).not.toBeInstanceOf(ConnectionLostError);
  expect((error as Error).message).toMatch(/^the disk of .+ is full: make room$/);
  expect(await loadState(database.read)).toEqual(before);
  await sql`drop trigger refused on reviews`.execute(database.read);
  expect(await merge(database, [record()])).toMatchObject({ added: 1 });
});

describe('a statement that PostgreSQL cannot run now fails as unavailable', () => {
  const failing = (work: (database: Database) => Promise<unknown>) =>
    work(database).then(
      () => null,
      (error: unknown) => error,
    );
  const refusing = (code: string) => (on: Database) =>
    on.write(async (transaction) => {
      await sql`do ${sql.lit(`begin raise exception 'no' using errcode = '${code}'; end`)}`.execute(
        transaction,
      );
    });

  test.each([
    ['57014', /took too long: look for a session that holds a lock$/],
    ['55P03', /is locked: look for the session that holds the lock$/],
    ['25006', /is read-only: connect to the primary, or make room on it$/],
    ['53200', /ran out of memory or connections: see its log$/],
    ['58030', /could not read or write a file: see its log$/],
  ])('with code %s', async (code, message) => {
    // What waits for a lock is tried again for as long as this.
    const impatient = await Database.open(store.url, 'command', 0);
    const error = await refusing(code)(impatient).catch((fault: unknown) => fault);
    await impatient.close();
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).not.toBeInstanceOf(ConnectionLostError);
    expect((error as Error).message).toMatch(message);
    expect((await loadState(database.read)).contentVersion).toBe(1);
  });

  test('but not for a fault of this program', async () => {
    const error = await failing((on) => sql`select no_such_column`.execute(on.read));
    expect(error).not.toBeInstanceOf(UnavailableError);
  });

  test('also if its database was dropped, as before a restore', async () => {
    const dropped = await createPostgresDatabase();
    const server = await Database.open(dropped.url, 'server');
    await dropped.remove();
    for (const _ of [1, 2]) {
      expect(await failing(() => loadState(server.read))).toBeInstanceOf(UnavailableError);
    }
    await server.close();
  });
});

describe('stores with schemas of their own in one database', () => {
  const urlOf = (schema: string) => withSchema(store.url, schema);

  test('have nothing of each other: content, locks, notifications, presence', async () => {
    const [a, b] = await Promise.all([
      Database.open(urlOf('a.example'), 'server'),
      Database.open(urlOf('b.example'), 'server'),
    ]);
    const heard: string[] = [];
    const listener = b.listen((notification) => notification && heard.push(notification));
    await until(() => listener.isConnected);
    await merge(a, [record({ text: 'Of a alone.' })]);
    expect([await storedReviews(a), await storedReviews(b), await storedReviews(database)]).toEqual(
      [[expect.objectContaining({ text: 'Of a alone.' })], [], []],
    );
    // One holds the lock of its content while the other takes its own.
    const locked = { lock: { exclusive: 'content' } } as const;
    await a.write(() => b.write(() => Promise.resolve(), locked), locked);
    await b.write(() => Promise.resolve(), { notifies: 'requests' });
    await until(() => heard.length > 0);
    expect(heard).toEqual(['requests']);
    await a.close();
    expect(await isServed(urlOf('a.example'))).toBe(false);
    expect(await isServed(urlOf('b.example'))).toBe(true);
    await listener.close();
    expect(await isServed(urlOf('b.example'))).toBe(false);
    await b.drop();
    await b.close();
    expect(await Database.exists(urlOf('b.example'))).toBe(false);
    expect(await Database.exists(urlOf('a.example'))).toBe(true);
  });

  test('share connections, on which each sees its own, and one that notifies', async () => {
    const names = Array.from({ length: 40 }, (_, number) => `s${number}.example`);
    const heard: string[] = [];
    const stores = await Promise.all(names.map((name) => Database.open(urlOf(name), 'server')));
    const listeners = stores.map((each, number) =>
      each.listen((notification) => notification && heard.push(`${number} ${notification}`)),
    );
    await Promise.all(stores.map((each, at) => merge(each, [record({ text: `Of ${at}.` })])));
    await until(() => listeners.every(({ isConnected }) => isConnected));
    const texts = async (each: Database) => (await storedReviews(each)).map(({ text }) => text);
    const several = names.flatMap(() => [0, 1, 2]);
    const found = await Promise.all(several.map((_, at) => texts(stores[at % 40] as Database)));
    expect(found).toEqual(several.map((_, at) => [`Of ${at % 40}.`]));
    const connected = await administer(
      `select application_name as name, count(*)::int from
      pg_stat_activity where datname = current_database() and application_name ~ 'server|listener'
      group by 1 order by 1`,
      store.url,
    );
    const [listening, serving] = connected as { name: string; count: number }[];
    expect(listening).toEqual({ name: 'public-reviews listener', count: 1 });
    expect(serving?.count).toBeLessThanOrEqual(20);
    await listeners[7]?.close();
    heard.length = 0;
    const [quiet, ...others] = [stores[7], ...stores.filter((_, at) => at !== 7)] as Database[];
    await quiet?.write(() => Promise.resolve(), { notifies: 'requests' });
    const tell = (each: Database) => each.write(() => Promise.resolve(), { notifies: 'requests' });
    await Promise.all(others.map(tell));
    const expected = names.flatMap((_, at) => (at === 7 ? [] : `${at} requests`));
    await until(() => expected.every((each) => heard.includes(each)));
    expect(heard).not.toContain('7 requests');
    await stores[0]?.close();
    expect(await texts(stores[1] as Database)).toEqual(['Of 1.']);
    await Promise.all(listeners.map((each) => each.close()));
    await Promise.all(stores.slice(1).map((each) => each.close()));
  });
});
