// `doctor` finds planted faults in the settings and the store, and names what mends each.

import { chmod, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { diagnose, runDoctor } from '../../src/commands/doctor/doctor.ts';
import { checkNode, checkSettings } from '../../src/commands/doctor/configuration.ts';
import {
  checkBusiness,
  checkContent,
  checkFile,
  checkStore,
} from '../../src/commands/doctor/database.ts';
import type { Finding } from '../../src/commands/doctor/finding.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import { ReportedError } from '../../src/errors.ts';
import { UNNAMED_BUSINESS } from '../../src/model/business.ts';
import { inspectStore } from '../../src/store/inspect.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { Workplace } from '../support/process.ts';
import { BUSINESS } from '../support/reviews.ts';
import { capture } from '../support/run-command.ts';
import { merge, record } from '../support/store.ts';
import { subscribe } from '../support/subscriptions.ts';

let place: Workplace;
let path: string;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
  path = place.databaseUrl.slice('sqlite:'.length);
});
afterEach(() => place.close());

const configOf = (values: Record<string, string> = {}): Config =>
  parseConfig({ ...place.environment, ...values });
/** A store whose content counts as published. */
const fill = (...records: Record<string, unknown>[]) =>
  place.look(async (database) => {
    await merge(database, records, { business: BUSINESS });
    await database.read
      .updateTable('state')
      .set((set) => ({ published_version: set.ref('content_version') }))
      .execute();
  });
const storeFindings = async (nowMs = Date.now()) => [
  ...(await checkStore(configOf(), nowMs)).findings,
];

/** The findings that are not ok, as status and check, with what to do. */
function faults(findings: readonly Finding[]): [string, string, string][] {
  return findings.flatMap(({ status, check, message, action }) =>
    status === 'ok' ? [] : [[`${status}: ${check}`, message, action ?? '']],
  );
}

const contains = (text: string): string => expect.stringContaining(text) as string;

describe('of a sound store', () => {
  test('finds nothing, and states sizes', async () => {
    await fill(record(), record({ source_id: 'b', text: 'Quick.' }));
    const findings = await storeFindings();
    expect(faults(findings)).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      'permissions',
      'disk',
      'write-ahead log',
      'version',
      'integrity',
      'clock',
      'published',
      'sizes',
      'hub',
      'business',
      'transparency log',
    ]);
    expect(findings.find(({ check }) => check === 'sizes')?.message).toMatch(
      /^2 reviews, \d+\.\d [kM]B; 0 reviews added in the last 30 days$/,
    );
    await place.importHere(
      await place.write('more.json', [record({ source_id: 'c', text: 'Late.' })]),
    );
    const later = await storeFindings();
    expect(later.find(({ check }) => check === 'sizes')?.message).toMatch(/; 1 reviews added in/);
  });
});

