// Backups: of either kind of database, into either, complete or not there at all.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { type BackupFlags, runBackup } from '../../src/commands/store/backup.ts';
import { runImport } from '../../src/commands/import/import.ts';
import { runRestore } from '../../src/commands/store/restore.ts';
import { originOf } from '../../src/commands/operator.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import { digestTable } from '../../src/store/backup/backup.ts';
import { checkBackup } from '../../src/store/backup/backup-check.ts';
import { UnavailableError } from '../../src/errors.ts';
import { Database } from '../../src/store/database.ts';
import { removeReviews } from '../../src/store/reviews/removals.ts';
import { newKeyring } from '../../src/publishing/log-keys.ts';
import { saveLogKeys } from '../../src/store/log/log.ts';
import { loadState } from '../../src/store/state.ts';
import { withFolder } from '../../src/store/temporary-files.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { pngOf } from '../support/logos.ts';
import { Workplace } from '../support/process.ts';
import { BUSINESS } from '../support/reviews.ts';
import { capture, type Written } from '../support/run-command.ts';
import { merge, record, storedReviews } from '../support/store.ts';
import { save, storedIntents, storedSubscriptions, subscribe } from '../support/subscriptions.ts';

let place: Workplace;
let file: string;
const others: TestDatabase[] = [];
const locks: DatabaseSync[] = [];
beforeEach(async () => {
  place = await Workplace.open();
  file = join(place.folder, 'backup.db');
  await place.look(async (database) => {
    await merge(database, [record({ source_id: 'a' }), record({ source_id: 'b', text: null })], {
      business: BUSINESS,
      logo: { bytes: pngOf(3, 2), icon: Buffer.of(0, 255) },
    });
    await subscribe(database, [{ secret: 'kept', lease_seconds: 100_000 }], Date.now());
    await save(database, { callback: 'https://pending.example/' });
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const other of others.splice(0)) await other.remove();
  for (const lock of locks.splice(0)) lock.close();
  await place.close();
});

const configOf = (databaseUrl: string): Config =>
  parseConfig({ ...place.environment, DATABASE_URL: databaseUrl });
const backUp = () => capture(() => runBackup(configOf(place.databaseUrl), file));
const restore = (url: string, replace = false): Promise<Written> =>
  capture(() => runRestore(configOf(url), file, { replace }));

/** An empty database of a kind. */
async function target(kind = inject('database')): Promise<TestDatabase> {
  const folder = join(place.folder, `target-${others.length}`);
  const created =
    kind === 'sqlite' ? sqliteDatabase(join(folder, 'reviews.db')) : await createDatabase(folder);
  others.push(created);
  return created;
}

/** Both databases have their own class for bytes. */
function textOf([column, value]: [string, unknown]): string {
  return `${column}: ${value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)}`;
}

/** The rows of the tables that matter. */
async function contentOf(url: string): Promise<Record<string, unknown[]>> {
  const database = await Database.open(url);
  const rows: Record<string, unknown[]> = {};
  for (const table of [
    'reviews',
    'business',
    'snapshots',
    'snapshot_parts',
    'analyses',
    'log_state',
    'log_bundles',
    'log_reviews',
  ] as const) {
    const found = await database.read.selectFrom(table).selectAll().execute();
    rows[table] = found.map((row) => JSON.stringify(Object.entries(row).map(textOf))).toSorted();
  }
  // The last backup is not in it.
  const [state] = await database.read.selectFrom('state').selectAll().execute();
  rows['state'] = [{ ...state, backed_up_at: null, backed_up_to: null }];
  rows['subscriptions'] = await storedSubscriptions(database);
  rows['intents'] = await storedIntents(database);
  await database.close();
  return rows;
}

test('a backup restores into either kind of database, whole', async () => {
  await capture(() => runImport(configOf(place.databaseUrl), [], { verifiedBy: 'invoice number' }));
  const { stdout } = await backUp();
  expect(stdout).toMatch(
    /^backed up 2 reviews, 1 subscriptions, and what is published into .*backup\.db \(\d+ bytes\)\ncontent [0-9a-f]{64}\n$/,
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const backups = async () =>
    (await readdir(place.folder)).filter((name) => name.includes('backup'));
  expect(await backups()).toEqual(['backup.db']);
  const expected = await contentOf(place.databaseUrl);
  expect(expected['snapshots']).toHaveLength(1);
  expect(expected['log_bundles']).toHaveLength(1);
  for (const kind of new Set([inject('database'), 'sqlite' as const])) {
    const { url } = await target(kind);
    const restored = await restore(url);
    expect(restored.stdout).toContain('restored 2 reviews, 1 subscriptions, and what is published');
    // The digest is that of the content, whatever the kind of database.
    expect(restored.stdout).toContain(/^content .*$/m.exec(stdout)?.[0]);
    expect(await contentOf(url)).toEqual(expected);
    // Reading it makes no log beside it, so it can be on a read-only disk.
    expect(await backups()).toEqual(['backup.db']);
    // New numbers continue after the restored ones.
    const database = await Database.open(url);
    await save(database, { callback: 'https://later.example/' });
    expect((await storedIntents(database)).map(({ number }) => number)).toEqual([2, 3]);
    await database.close();
  }
});

describe('a backup', () => {
  test('is of one moment, while others write', async () => {
    const writer = await Database.open(place.databaseUrl);
    const read = await Database.open(place.databaseUrl);
    await read.readConsistently(async (transaction) => {
      await transaction.selectFrom('reviews').selectAll().execute();
      await merge(writer, [record({ source_id: 'c' })]);
      await backUp();
      await merge(writer, [record({ source_id: 'd' })]);
    });
    await Promise.all([writer.close(), read.close()]);
    const { url } = await target();
    await restore(url);
    expect((await contentOf(url))['reviews']).toHaveLength(3);
  });

  test('replaces an earlier backup, and no other file', async () => {
    await backUp();
    const first = await readFile(file);
    await place.look((database) => merge(database, [record({ source_id: 'c' })]));
    await backUp();
    expect((await readFile(file)).equals(first)).toBe(false);
    await writeFile(file, 'notes');
    await expect(backUp()).rejects.toThrow(
      `${file}: expected the name of a new file or of an earlier backup`,
    );
    expect(await readFile(file, 'utf8')).toBe('notes');
    const { url } = await target('sqlite');
    await restoreNothing(url);
  });

  test('of an empty store is refused', async () => {
    const { url } = await target();
    await (await Database.open(url)).close();
    await expect(capture(() => runBackup(configOf(url), file))).rejects.toThrow('is empty');
    expect(existsSync(file)).toBe(false);
  });

  test('leaves nothing if the disk is full, and the earlier backup stays', async () => {
    await backUp();
    const before = await readFile(file);
    onReviewInsert(() => {
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    });
    await expect(backUp()).rejects.toThrow('is full: make room');
    vi.restoreAllMocks();
    expect((await readFile(file)).equals(before)).toBe(true);
    expect((await readdir(place.folder)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('says in one line that the disk is full, whatever is written first, and leaves nothing', async () => {
    let failures = 0;
    for (let call = 1; ; call += Math.ceil(call / 3)) {
      failAt(call);
      const error = await backUp().then(
        () => null,
        (reason: unknown) => reason,
      );
      vi.restoreAllMocks();
      if (error === null) break;
      expect([call, error]).toEqual([call, expect.any(UnavailableError)]);
      expect((error as Error).message).not.toContain('\n');
      expect(await readdir(place.folder)).not.toContainEqual(expect.stringContaining('backup'));
      failures += 1;
    }
    expect(failures).toBeGreaterThan(5);
    const noSpace = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    await expect(withFolder(place.folder, 'backup', () => Promise.reject(noSpace))).rejects.toThrow(
      `files in ${place.folder} cannot be written (ENOSPC: no space left): check`,
    );
  });

  test('that cannot be read back is not kept', async () => {
    onReviewInsert((values) => values.map((value) => (value === 'Karen W.' ? 'Karen V.' : value)));
    await expect(backUp()).rejects.toThrow('the backup is damaged (reviews was altered)');
    expect(existsSync(file)).toBe(false);
  });

  test('removes what killed ones left, and not what is at work', async () => {
    const [lockless, ofDead, ofLiving] = await leave(place.folder);
    const unfinished = ['0', '1'].map((digit) => `${file}.partial-${digit.repeat(12)}`);
    for (const path of unfinished) await writeFile(path, '');
    await utimes(unfinished[0]!, 0, 0);
    await backUp();
    const kept = [lockless!, ofDead!, ofLiving!, ...unfinished].map((path) => existsSync(path));
    expect(kept).toEqual([true, false, true, false, true]);
  });
});

/** The disk of the backup is full from a call of SQLite on. */
function failAt(call: number): void {
  let calls = 0;
  const { value: exec } = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'exec')!;
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function execOrFail(
    this: DatabaseSync,
    text,
  ) {
    const isBackup = this.location()?.includes('public-reviews-backup-') === true;
    if (isBackup && !/^(?:rollback|begin exclusive)$/.test(text)) calls += 1;
    if (isBackup && calls >= call) {
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    }
    (exec as typeof this.exec).call(this, text);
  });
}

/** Makes folders as processes have them: one that has no lock yet, one that is dead, and one that lives. */
async function leave(parent: string): Promise<string[]> {
  const paths = ['lockless', 'dead', 'living'].map((name) =>
    join(parent, `public-reviews-restore-${name}`),
  );
  for (const path of paths) {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'backup.db'), '');
  }
  await writeFile(join(paths[1]!, 'lock'), '');
  const lock = new DatabaseSync(join(paths[2]!, 'lock'));
  lock.exec('begin exclusive');
  locks.push(lock);
  return paths;
}

/** Changes the values of the reviews that are written into a backup. */
function onReviewInsert(alter: (values: SQLInputValue[]) => SQLInputValue[]): void {
  const { value: run } = Object.getOwnPropertyDescriptor(StatementSync.prototype, 'run')!;
  const insert = (statement: StatementSync, values: SQLInputValue[]) =>
    (run as typeof statement.run).apply(statement, values as never);
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function runChanged(
    this: StatementSync,
    ...values
  ) {
    const isReview = this.sourceSQL.startsWith('insert into "reviews"');
    return insert(this, isReview ? alter(values as SQLInputValue[]) : (values as SQLInputValue[]));
  });
}

async function restoreNothing(url: string): Promise<void> {
  await expect(restore(url)).rejects.toThrow(`${file}: expected a file that "backup" made,`);
  expect(existsSync(url.slice('sqlite:'.length))).toBe(false);
}

describe('into a folder, a backup', () => {
  const intoFolder = (flags: BackupFlags) =>
    capture(() => runBackup(configOf(place.databaseUrl), join(place.folder, 'backups'), flags));
  const names = () => readdir(join(place.folder, 'backups'));

  test('has the name of its time, replaces the oldest of those that are kept, and is restored as a test', async () => {
    const first = await intoFolder({ keep: 2, verify: true });
    expect(first.stdout).toContain('restored into a temporary store, which has the same content\n');
    const [made] = await names();
    expect(made).toMatch(/^public-reviews-\d{8}T\d{6}Z\.db$/);
    const folder = join(place.folder, 'backups');
    const old = ['public-reviews-20200101T000000Z.db', 'public-reviews-20200102T000000Z.db'];
    for (const name of old) await copyFile(join(folder, made!), join(folder, name));
    // Neither a file of another name nor one that is no backup is removed.
    await copyFile(join(folder, made!), join(folder, 'mine.db'));
    await writeFile(join(folder, 'public-reviews-20190101T000000Z.db'), 'notes');
    const second = await intoFolder({ keep: 2 });
    const kept = await names();
    expect(kept).not.toContain(old[0]);
    expect(kept).toEqual(expect.arrayContaining(['mine.db', 'public-reviews-20190101T000000Z.db']));
    expect(second.stdout).toContain(`removed ${join(folder, old[0]!)}\n`);
    expect(kept.filter((name) => name.endsWith('Z.db'))).toHaveLength(3);
    // They may be what a log needs that is not signed.
    const keyring = JSON.stringify({ ...newKeyring(), restored: true });
    await place.look((database) => saveLogKeys(database, keyring));
    const third = await intoFolder({ keep: 1 });
    expect(third.stderr).toContain(
      'no older backup was removed, because of the log: the store was restored',
    );
    expect(await names()).toEqual(expect.arrayContaining(kept));
  });

  test('makes the folder that a path with a slash at its end names', async () => {
    const folder = join(place.folder, 'new');
    await capture(() => runBackup(configOf(place.databaseUrl), `${folder}/`));
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^public-reviews-.+Z\.db$/)]);
    await backUp();
    const taken = capture(() => runBackup(configOf(place.databaseUrl), `${file}/`));
    await expect(taken).rejects.toThrow('expected a folder that can be made');
  });

  test('needs a folder to keep so many in', async () => {
    await backUp();
    const config = configOf(place.databaseUrl);
    await expect(capture(() => runBackup(config, file, { keep: 3 }))).rejects.toThrow(
      `${file}: expected a folder, because of --keep; got a file`,
    );
  });

  test('that is restored with other content is not kept', async () => {
    let copies = 0;
    onReviewInsert((values) => {
      copies += 1;
      // The rows of the backup, and then those of the store that it is compared with.
      return copies > 2
        ? values.map((value) => (value === 'Karen W.' ? 'Karen V.' : value))
        : values;
    });
    await expect(intoFolder({ verify: true, keep: 1 })).rejects.toThrow('differs from it');
    expect(await names()).toEqual([]);
  });
});

