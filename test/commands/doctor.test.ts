// `doctor` finds planted faults in the settings and the store, and names what mends each.

import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { diagnose, runDoctor } from '../../src/commands/doctor/doctor.ts';
import { checkNode, checkSettings } from '../../src/commands/doctor/configuration.ts';
import {
  checkBackups,
  checkBusiness,
  checkContent,
  checkFile,
  checkForecast,
  checkStore,
  type StoreFacts,
} from '../../src/commands/doctor/database.ts';
import type { Finding } from '../../src/commands/doctor/finding.ts';
import { checkAnalyser } from '../../src/commands/doctor/reachability.ts';
import { checkPort } from '../../src/commands/doctor/port.ts';
import { checkSources } from '../../src/commands/doctor/sources.ts';
import { runBackup } from '../../src/commands/store/backup.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import { ReportedError } from '../../src/errors.ts';
import { formatVerifierKey, newSeed, signingKey } from '../../src/log/notes.ts';
import { type Business, UNNAMED_BUSINESS } from '../../src/model/business.ts';
import { importSourcesSchema } from '../../src/model/import-source.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { inspectStore, type StoreFile, type StoreInspection } from '../../src/store/inspect.ts';
import { holdPresence } from '../../src/store/presence.ts';
import type { SourceRow, StateRow } from '../../src/store/schema.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { publishLog } from '../support/log.ts';
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
      .set((set) => ({
        published_version: set.ref('content_version'),
        backed_up_at: Date.now(),
      }))
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
      'lock',
      'integrity',
      'clock',
      'published',
      'sizes',
      'hub',
      'backup',
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

/** A fault, planting it, and what `doctor` says: status and check, message, mend. */
type Planted = readonly [
  fault: string,
  find: () => readonly Finding[] | Promise<readonly Finding[]>,
  ...expected: (readonly [checked: string, message: string, mend: string])[],
];

const MB = 1_000_000;
const DAY_MS = 86_400_000;
const check = (values: Record<string, string>) => checkSettings(configOf(values));
const checkWith = (variable: string, value: string) => {
  vi.stubEnv(variable, value);
  const found = check({});
  vi.unstubAllEnvs();
  return found;
};
const fileOf = (values: Partial<StoreFile>) => {
  const sound = { exists: true, mode: 0o600, isWritable: true, walBytes: 0 };
  return checkFile({ path: 'a.db', bytes: MB, freeBytes: 1000 * MB, ...sound, ...values });
};
/** What is found in a store with a review whose state is changed. */
async function inState(values: Partial<StateRow>): Promise<Finding[]> {
  await fill(record());
  await place.look(({ read }) => read.updateTable('state').set(values).execute());
  return storeFindings();
}
const withInspection = async (values: Partial<StoreInspection>, find: typeof checkContent) => {
  await fill(record());
  return place.look(async (database) => {
    const found = await inspectStore(database, { nowMs: Date.now(), sinceMs: 0 });
    return find({ ...found, ...values }, Date.now());
  });
};
const business = (values: Partial<Business>) => [
  checkBusiness({ ...UNNAMED_BUSINESS, name: 'Harbor Air', ...values }),
];
const SOURCE = importSourcesSchema.parse([{ name: 'google', file: 'takeout.json' }]);
const source = (row: Partial<SourceRow> | null) =>
  checkSources(SOURCE, row ? [{ name: 'google', failures: 0, ...row } as SourceRow] : [], DAY_MS);
/** What is found while something listens at the port. */
async function atPort(server: Server, facts: StoreFacts | null = null): Promise<Finding[]> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const finding = await checkPort({ host: '0.0.0.0', port }, facts);
  server.close();
  return [finding];
}
const keyOf = () => formatVerifierKey(signingKey('a.example/log', 'log', newSeed()));
const room = 'make room on the disk of the store';
const chrony = 'timedatectl set-ntp true';

