// The database file is damaged, gone, of another version, read-only or locked when a command opens and uses it.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InputError, UnavailableError } from '../../src/errors.ts';
import { load } from '../../src/publishing/load.ts';
import { watchFile } from '../../src/serving/checkpoints.ts';
import { Database } from '../../src/store/database.ts';
import { assertOwnLog } from '../../src/store/sqlite/log-owner.ts';
import {
  contentOf,
  FaultStore,
  isPublished,
  publishHere,
  recordsOf,
  STORED,
  named,
} from '../support/fault-store.ts';
import { saveOrigin } from '../../src/store/state.ts';
import { until } from '../support/patience.ts';
import { merge, storedReviews } from '../support/store.ts';

type ErrorClass = typeof InputError | typeof UnavailableError;

interface Damage {
  readonly fault: string;
  /** Breaks a closed store; returns what mends it, if anything but a backup does. */
  readonly happens: (path: string) => Promise<void> | Promise<() => Promise<void> | void>;
  /** The error of a command: its class decides the exit code, and its message is the one line. */
  readonly becomes: readonly [ErrorClass, RegExp];
}

const RESTORE =
  'stop the server, move .+ away .+, restore the last backup with ".+ restore BACKUP", do what it says, and start the server';
const DAMAGED = new RegExp(`^the database .+ is damaged \\(.+\\): ${RESTORE}$`);

/** Overwrites bytes from an offset, negative from the end. */
async function overwrite(path: string, offset: number, length: number): Promise<void> {
  const bytes = await readFile(path);
  const start = offset < 0 ? bytes.length + offset : offset;
  await writeFile(path, bytes.fill(0xa5, start, start + length));
}

/** What cannot be used until it is mended. */
const DAMAGES: readonly Damage[] = [
  {
    fault: 'the header is overwritten',
    happens: (path) => overwrite(path, 0, 100),
    becomes: [InputError, new RegExp(`cannot be opened: file is not a database.*: ${RESTORE}$`)],
  },
  {
    fault: 'the first page is overwritten behind the header',
    happens: (path) => overwrite(path, 100, 3_000),
    becomes: [UnavailableError, DAMAGED],
  },
  {
    fault: 'the middle is overwritten',
    happens: async (path) => overwrite(path, 4_096, (await readFile(path)).length - 8_192),
    becomes: [UnavailableError, DAMAGED],
  },
  {
    fault: 'the file is cut to half its size',
    happens: async (path) =>
      truncate(path, Math.floor((await readFile(path)).length / 8192) * 4096),
    becomes: [UnavailableError, DAMAGED],
  },
  {
    fault: 'the file is cut within its first page',
    happens: (path) => truncate(path, 2_000),
    becomes: [UnavailableError, DAMAGED],
  },
  {
    fault: 'a folder is in the place of the file',
    happens: async (path) => {
      await rm(path);
      await mkdir(path);
    },
    becomes: [InputError, /^DATABASE_URL: the database .+ cannot be opened: unable to open/],
  },
  {
    fault: 'a newer version of the program wrote it',
    happens: (path) => {
      const file = new DatabaseSync(path);
      file.exec("insert into kysely_migration values ('9999_of_the_future', '')");
      file.close();
      return Promise.resolve();
    },
    becomes: [
      InputError,
      /^the database was written by a newer version of this program: run that version or newer$/,
    ],
  },
  {
    fault: 'another process holds it exclusively',
    happens: (path) => {
      const other = new DatabaseSync(path);
      other.exec('pragma locking_mode = exclusive; begin exclusive; update state set example = 0');
      return Promise.resolve(() => {
        other.exec('rollback');
        other.close();
      });
    },
    becomes: [UnavailableError, /^another process keeps the database locked: end it, or wait/],
  },
  {
    fault: 'another process keeps the write lock',
    happens: (path) => {
      const other = new DatabaseSync(path);
      other.exec('begin immediate');
      return Promise.resolve(() => other.close());
    },
    becomes: [UnavailableError, /^another process keeps the database locked: end it, or wait/],
  },
];

let store: FaultStore;
beforeAll(async () => {
  store = await FaultStore.create();
});
afterAll(() => store.remove());