describe('a planted fault is found, and its mend named:', () => {
  test('an old Node', () => {
    expect(checkNode('24.0.0').status).toBe('ok');
    expect(faults([checkNode('22.9.0')])).toEqual([
      ['wrong: node', 'Node 22.9.0 is too old', contains('install Node 24 or newer')],
    ]);
  });

  test('bad settings, all at once', async () => {
    const load = () => parseConfig({ PORT: 'x', METRICS: 'y' });
    expect(faults(await diagnose(load, 0))).toEqual([
      ['wrong: settings', contains('PORT: expected an integer'), contains('correct the variable')],
      ['wrong: settings', contains('METRICS: expected "on"'), contains('correct the variable')],
    ]);
  });

  test('a settings file with a key that others may read', async () => {
    const file = await place.write('settings.json', {});
    const config = configOf({ MCP_SESSION_KEY: 'k'.repeat(32) });
    await chmod(file, 0o644);
    expect(faults(checkSettings(config, file))).toEqual([
      ['warning: settings', contains('may be read by other users'), `run: chmod 600 ${file}`],
    ]);
    expect(faults(checkSettings(configOf(), file))).toEqual([]);
    await chmod(file, 0o600);
    expect(faults(checkSettings(config, file))).toEqual([]);
  });

  test('proxies that are not trusted, or trusted without being there', () => {
    const check = (values: Record<string, string>) => faults(checkSettings(configOf(values), ''));
    expect(check({ BASE_URL: 'https://a.example' })).toEqual([
      ['warning: proxy headers', contains('all clients look like one'), contains('TRUST_PROXY=1')],
    ]);
    expect(check({ TRUST_PROXY: '1', HOST: '0.0.0.0' })).toEqual([
      ['warning: proxy headers', contains('choose their address'), contains('TRUST_PROXY=off')],
    ]);
    expect(check({ BASE_URL: 'https://a.example', TRUST_PROXY: '1', HOST: '::' })).toEqual([]);
  });

  test('no store, which is not created', async () => {
    expect(faults(await storeFindings())).toEqual([
      ['wrong: database', `there is no store at ${path}`, contains('set DATABASE_URL')],
    ]);
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  test('what a killed restore left, also without a store', async () => {
    const left = join(place.folder, 'public-reviews-restore-a1b2c3');
    await mkdir(left);
    await writeFile(join(left, 'lock'), '');
    expect(faults(await storeFindings())).toEqual([
      ['warning: leftovers', contains(`left ${left}, which may have`), contains('each removes it')],
      ['wrong: database', contains('there is no store'), contains('set DATABASE_URL')],
    ]);
  });

  test('a file that others may read', async () => {
    await fill(record());
    await chmod(path, 0o644);
    expect(faults(await storeFindings())).toEqual([
      ['warning: permissions', contains('other users may read'), `run: chmod 600 ${path}`],
    ]);
  });

  test('a store of a newer version, and of an older one, which is not migrated', async () => {
    await fill(record());
    change(`insert into kysely_migration values ('9999-later', '2030-01-01')`);
    expect(faults(await storeFindings())).toEqual([
      ['wrong: version', 'a newer version wrote the store', contains('run that version')],
    ]);
    change(`delete from kysely_migration where name like '9999%' or name like '%-imports'`);
    // It is not used at all: tables may be missing.
    change('drop table imports');
    expect(faults(await storeFindings())).toEqual([
      ['warning: version', contains('an older version wrote the store'), contains('back up with')],
    ]);
    const opened = new DatabaseSync(path);
    const rows = opened
      .prepare(`select name from kysely_migration where name like '%-imports'`)
      .all();
    opened.close();
    expect(rows).toEqual([]);
  });

  test('a disk with too little space, and a log that is not emptied', () => {
    const MB = 1_000_000;
    const check = (bytes: number, freeBytes: number, walBytes = 0) =>
      faults(
        checkFile({
          path,
          exists: true,
          mode: 0o600,
          isWritable: true,
          bytes,
          freeBytes,
          walBytes,
        }),
      );
    expect(check(500 * MB, 1000 * MB)).toEqual([]);
    const room = contains('make room on the disk of the store');
    expect(check(500 * MB, 999 * MB)).toEqual([
      ['warning: disk', '999.0 MB free beside a store of 500.0 MB', room],
    ]);
    expect(check(MB, 99 * MB)).toEqual([['warning: disk', contains('99.0 MB free'), room]]);
    expect(check(500 * MB, 104 * MB)).toEqual([['wrong: disk', contains('104.0 MB free'), room]]);
    expect(check(MB, 0)).toEqual([['wrong: disk', '0 bytes free beside a store of 1.0 MB', room]]);
    expect(check(MB, 1000 * MB, 300 * MB)).toEqual([
      [
        'warning: write-ahead log',
        contains('-wal has 300.0 MB'),
        contains('start the server again'),
      ],
    ]);
  });

  test('a file that this user may not write', () => {
    const file = { path, exists: true, mode: 0o600, bytes: 1, freeBytes: 10 ** 9, walBytes: 0 };
    expect(faults(checkFile({ ...file, isWritable: false }))).toEqual([
      ['wrong: permissions', `this user may not write ${path}`, contains('chown')],
    ]);
  });

  test("a clock that differs from the database's", async () => {
    await fill(record());
    const found = await place.look(async (database) => {
      const inspection = await inspectStore(database, { nowMs: Date.now(), sinceMs: 0 });
      return [6_000, -90_000].map((clockAheadMs) =>
        faults(checkContent({ ...inspection, clockAheadMs }, Date.now())),
      );
    });
    const chrony = contains('synchronise the clocks');
    expect(found).toEqual([
      [['warning: clock', "this machine's clock is 6 s ahead of the database's", chrony]],
      [['wrong: clock', "this machine's clock is 90 s behind the database's", chrony]],
    ]);
  });

  test('no business, or one of an unknown vertical or with values that cannot be meant', () => {
    const check = (name: string, vertical: string) =>
      faults([checkBusiness({ ...UNNAMED_BUSINESS, name, vertical })]);
    expect(check(UNNAMED_BUSINESS.name, 'general')).toEqual([
      ['warning: business', contains('insights look only for'), contains('"init"')],
    ]);
    expect(check('Harbor Air', 'spaceflight')).toEqual([
      [
        'warning: business',
        contains('"vertical" is "spaceflight", which is unknown'),
        contains('correct'),
      ],
    ]);
    expect(check('Harbor Air', 'hospitality-and-travel')).toEqual([]);
    expect(check('Harbor Air', 'general')).toEqual([]);
    const odd = { ...UNNAMED_BUSINESS, name: 'Harbor Air', telephone: 'DE' };
    expect(faults([checkBusiness(odd)])).toEqual([
      [
        'warning: business',
        contains('telephone: expected a telephone number'),
        contains('correct'),
      ],
    ]);
  });

  test('an empty database', async () => {
    change('create table other (a text)');
    await chmod(path, 0o600);
    expect(faults(await storeFindings())).toEqual([
      ['wrong: version', contains('the database is empty'), contains('check DATABASE_URL')],
    ]);
  });

  test('a damaged database', async () => {
    await fill(...Array.from({ length: 50 }, (_, turn) => record({ source_id: `${turn}` })));
    change('pragma wal_checkpoint(truncate)');
    const size = (await readFile(path)).length;
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(size - 4096 * 2, 0xff), 0, size - 4096 * 2, 4096);
    await file.close();
    const found = faults(await storeFindings());
    expect(found.at(-1)?.[0]).toMatch(/^wrong: (?:integrity|database)$/);
    expect(found.at(-1)?.slice(1).join(' ')).toContain('restore a backup');
  });

  test('a file that is no database', async () => {
    await writeFile(path, 'x'.repeat(8192), { mode: 0o600 });
    expect(faults(await storeFindings())).toEqual([
      ['wrong: database', contains('cannot be opened'), contains('check DATABASE_URL')],
    ]);
  });

  test('a publish that is pending, and reviews of which none is verified', async () => {
    await fill(record({ verified: undefined }));
    expect(faults(await storeFindings())).toEqual([
      ['warning: published', '1 reviews are stored, none is verified', contains('--verified-by')],
    ]);
    await place.look((database) => merge(database, [record({ source_id: 'b' })]));
    expect(faults(await storeFindings())).toEqual([
      ['warning: published', 'changes are not published yet', contains('start the server')],
    ]);
  });

  test('a store without reviews, and one with the example', async () => {
    await fill();
    expect(faults(await storeFindings())).toEqual([
      ['warning: published', 'there are no reviews', contains('import them')],
    ]);
    await place.look(({ read }) => read.updateTable('state').set({ example: 1 }).execute());
    expect(faults(await storeFindings())).toEqual([
      ['warning: published', 'the store has the example business', contains('without --example')],
    ]);
  });

  test('deliveries that all fail, or some', async () => {
    await fill(record());
    await place.look(async (database) => {
      const callbacks = ['https://one.example/', 'https://other.example/'];
      const leases = callbacks.map((callback) => ({ callback, lease_seconds: 100_000 }));
      await subscribe(database, leases, Date.now());
      await database.read
        .updateTable('subscriptions')
        .set({ failures: 1 })
        .where('callback', '=', 'https://one.example/')
        .execute();
    });
    expect(faults(await storeFindings())).toEqual([
      ['warning: hub', 'deliveries to 1 of 2 subscriptions fail', contains('subscriptions list')],
    ]);
    await place.look(({ read }) =>
      read.deleteFrom('subscriptions').where('failures', '=', 0).execute(),
    );
    expect(faults(await storeFindings())).toEqual([
      ['wrong: hub', 'deliveries to 1 of 1 subscriptions fail', contains('outgoing HTTPS and DNS')],
    ]);
  });

  test('a clock that is behind the store', async () => {
    await fill(record());
    await place.look(async ({ read }) => {
      const manifest = JSON.stringify({ number: 1, publishedAt: 2_000_000_000 });
      await read.insertInto('snapshots').values({ number: 1, manifest }).execute();
      await read.updateTable('state').set({ snapshot_number: 1 }).execute();
    });
    expect(faults(await storeFindings())).toEqual([
      ['warning: clock', contains('in the future of this machine'), contains('synchronise')],
    ]);
    expect(faults(await storeFindings(2_000_000_000_000))).toEqual([]);
  });

  test('no address', async () => {
    await fill(record());
    const findings = await diagnose(() => configOf(), Date.now());
    expect(faults(findings)).toEqual([
      ['warning: address', contains('no public address is set'), contains('set BASE_URL')],
    ]);
  });
});

describe('the command', () => {
  test('prints a line for each check, what to do, and fails if anything is wrong', async () => {
    await fill(record());
    const sound = await capture(() => runDoctor(() => configOf(), {}));
    expect(sound.stdout).toMatch(/^ok {7}integrity +the database is intact$/m);
    expect(sound.stdout).toMatch(/^warning {2}address .*\n +-> set BASE_URL/m);
    expect(sound.stdout).toContain('\n0 wrong, 1 warnings\n');
    await rm(path);
    let printed = '';
    const failed = capture(async () => {
      try {
        await runDoctor(() => configOf(), { json: true });
      } finally {
        printed = 'done';
      }
    });
    await expect(failed).rejects.toThrow(ReportedError);
    expect(printed).toBe('done');
  });
});

/** Changes the store as another program could. */
function change(statement: string): void {
  const opened = new DatabaseSync(path);
  opened.exec(statement);
  opened.close();
}