const FAULTS: readonly Planted[] = [
  [
    'an old Node',
    () => [checkNode('24.0.0'), checkNode('22.9.0')],
    ['wrong: node', 'Node 22.9.0 is too old', 'install Node 24 or newer'],
  ],
  [
    'bad settings, all at once',
    () => diagnose(() => parseConfig({ PORT: 'x', METRICS: 'y' }), 0),
    ['wrong: settings', 'PORT: expected an integer', 'correct the variable'],
    ['wrong: settings', 'METRICS: expected one of on, off', 'correct the variable'],
  ],
  [
    'a bad setting beside a store that is gone',
    () => diagnose((without) => configOf(without?.length ? { PORT: '0' } : { PORT: 'x' }), 0),
    ['wrong: settings', 'PORT: expected an integer', 'correct the variable'],
    ['wrong: database', 'there is no store at', 'set DATABASE_URL'],
    ['warning: address', 'no public address is set', 'set BASE_URL'],
  ],
  [
    'a variable that is nearly a setting',
    () => checkWith('ACCES_LOG', 'on'),
    ['warning: settings', 'ACCES_LOG is no setting', 'if you mean ACCESS_LOG, rename it'],
  ],
  [
    'a variable that begins as a setting',
    () => checkWith('RATE_LIMIT_PER_MIN', '60'),
    ['warning: settings', 'RATE_LIMIT_PER_MIN is no', 'if you mean RATE_LIMIT_PER_MINUTE'],
  ],
  [
    'a settings file with a key that others may read',
    async () => {
      const files: object[] = [
        { mcp_session_key: 'k'.repeat(32) },
        { analyser_key: 'k' },
        { google_places_key: 'k' },
        { database_url: 'postgres://a:b@c/d' },
        // Of a file that has none, the environment may have one.
        { database_url: 'postgres://a@c/d', log_key_file: 'k', analyser_model: 'a' },
      ];
      const found: Finding[] = [];
      for (const content of files) {
        const settingsFile = await place.write('settings.json', content);
        await chmod(settingsFile, 0o644);
        const values = { DATABASE_URL: 'postgres://a:b@c/d', MCP_SESSION_KEY: 'k'.repeat(32) };
        found.push(...checkSettings({ ...configOf(values), settingsFile }));
      }
      return found;
    },
    ...Array.from(
      { length: 4 },
      () => ['warning: settings', 'other users may read', 'run: chmod 600 '] as const,
    ),
  ],
  [
    'a file of log keys that others may read, or where nobody may write',
    async () => {
      const LOG_KEY_FILE = await place.write('log-key', {});
      await chmod(LOG_KEY_FILE, 0o644);
      return [{ LOG_KEY_FILE }, { LOG_KEY_FILE: join(place.folder, 'gone', 'key') }].flatMap(check);
    },
    ['warning: settings', 'log-key, which has a password or a key', 'run: chmod 600 '],
    ['wrong: settings', 'LOG_KEY_FILE: this user may not write into', 'that of the store'],
  ],
  [
    'a proxy that is not trusted',
    () => check({ BASE_URL: 'https://a.example' }),
    ['warning: proxy headers', 'all clients look like one', 'TRUST_PROXY=1'],
  ],
  [
    'a trusted proxy that is not there',
    () => check({ TRUST_PROXY: '1', HOST: '0.0.0.0' }),
    ['warning: proxy headers', 'choose their address', 'TRUST_PROXY=off'],
  ],
  ['a trusted proxy', () => check({ BASE_URL: 'https://a.example', TRUST_PROXY: '1', HOST: '::' })],
  [
    'METRICS that are off',
    () => check({ METRICS: 'off' }),
    ['warning: metrics', 'no alert can warn', 'set METRICS=on'],
  ],
  [
    'metrics for everybody',
    () => check({ OPERATOR_NETWORKS: '127.0.0.0/8,::/0' }),
    ['warning: metrics', 'everybody may read /metrics', 'OPERATOR_NETWORKS='],
  ],
  [
    'metrics that this machine may not read',
    () => check({ OPERATOR_NETWORKS: '10.0.0.0/8' }),
    ['warning: metrics', 'lacks this machine', 'NETWORKS=127.0.0.0/8,::1/128,10.0.0.0/8'],
  ],
  [
    'a port with another program',
    () => atPort(createServer((_request, response) => void response.end('It works!'))),
    ['wrong: port', 'is taken by another program', 'set PORT to a free port'],
  ],
  [
    'a port with a program that does not speak HTTP',
    () => atPort(createTcpServer((socket) => void socket.end('SSH-2.0\r\n'))),
    ['wrong: port', 'does not speak HTTP', 'set PORT to a free port'],
  ],
  [
    'a port with a server of another store',
    () => {
      const facts = { origin: null, manifest: { log: { keys: [keyOf()] } } as unknown as Manifest };
      const answers: Record<string, string> = {
        '/readyz': '{"status":"ready"}',
        '/log/key': keyOf(),
      };
      const server = createServer(({ url }, response) => void response.end(answers[url!]));
      return atPort(server, facts);
    },
    ['wrong: port', 'is taken by a server of another store', 'another PORT'],
  ],
  [
    'a server that cannot reach its store',
    () => {
      const body = '{"status":"ready","store":{"status":"unreachable","detail":"put it back"}}';
      return atPort(createServer((_request, response) => void response.end(body)));
    },
    ['wrong: port', 'says: put it back', 'do what it says'],
  ],
  [
    'a server that cannot publish',
    () => {
      const body = '{"status":"ready","publishing":{"status":"failing","detail":"make room"}}';
      return atPort(createServer((_request, response) => void response.end(body)));
    },
    ['wrong: port', 'says: make room', 'do what it says'],
  ],
  [
    'a HOST that this machine does not have',
    () =>
      Promise.all(
        ['nowhere.invalid', '192.0.2.1'].map((host) => checkPort({ host, port: 8080 }, null)),
      ),
    ['wrong: port', 'HOST is nowhere.invalid', 'set HOST to 127.0.0.1'],
    ['wrong: port', 'HOST is 192.0.2.1, which this machine does not have', 'set HOST to 127.0.0.1'],
  ],
  [
    'no store, which is not created',
    storeFindings,
    ['wrong: database', 'there is no store at ', 'set DATABASE_URL'],
  ],
  [
    'a store that was moved away from under a running server',
    async () => {
      await fill(record());
      const end = await place.look((database) => Promise.resolve(holdPresence(database)));
      await rm(path);
      const findings = await storeFindings();
      await end();
      return findings;
    },
    ['wrong: database', 'was moved away from under a running server', 'put it back, or stop'],
  ],
  [
    'a store that is lost or empty, beside what it signed',
    async () => {
      await writeFile(`${path}-signed`, '{}');
      const lost = await storeFindings();
      await writeFile(path, '');
      return [...lost, ...(await storeFindings())];
    },
    ['wrong: database', 'is lost', 'npx public-reviews restore BACKUP'],
    ['wrong: database', 'is lost', 'npx public-reviews restore BACKUP'],
  ],
  [
    'a file that replaced another, whose log is beside it',
    async () => {
      await fill(record());
      const copy = join(place.folder, 'copy.db');
      await copyFile(path, copy);
      let found: readonly Finding[] = [];
      await place.look(async ({ read }) => {
        await read.updateTable('state').set({ backed_up_at: 1 }).execute();
        await rename(copy, path);
        found = await storeFindings();
      });
      return found;
    },
    ['wrong: database', 'was replaced', 'remove those two files'],
  ],
  [
    'copies that a restore and an upgrade left',
    async () => {
      await fill(record());
      await mkdir(join(place.folder, 'damaged.1764'));
      await capture(() => runBackup(configOf(), join(place.folder, 'before.db')));
      return storeFindings();
    },
    ['warning: leftovers', 'before.db has secrets', 'delete it when the store is sound'],
    ['warning: leftovers', 'damaged.1764 has secrets', 'delete it when the store is sound'],
  ],
  [
    'no copy in the store itself: a backup that was put into place, also by a link',
    async () => {
      await fill(record());
      const used = join(place.folder, 'damaged.db');
      await capture(() => runBackup(configOf(), used));
      await rm(path);
      await symlink(used, join(place.folder, 'link.db'));
      const held = new DatabaseSync(used);
      held.exec('pragma journal_mode = wal; create table a (b)');
      const found: Finding[] = [];
      for (const name of ['damaged.db', 'link.db']) {
        const config = configOf({ DATABASE_URL: `sqlite:${join(place.folder, name)}` });
        found.push(...(await checkStore(config, Date.now())).findings);
      }
      held.close();
      expect(existsSync(`${path}-wal`)).toBe(false);
      return found.filter(({ check: of }) => of === 'leftovers');
    },
  ],
  [
    'what a killed restore left, also without a store',
    async () => {
      await leave('public-reviews-restore-a1b2c3', 'lock');
      return storeFindings();
    },
    ['warning: leftovers', '-a1b2c3, which may have a copy', 'npx public-reviews status'],
    ['wrong: database', 'there is no store', 'set DATABASE_URL'],
  ],
  [
    'what a killed backup left',
    async () => {
      await fill(record());
      await leave('public-reviews-backup-a1b2c3', 'lock');
      return storeFindings();
    },
    ['warning: leftovers', 'left ', 'npx public-reviews status'],
  ],
  [
    'an unfinished backup of an earlier version',
    async () => {
      await fill(record());
      const left = await place.write(`a.db.partial-${'0'.repeat(12)}`, '');
      await utimes(left, 0, 0);
      return storeFindings();
    },
    ['warning: leftovers', '.partial-', 'npx public-reviews status'],
  ],
  [
    'a file that others may read',
    async () => {
      await fill(record());
      await chmod(path, 0o644);
      return storeFindings();
    },
    ['warning: permissions', 'other users may read', 'run: chmod 600 '],
  ],
  [
    'a file that this user may not write',
    () => fileOf({ isWritable: false }).slice(0, 1),
    ['wrong: permissions', 'this user may not write a.db', `chown ${process.getuid!()} . a.db*`],
  ],
  [
    'a store of a newer version',
    async () => {
      await fill(record());
      change(`insert into kysely_migration values ('9999-later', '2030-01-01')`);
      return storeFindings();
    },
    ['wrong: version', 'a newer version wrote the store', 'run that version'],
  ],
  [
    'a store of an older version, which is not migrated',
    async () => {
      await fill(record());
      change(`delete from kysely_migration where name like '%-imports'; drop table imports`);
      const findings = await storeFindings();
      const opened = new DatabaseSync(path);
      const rows = opened
        .prepare(`select 1 from kysely_migration where name like '%-imports'`)
        .all();
      opened.close();
      expect(rows).toEqual([]);
      return findings;
    },
    ['warning: version', 'an older version wrote the store', 'back up with'],
  ],
  ['a disk with space for a restore', () => fileOf({ bytes: 500 * MB })],
  [
    'a disk with little space',
    () => fileOf({ bytes: 500 * MB, freeBytes: 999 * MB }),
    ['warning: disk', '999.0 MB free beside a store of 500.0 MB', room],
  ],
  [
    'a small store on a small disk',
    () => fileOf({ freeBytes: 99 * MB }),
    ['warning: disk', '99.0 MB free', room],
  ],
  [
    'a disk with too little space',
    () => fileOf({ bytes: 500 * MB, freeBytes: 104 * MB, walBytes: 0 }).slice(0, 2),
    ['wrong: disk', '104.0 MB free', room],
  ],
  [
    'a full disk',
    () => fileOf({ freeBytes: 0 }),
    ['wrong: disk', '0 bytes free beside a store of 1.0 MB', room],
  ],
  [
    'a disk that is full soon',
    () =>
      withInspection({ grownBytes: 100 * MB }, (inspection) => checkForecast(inspection, 200 * MB)),
    ['warning: disk forecast', 'lasts 60 days', 'enlarge the disk'],
  ],
  [
    'a disk that lasts',
    () => withInspection({ grownBytes: MB }, (inspection) => checkForecast(inspection, 200 * MB)),
  ],
  [
    'a log that is not emptied',
    () => fileOf({ walBytes: 300 * MB }),
    ['warning: write-ahead log', '-wal has 300.0 MB', 'which "fuser -v '],
  ],
  [
    'a disk with little space for a store that is in its log',
    () => fileOf({ walBytes: 120 * MB, freeBytes: 200 * MB }),
    ['warning: disk', '200.0 MB free beside a store of 121.0 MB', room],
  ],
  [
    "a clock that is ahead of the database's",
    () => withInspection({ clockAheadMs: 6_000 }, checkContent),
    ['warning: clock', "this machine's clock is 6 s ahead of the database's", chrony],
  ],
  [
    "a clock that is behind the database's",
    () => withInspection({ clockAheadMs: -90_000 }, checkContent),
    ['wrong: clock', "this machine's clock is 90 s behind the database's", chrony],
  ],
  [
    'a clock that is behind the store',
    async () => {
      await fill(record());
      await place.look(async ({ read }) => {
        const manifest = JSON.stringify({ number: 1, publishedAt: 2_000_000_000 });
        await read.insertInto('snapshots').values({ number: 1, manifest }).execute();
        await read.updateTable('state').set({ snapshot_number: 1, backed_up_at: 2e12 }).execute();
      });
      expect(faults(await storeFindings(2_000_000_000_000))).toEqual([]);
      return storeFindings();
    },
    ['warning: clock', 'in the future of this machine', 'if this clock is right, wait'],
  ],
  [
    'a PostgreSQL that cannot be written',
    () => withInspection({ kind: 'postgres', obstacle: 'it is a standby' }, checkContent),
    ['wrong: permissions', 'it is a standby', 'name the primary server'],
  ],
  [
    'no business',
    () => business({ name: UNNAMED_BUSINESS.name }),
    ['warning: business', 'insights look only for', 'npx public-reviews init'],
  ],
  [
    'a business of an unknown vertical',
    () => business({ vertical: 'spaceflight' }),
    ['warning: business', '"vertical" is "spaceflight", which is unknown', 'correct'],
  ],
  [
    'a business with values that cannot be meant',
    () => business({ vertical: 'general', telephone: 'DE' }),
    ['warning: business', 'telephone: expected a telephone number', 'correct'],
  ],
  ['a business of a trade', () => business({ vertical: 'hospitality-and-travel' })],
  [
    'an empty database',
    async () => {
      change('create table other (a text)');
      await chmod(path, 0o600);
      return storeFindings();
    },
    ['wrong: version', 'the database is empty', 'check DATABASE_URL'],
  ],
  [
    'a damaged database',
    () => withInspection({ damage: 'row 3 missing from index' }, checkContent),
    ['wrong: integrity', 'row 3 missing', 'npx public-reviews restore BACKUP'],
  ],
  [
    'a file that is no database',
    async () => {
      await writeFile(path, 'x'.repeat(8192), { mode: 0o600 });
      return storeFindings();
    },
    ['wrong: database', 'cannot be opened', 'check DATABASE_URL: it has to name a file'],
  ],
  [
    'a PostgreSQL that does not answer',
    async () => {
      const config = configOf({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' });
      return (await checkStore(config, Date.now())).findings.filter(
        ({ check: of }) => of !== 'leftovers',
      );
    },
    ['wrong: database', 'cannot be reached', 'psql "$DATABASE_URL"'],
  ],
  [
    'a damaged log of published reviews',
    async () => {
      await publishTwo();
      change('update log_bundles set entries = zeroblob(length(entries))');
      return logFindings();
    },
    [
      'wrong: transparency log',
      'the entries 0 to 3 in the store are damaged',
      'Run "npx public-reviews restore --replace" with a backup',
    ],
  ],
  [
    'a log that is shorter than the one that was signed last',
    async () => {
      const file = await publishTwo();
      await rm(path);
      await copyFile(`${file}.older`, path);
      return logFindings();
    },
    [
      'wrong: transparency log',
      'the log in the store has 2 entries, and one with 4 was signed before',
      '"npx public-reviews log replace"',
    ],
  ],
  [
    'a restored log that nobody let continue',
    async () => {
      await publishTwo();
      const restored = `json_set(value, '$.restored', json('true'))`;
      change(`update secrets set value = ${restored} where name = 'log_keys'`);
      return logFindings();
    },
    [
      'wrong: transparency log',
      'the store was restored from a backup',
      'Run "npx public-reviews log continue"',
    ],
  ],
  [
    'a key of the log that is lost',
    async () => {
      await publishTwo(join(place.folder, 'log-key'));
      await rm(join(place.folder, 'log-key'));
      return logFindings({ LOG_KEY_FILE: join(place.folder, 'log-key') });
    },
    ['wrong: transparency log', 'the key that signed the log is not in', 'Put it back'],
  ],
  [
    'a key of the log whose setting is forgotten',
    async () => {
      await publishTwo(join(place.folder, 'log-key'));
      return logFindings();
    },
    [
      'wrong: transparency log',
      'the key that signed the log is not in the store',
      'If LOG_KEY_FILE was set, set it as before, and restart the server',
    ],
  ],
  [
    'reviews of which none is verified',
    async () => {
      await fill(record({ verified: undefined }));
      return storeFindings();
    },
    ['warning: published', '1 reviews are stored, none is verified', '--verified-by'],
  ],
  [
    'a publish that is pending',
    () => inState({ content_version: 99 }),
    ['warning: published', 'changes are not published yet', 'start the server'],
  ],
  [
    'a publish that failed',
    async () => {
      await inState({ content_version: 99 });
      change(`insert into imports (started_at, command, operator, report, content_version, publish_error)
        values (1, 'import', 'a', '{"refused":0,"rows":1}', 99, 'the disk is full: make room')`);
      return storeFindings();
    },
    ['wrong: published', 'the last publish failed: the disk is full', 'do what it says'],
  ],
  [
    'an import that failed',
    async () => {
      await fill(record());
      await place.importHere(join(place.folder, 'none.json')).catch(() => undefined);
      return storeFindings();
    },
    ['warning: import', 'the last one failed: ', 'npx public-reviews imports show 1'],
  ],
  [
    'an import of a file of another user',
    async () => {
      await fill(record());
      change(`insert into imports (started_at, command, operator, report, content_version, error)
        values (1, 'import', 'a', '{}', 0, 'a.json: expected a file, got one that this user may not read')`);
      return storeFindings();
    },
    ['warning: import', 'this user may not read', 'give the file to this user, with chown, and'],
  ],
  [
    'an import that refused rows',
    async () => {
      await fill(record());
      await place.importHere(await place.write('a.json', [record(), record({ rating: 9 })]));
      return storeFindings();
    },
    ['warning: import', 'the last one refused 1 of 2 rows', 'npx public-reviews imports show 1'],
  ],
  [
    'a store without reviews',
    async () => {
      await fill();
      return storeFindings();
    },
    ['warning: published', 'there are no reviews', 'import them'],
  ],
  [
    'a store with the example',
    () => inState({ example: 1 }),
    ['warning: published', 'the store has the example business', 'without --example'],
  ],
  [
    'an erasure that was interrupted',
    () => inState({ erasing_version: 1 }),
    ['warning: erasure', 'texts of removed reviews remain', 'npx public-reviews status'],
  ],
  [
    'no backup',
    () => inState({ backed_up_at: null }),
    [
      'warning: backup',
      'none was made of this store',
      'npx public-reviews backup DIR --keep 7 --verify',
    ],
  ],
  [
    'an old backup',
    () => inState({ backed_up_at: Date.now() - 20 * DAY_MS }),
    [
      'warning: backup',
      'the last one was made 20 days ago: a file that was not recorded',
      'public-reviews-backup.timer',
    ],
  ],
  [
    'a backup that is gone',
    () => inState({ backed_up_to: join(place.folder, 'gone.db') }),
    ['warning: backup', 'gone.db, which is gone', 'npx public-reviews backup DIR --keep 7'],
  ],
  [
    'a backup that is cut',
    async () => {
      const file = join(place.folder, 'backups', 'cut.db');
      await mkdir(join(place.folder, 'backups'));
      await fill(record());
      await capture(() => runBackup(configOf(), file));
      expect(faults(await storeFindings())).toEqual([]);
      await truncate(file, (await stat(file)).size - 4096);
      return storeFindings();
    },
    ['warning: backup', 'cut.db, which is cut, damaged or another file', 'backup DIR --keep 7'],
  ],
  [
    'a backup that cannot be read',
    async () => {
      const file = join(place.folder, 'loop.db');
      await symlink(file, file);
      return inState({ backed_up_to: file });
    },
    ['warning: backup', 'loop.db, which this user cannot read (ELOOP)', 'with chown'],
  ],
  [
    'a process that keeps others from writing',
    async () => {
      await fill(record());
      const other = new DatabaseSync(path);
      other.exec('begin immediate');
      const found = await storeFindings();
      other.close();
      return found;
    },
    ['warning: lock', 'another process keeps the database locked', 'fuser -v /'],
  ],
  [
    'no backup of PostgreSQL, which may have its own',
    () =>
      withInspection({ kind: 'postgres' }, (found) => checkBackups(found, Date.now() + 9 * DAY_MS)),
    [
      'warning: backup',
      'the last one was made 9 days ago',
      'nothing, if PostgreSQL itself is backed up',
    ],
  ],
  [
    'a source that fails',
    () => source({ failures: 3, succeeded_at: 1, error: 'no such file' }),
    ['warning: source google', '3 failures: no such file', 'npx public-reviews sync google'],
  ],
  [
    'a source that was never read',
    () => source(null),
    [
      'warning: source google',
      'was never read',
      'restart the server, or run: npx public-reviews sync',
    ],
  ],
  [
    'a source that never worked',
    () => source({ failures: 1, succeeded_at: null, error: 'no such file' }),
    ['wrong: source google', 'no success ever, 1 failure: no such', 'npx public-reviews sync'],
  ],
  [
    'a source that is not read any more',
    () => source({ succeeded_at: 1 }),
    ['warning: source google', 'last read 1970', 'start the server'],
  ],
  [
    'deliveries that fail to some',
    () => withSubscribers(2),
    ['warning: hub', 'deliveries to 1 of 2 subscriptions fail', 'subscriptions list'],
  ],
  [
    'deliveries that all fail',
    () => withSubscribers(1),
    ['wrong: hub', 'deliveries to 1 of 1 subscriptions fail', 'outgoing HTTPS and DNS'],
  ],
  [
    'a language model that does not answer, or not with this key',
    async () => {
      const model = createServer((_request, response) => response.writeHead(401).end());
      await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;
      const settings = { ANALYSER: 'openai-compatible', ANALYSER_MODEL: 'a', ANALYSER_URL: url };
      const refusing = await checkAnalyser(configOf(settings));
      await new Promise((resolve) => model.close(resolve));
      return [...refusing, ...(await checkAnalyser(configOf(settings)))];
    },
    ['warning: analyser', 'does not answer: status 401', 'ANALYSER_KEY'],
    ['warning: analyser', 'does not answer: connect ECONNREFUSED', 'start it'],
  ],
  [
    'no address',
    async () => {
      await fill(record());
      return diagnose(() => configOf(), Date.now());
    },
    ['warning: address', 'no public address is set', 'set BASE_URL'],
  ],
];

/** Publishes two reviews, one after the other, with a copy of the file in between. */
async function publishTwo(logKeyFile: string | null = null): Promise<string> {
  for (const id of ['a', 'b']) {
    if (id === 'b') await copyFile(path, `${path}.older`);
    await place.look(async (database) => {
      await merge(database, [record({ source_id: id, text: `The words of ${id}.` })]);
      await publishLog(database, { logKeyFile });
    });
  }
  return path;
}

/** What is found in the log alone. */
async function logFindings(values: Record<string, string> = {}): Promise<Finding[]> {
  const { findings } = await checkStore(configOf(values), Date.now());
  return findings.filter(({ check: of }) => of === 'transparency log');
}

/** As a process that was killed leaves it. */
async function leave(folder: string, file: string): Promise<void> {
  await mkdir(join(place.folder, folder));
  await writeFile(join(place.folder, folder, file), '');
}

/** A store with subscriptions, of which the first fails. */
async function withSubscribers(count: number): Promise<Finding[]> {
  await fill(record());
  await place.look(async (database) => {
    const callbacks = ['https://one.example/', 'https://other.example/'].slice(0, count);
    const leases = callbacks.map((callback) => ({ callback, lease_seconds: 100_000 }));
    await subscribe(database, leases, Date.now());
    const failing = database.read.updateTable('subscriptions').set({ failures: 1 });
    await failing.where('callback', '=', callbacks[0]!).execute();
  });
  return storeFindings();
}

const CASES = FAULTS.map(([fault, find, ...expected]) => ({ fault, find, expected }));

test.each(CASES)('$fault: found, with its mend', async ({ fault, find, expected }) => {
  const found = faults(await find());
  expect(found).toEqual(expected.map(([checked, ...texts]) => [checked, ...texts.map(contains)]));
  // An owner of an SQLite file has no use for advice about PostgreSQL.
  if (!fault.includes('PostgreSQL')) expect(found.join()).not.toMatch(/postgres|psql/i);
  if (fault.includes('not created')) expect(existsSync(path)).toBe(false);
});

test('forty faults are planted, each by its name, beside those of the address', () => {
  const named = new Set(
    CASES.filter(({ expected }) => expected.length > 0).map(({ fault }) => fault),
  );
  expect(named.size).toBeGreaterThanOrEqual(40);
});

describe('the command', () => {
  test('prints a line for each check, what to do, and fails if anything is wrong', async () => {
    await fill(record());
    const sound = await capture(() => runDoctor(() => configOf(), {}));
    expect(sound.stdout).toMatch(/^ok {7}integrity +the database is intact$/m);
    expect(sound.stdout).toMatch(/^warning {2}address .*\n +-> set BASE_URL/m);
    expect(sound.stdout).toContain('\n0 wrong, 1 warning\n');
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