/** Opens the store as a command does, and reads and changes all of it; waits 50 ms for locks. */
async function useAll(path: string): Promise<void> {
  const database = await Database.open(`sqlite:${path}`, 'command', 50);
  try {
    await load(database);
    await merge(database, recordsOf(STORED + 5, 2));
    await publishHere(database);
  } finally {
    await database.close();
  }
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

test.each(named(DAMAGES, ({ fault }) => fault))(
  '%s: one line, and everything works when it is mended',
  async (_, row) => {
    const path = await store.copy();
    const good = `${path}.good`;
    await copyFile(path, good);
    const mend = await row.happens(path);
    const error = await errorOf(useAll(path));
    const [expected, line] = row.becomes;
    expect(error).toBeInstanceOf(expected);
    expect((error as Error).message).toMatch(line);
    expect((error as Error).message).not.toContain('\n');
    if (mend) await mend();
    else {
      // Restores the backup.
      for (const end of ['', '-wal', '-shm'])
        await rm(path + end, { recursive: true, force: true });
      await copyFile(good, path);
    }
    await useAll(path);
    const database = await Database.open(`sqlite:${path}`);
    expect(await storedReviews(database)).toHaveLength(STORED + 5);
    await database.close();
  },
);

test('a server finds damage by itself, refuses writes until it is mended, and then goes on', async () => {
  const path = await store.copy();
  const databaseUrl = `sqlite:${path}`;
  const database = await Database.open(databaseUrl, 'server');
  const stop = new AbortController();
  const logger = { warn: () => undefined };
  const watched = watchFile({ database, databaseUrl, logger, signal: stop.signal }, 10);
  const sound = await readFile(path);
  const half = await open(path, 'r+');
  // In place, as a failing disk does it. What the server has read of the file stays right.
  const garbage = Buffer.alloc(sound.length - 8_192, 0xa5);
  await half.write(garbage, 0, garbage.length, 4_096);
  await until(() => database.damage !== null);
  expect(() => database.assertFileInPlace()).toThrow(DAMAGED);
  await expect(saveOrigin(database, 'https://other.example')).rejects.toThrow(UnavailableError);
  await half.write(sound, 0, sound.length, 0);
  await until(() => database.damage === null);
  database.assertFileInPlace();
  stop.abort();
  await watched;
  await half.close();
  await database.close();
});

test('a file that replaced another under a server is not used with its log, but without it', async () => {
  const path = await store.copy();
  const server = await Database.open(`sqlite:${path}`, 'server');
  await merge(server, recordsOf(STORED + 20));
  await rename(await store.copy(), path);
  const before = await readFile(path);
  const error = await errorOf(useAll(path));
  expect(error).toBeInstanceOf(UnavailableError);
  expect((error as Error).message).toBe(
    `the database ${path} was replaced, and ${path}-wal still belongs to the replaced file: end all servers and ` +
      `commands that use it, remove ${path}-wal and ${path}-shm, and try again; ` +
      '"restore --replace" puts a backup into a store in use without this',
  );
  expect(await readFile(path)).toEqual(before);
  await expect(merge(server, recordsOf(1))).rejects.toThrow('was removed or replaced while in use');
  await server.close();
  for (const end of ['-wal', '-shm']) await rm(path + end, { force: true });
  await useAll(path);
  // The next log may get the same inode.
  expect(existsSync(`${path}-wal-of`)).toBe(true);
  assertOwnLog(path);
  expect(existsSync(`${path}-wal-of`)).toBe(false);

  // All files of a store in use are copied together.
  const copy = `${await store.copy()}.copy`;
  const dying = await Database.open(`sqlite:${path}`, 'server');
  await merge(dying, recordsOf(STORED + 30));
  for (const end of ['', '-wal', '-wal-of']) await copyFile(path + end, copy + end);
  await dying.close();
  const copied = await Database.open(`sqlite:${copy}`);
  expect(await storedReviews(copied)).toHaveLength(STORED + 30);
  await copied.close();
});

interface Harmless {
  readonly fault: string;
  /** Happens to the files of a process that was killed after it stored `STORED + 20` reviews. */
  readonly happens: (path: string) => Promise<unknown>;
  /** Reviews that are stored afterwards. */
  readonly stored: number;
}

/** What the next start mends by itself. */
const HARMLESS: readonly Harmless[] = [
  { fault: 'nothing: the log is read again', happens: async () => {}, stored: STORED + 20 },
  {
    fault: 'the index of the log is lost',
    happens: (path) => rm(`${path}-shm`, { force: true }),
    stored: STORED + 20,
  },
  {
    fault: 'the index of the log is overwritten',
    happens: (path) => writeFile(`${path}-shm`, Buffer.alloc(32_768, 0xa5)),
    stored: STORED + 20,
  },
  {
    fault: 'the end of the log is torn, as after a power cut',
    happens: async (path) => {
      const log = await open(`${path}-wal`, 'a');
      await log.write(Buffer.alloc(3_000, 0xa5));
      await log.close();
    },
    stored: STORED + 20,
  },
  {
    fault: 'the log is damaged from its first frame on',
    happens: (path) => overwrite(`${path}-wal`, 40, 400),
    // As before the import: what was only in the log is lost, whole.
    stored: STORED,
  },
  {
    fault: 'the header of the log is damaged',
    happens: (path) => overwrite(`${path}-wal`, 0, 32),
    stored: STORED,
  },
];

test.each(named(HARMLESS, ({ fault }) => fault))(
  'killed, and %s: the store is whole',
  async (_, row) => {
    const path = await store.copy();
    const killed = `${path}.killed`;
    const database = await Database.open(`sqlite:${path}`, 'server');
    await merge(database, recordsOf(STORED + 20));
    for (const end of ['', '-wal', '-shm']) await copyFile(path + end, killed + end);
    await database.close();
    await row.happens(killed);
    const next = await Database.open(`sqlite:${killed}`);
    try {
      expect(await storedReviews(next)).toHaveLength(row.stored);
      expect((await load(next))?.manifest.number).toBe(1);
      expect(await isPublished(next)).toBe(row.stored === STORED);
      await merge(next, recordsOf(STORED + 20));
      await publishHere(next);
      expect(await contentOf(next)).toMatchObject({ state: { snapshotNumber: 2 } });
    } finally {
      await next.close();
    }
  },
);
