// What operators see: faults of the machine under commands and servers in processes of their own.

import { existsSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runBackup } from '../../src/commands/store/backup.ts';
import { runExport } from '../../src/commands/export.ts';
import { parseConfig } from '../../src/config.ts';
import {
  contentOf,
  FaultStore,
  isPublished,
  publishHere,
  recordsOf,
  named,
} from '../support/fault-store.ts';
import { finish, Workplace } from '../support/process.ts';
import { capture } from '../support/run-command.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { merge } from '../support/store.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

let store: FaultStore;
let place: Workplace;
beforeAll(async () => {
  store = await FaultStore.create();
});
beforeEach(async () => {
  place = await Workplace.open(async () => sqliteDatabase(await store.copy()));
});
afterEach(() => place.close());
afterAll(() => store.remove());

interface Surroundings {
  /** A line of shell before the program, which sets limits. */
  readonly limits?: string;
  /** A program that runs ours. */
  readonly wrapper?: string;
  readonly redirection?: string;
}

function start(
  { limits = '', wrapper = '', redirection = '' }: Surroundings,
  args: readonly string[],
  environment: Record<string, string> = {},
): ChildProcess {
  const program = ['--disable-warning=ExperimentalWarning', MAIN, ...args];
  const line = `${limits} exec ${wrapper} "$@" ${redirection}`;
  return spawn('sh', ['-c', line, 'sh', process.execPath, ...program], {
    env: { ...place.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The superuser may write everywhere, unless it gives up the right to. */
const AS_USER =
  process.getuid?.() === 0
    ? 'setpriv --inh-caps=-dac_override,-dac_read_search --bounding-set=-dac_override,-dac_read_search'
    : '';

const content = () => place.look(contentOf);
const importing = async (count: number, edition = 1) => {
  const file = await place.write('new.json', recordsOf(count, edition));
  return ['import', file];
};

const siteFolder = () => join(place.folder, 'site');
const backupFile = () => join(place.folder, 'backup.db');
const exporting = () => Promise.resolve(['export', siteFolder()]);
const backingUp = () => Promise.resolve(['backup', backupFile()]);

interface CommandFault {
  readonly fault: string;
  readonly surroundings: Surroundings;
  readonly before?: () => Promise<() => Promise<void>>;
  readonly command: () => Promise<string[]>;
  /** What works afterwards, beside a merge and a publish; in the process of the test. */
  readonly again?: () => Promise<unknown>;
  readonly code: number;
  /** All of stderr. */
  readonly stderr: RegExp;
}

const pathOf = ({ databaseUrl }: Workplace) => databaseUrl.slice('sqlite:'.length);

/** Sets the mode of the folder or file of the database; returns what sets it back. */
async function withMode(path: string, mode: number): Promise<() => Promise<void>> {
  const before = (await stat(path)).mode;
  await chmod(path, mode);
  return async () => {
    // SQLite gives the files of its log the mode of the database.
    const log = [`${path}-wal`, `${path}-shm`].filter((file) => existsSync(file));
    for (const file of [path, ...log]) await chmod(file, before);
  };
}

const CANNOT = 'the database .+ cannot be read or written \\(.+\\): check the space, .*';

/** Nothing is changed, and the same command works when the fault is gone. */
const COMMANDS: readonly CommandFault[] = [
  {
    fault: 'a quota of the disk leaves no room to open the database',
    // Blocks of 512 bytes.
    surroundings: { limits: 'ulimit -f 20;' },
    command: () => importing(10),
    code: 1,
    stderr: new RegExp(`^${CANNOT}\n$`),
  },
  {
    fault: 'a quota of the disk is used up while an import reads its files',
    surroundings: { limits: 'ulimit -f 1024;' },
    command: () => importing(4_000, 2),
    code: 1,
    stderr: new RegExp(`^${CANNOT}\nNothing was imported.\n$`),
  },
  {
    fault: 'a quota of the disk is used up while an export writes its files',
    surroundings: { limits: 'ulimit -f 64;' },
    command: exporting,
    again: () => capture(() => runExport(parseConfig(place.environment), siteFolder())),
    code: 1,
    stderr: /^.+: the disk is full\. No file is damaged; export again when there is space\n$/,
  },
  {
    fault: 'a quota of the disk is used up while a backup is written',
    surroundings: { limits: 'ulimit -f 128;' },
    command: backingUp,
    again: () => capture(() => runBackup(parseConfig(place.environment), backupFile())),
    code: 1,
    stderr: new RegExp(`^${CANNOT}\n$`),
  },
  {
    fault: 'the folder of the database is read-only',
    surroundings: { wrapper: AS_USER },
    before: () => withMode(dirname(pathOf(place)), 0o555),
    command: () => importing(50),
    code: 2,
    stderr: /^DATABASE_URL: the database .+ cannot be opened: [^\n]+\n$/,
  },
  {
    fault: 'the database file is read-only',
    surroundings: { wrapper: AS_USER },
    before: () => withMode(pathOf(place), 0o444),
    command: () => importing(50),
    code: 1,
    stderr: new RegExp(`^${CANNOT}\nNothing was imported.\n$`),
  },
];

test.each(named(COMMANDS, ({ fault }) => fault))(
  '%s: one line, nothing changes, and commands work afterwards',
  async (_, row) => {
    const before = await content();
    const command = await row.command();
    const mend = await row.before?.();
    const ended = await finish(start(row.surroundings, command));
    await mend?.();
    expect(ended).toMatchObject({ code: row.code, stdout: '' });
    expect(ended.stderr).toMatch(row.stderr);
    expect(await content()).toEqual(before);
    await row.again?.();
    await place.look(async (database) => {
      await merge(database, recordsOf(50));
      await publishHere(database);
      expect(await isPublished(database)).toBe(true);
    });
  },
);

test('what was signed last belongs to another user: doctor and commands say whose it has to be', async () => {
  await place.look(async (database) => {
    await merge(database, recordsOf(50));
    await publishHere(database);
  });
  const mend = await withMode(`${pathOf(place)}-signed`, 0);
  const run = (...args: string[]) => finish(start({ wrapper: AS_USER }, args));
  const [shown, checked] = [await run('log', 'show'), await run('doctor', '--json')];
  await mend();
  expect(shown).toMatchObject({ code: 1, stdout: '' });
  expect(shown.stderr).toMatch(/^cannot read .+-signed \(EACCES\): if this .+: chown [^\n]+\n$/);
  expect(JSON.parse(checked.stdout)).toContainEqual({
    check: 'permissions',
    status: 'wrong',
    message: `this user may not write ${pathOf(place)}`,
    action: expect.stringMatching(/ chown .+ && chmod u\+rwX /),
  });
});

test('the disk of the standard output is full: an import publishes, and says so on stderr', async () => {
  const ended = await finish(start({ redirection: '>/dev/full' }, await importing(50)));
  expect(ended).toMatchObject({ code: 1 });
  expect(ended.stderr).toMatch(/^the output cannot be written: .*ENOSPC[^\n]*\n$/);
  expect(await place.look(isPublished)).toBe(true);
});

test('the disk of the log is full: a server goes on without its log, and ends with 0', async () => {
  const child = start({ redirection: '2>/dev/full' }, ['serve'], { LOG_LEVEL: 'trace' });
  const server = await place.watch(child);
  expect((await server.json('/reviews.json')).reviews).not.toEqual([]);
  await place.importHere(await place.write('new.json', recordsOf(50)));
  await server.until('/reviews.json', ({ reviews }) => reviews.length === 50);
  expect(await server.stop()).toBe(0);
});