test('a backup records when and where it was made, and what is restored knows it', async () => {
  const recorded = (url: string) =>
    place.look(async () => {
      const database = await Database.open(url);
      const { backedUpAtMs, backedUpTo } = await loadState(database.read);
      await database.close();
      return [backedUpAtMs, backedUpTo];
    });
  expect(await recorded(place.databaseUrl)).toEqual([null, null]);
  await backUp();
  const { url } = await target();
  const { made_at: madeAt } = checkBackup(file);
  await restore(url);
  const made = [Date.parse(madeAt), resolve(file)];
  expect([await recorded(place.databaseUrl), await recorded(url)]).toEqual([made, made]);
});

test('a restore says how many removals it undoes, or that it may undo some', async () => {
  const remove = () =>
    place.look(async (store) => {
      const [{ id } = { id: '' }] = await storedReviews(store);
      await removeReviews(store, [id], 'error', originOf('remove'));
    });
  await backUp();
  // Nothing tells what was removed from a store that has no records.
  const { url } = await target();
  expect((await restore(url)).stdout).toContain('what was removed since the backup is back: run "');
  await remove();
  await backUp();
  expect((await restore(place.databaseUrl, true)).stdout).not.toContain('removed since');
  await remove();
  expect((await restore(place.databaseUrl, true)).stdout).toContain(
    '1 review removed since the backup is back: run "',
  );
});

describe('a restore', () => {
  test('of a file that is not there says so', async () => {
    const { url } = await target('sqlite');
    await expect(restore(url)).rejects.toThrow(`${file}: no such file`);
    expect(existsSync(url.slice('sqlite:'.length))).toBe(false);
  });

  test('that fails leaves no new store', async () => {
    await backUp();
    const { url } = await target('sqlite');
    onReviewInsert(() => {
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    });
    await expect(restore(url)).rejects.toThrow('is full');
    expect(await readdir(dirname(url.slice('sqlite:'.length)))).toEqual([]);
  });

  test('that fails keeps a new store that another process has filled meanwhile', async () => {
    await backUp();
    const { url } = await target('sqlite');
    const path = url.slice('sqlite:'.length);
    vi.spyOn(process.stderr, 'write').mockImplementationOnce((text) => {
      expect(text).toContain('created a new store');
      const other = new DatabaseSync(path);
      other.exec(`insert into secrets values ('its', 'own')`);
      other.close();
      return true;
    });
    await expect(runRestore(configOf(url), file, {})).rejects.toThrow('is not empty');
    expect(existsSync(path)).toBe(true);
  });

  test('into the store of a running server needs --force, and is served', async () => {
    const server = await place.serveHere();
    const served = (count: number) =>
      server.until('/reviews.json', ({ reviews }) => reviews.length === count);
    const [{ length: before }] = [(await server.json('/reviews.json')).reviews];
    await backUp();
    await place.importHere(await place.write('more.json', [record({ source_id: 'c' })]));
    await served(before + 1);
    const { snapshot } = await server.json('/readyz');
    const config = configOf(place.databaseUrl);
    const withFlags = (flags: Parameters<typeof runRestore>[2]) =>
      capture(() => runRestore(config, file, flags));
    await expect(withFlags({ replace: true })).rejects.toThrow(
      /^"serve" uses the store .*: stop it first \(Ctrl and C/,
    );
    expect((await withFlags({ replace: true, force: true })).stdout).toContain(
      'restored 2 reviews',
    );
    // The next publish has a number that is served already.
    await served(before);
    await server.until('/readyz', ({ store }) => store.detail === undefined);
    expect(await server.json('/readyz')).toMatchObject({ snapshot, store: { status: 'ok' } });
    expect(server.log).toContain('as after a restore');
    await server.close();
    expect((await withFlags({ replace: true })).stdout).toContain('restored 2 reviews');
  });

  test('into a store that is not empty needs --replace', async () => {
    await backUp();
    const backedUp = await contentOf(place.databaseUrl);
    const { url } = await target();
    const other = await Database.open(url);
    await merge(other, [record({ source_id: 'other' })]);
    await expect(restore(url)).rejects.toThrow('is not empty: to replace everything in it, add --');
    expect(await storedReviews(other)).toMatchObject([
      { identity: expect.stringContaining('other') },
    ]);
    await other.close();
    await restore(url, true);
    expect(await contentOf(url)).toEqual(backedUp);
  });

  test.each([
    ['a row was changed', `update reviews set rating = 1`, 'reviews was altered'],
    ['a row is missing', `delete from business`, 'business has 0 rows instead of 1'],
    ['a table is missing', `drop table secrets`, 'no such table: secrets'],
    [
      'a table is an endless view',
      `drop table secrets; create view secrets as
        with recursive n (x) as (select 1 union all select x + 1 from n) select * from n`,
      'view "secrets"',
    ],
    [
      'a trigger waits',
      `create trigger waits after update on state begin delete from reviews; end`,
      'trigger "waits"',
    ],
  ])('of a backup in which %s is refused', async (_, statement, reason) => {
    await backUp();
    change(statement);
    const { url } = await target('sqlite');
    await expect(restore(url)).rejects.toThrow(`${file}: the backup is damaged (`);
    await expect(restore(url)).rejects.toThrow(reason);
    expect(existsSync(url.slice('sqlite:'.length))).toBe(false);
  });

  test.each([
    ['schema', `insert into kysely_migration values ('9999-later', '2030-01-01')`],
    ['format', `update backup set info = replace(info, '"format":1', '"format":2')`],
  ])('of a backup with a newer %s is refused, and changes neither', async (_, statement) => {
    await backUp();
    change(statement);
    const before = await readFile(file);
    const { url } = await target('sqlite');
    await expect(restore(url)).rejects.toThrow(
      `${file}: a newer version of this program made this backup (0.`,
    );
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(existsSync(url.slice('sqlite:'.length))).toBe(false);
  });

  test('removes the copy that a killed one left, and not one at work', async () => {
    await backUp();
    const { url } = await target('sqlite');
    const left = await leave(dirname(url.slice('sqlite:'.length)));
    await restore(url);
    expect(left.map((path) => existsSync(path))).toEqual([true, false, true]);
  });

  test.each([
    ['a number', `update reviews set rating = 3000000000`],
    ['a text', `update reviews set author = 'a' || char(0) || 'b'`],
  ])('of a backup with %s that PostgreSQL cannot store is refused by it', async (_, statement) => {
    await backUp();
    change(statement);
    sign();
    const { url } = await target();
    const other = await Database.open(url);
    await merge(other, [record({ source_id: 'other' })]);
    const before = await storedReviews(other);
    if (inject('database') === 'sqlite') await restore(url, true);
    else {
      await expect(restore(url, true)).rejects.toThrow(
        /^[^\n]+backup\.db: the backup is damaged \([^\n]+\): use another one$/,
      );
      expect(await storedReviews(other)).toEqual(before);
    }
    await other.close();
  });

  test('of a truncated file is refused', async () => {
    await backUp();
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, bytes.length / 2));
    const { url } = await target('sqlite');
    await expect(restore(url)).rejects.toThrow(/got another or a damaged one|is damaged/);
  });

  test('of an older backup migrates a copy, not the file', async () => {
    await backUp();
    // As the version before these tables and columns made it.
    const columns = {
      business: ['logo', 'icon', 'header'],
      reviews: ['verified_level', 'verified_at', 'title', 'location', 'attributes', 'ratings'],
      state: ['authors', 'erasing_version', 'forgotten', 'backed_up_at', 'backed_up_to'],
    };
    for (const [table, names] of Object.entries(columns)) {
      for (const name of names) change(`alter table ${table} drop column ${name}`);
    }
    const logTables = ['bundles', 'reviews', 'cosignatures'].map((name) => `log_${name}`);
    const imported = ['imports', 'suppressions', 'hidden_reviews'];
    const histories = ['review_history', 'review_identities', 'sources', 'proposals'];
    const later = [...imported, ...histories, 'log_state', 'witnessed_logs', ...logTables];
    for (const table of later) change(`drop table ${table}`);
    change('drop index reviews_by_author');
    const dropped = ['session_ends', 'hub_clients'];
    for (const table of dropped) change(`create table ${table} (id text)`);
    change(`delete from kysely_migration where name > '0008'`);
    const info = new DatabaseSync(file);
    const [row] = info.prepare('select info from backup').all();
    const parsed = JSON.parse(String(row?.['info'])) as { tables: Record<string, unknown> };
    for (const table of later) delete parsed.tables[table];
    for (const table of Object.keys(columns)) parsed.tables[table] = digestTable(info, table);
    for (const table of dropped) parsed.tables[table] = digestTable(info, table);
    info.prepare('update backup set info = ?').run(JSON.stringify(parsed));
    info.close();
    const before = await readFile(file);
    const { url } = await target();
    await restore(url);
    expect((await readFile(file)).equals(before)).toBe(true);
    expect((await contentOf(url))['reviews']).toHaveLength(2);
  });
});

/** Writes the digests of the tables as they are now. */
function sign(): void {
  const opened = new DatabaseSync(file);
  const [row] = opened.prepare('select info from backup').all();
  const info = JSON.parse(String(row?.['info'])) as { tables: Record<string, unknown> };
  for (const table of Object.keys(info.tables)) info.tables[table] = digestTable(opened, table);
  opened.prepare('update backup set info = ?').run(JSON.stringify(info));
  opened.close();
}

/** Changes the backup as its owner could. */
function change(statement: string): void {
  const opened = new DatabaseSync(file);
  opened.exec(statement);
  opened.close();
}
