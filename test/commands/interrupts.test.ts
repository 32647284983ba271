// A command that a signal ends says what was done and what happens next, with the exit code that shells expect, and
// leaves nothing behind.

import { readdirSync } from 'node:fs';
import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { runImport } from '../../src/commands/import/import.ts';
import { runSync } from '../../src/commands/import/sync.ts';
import { runInit } from '../../src/commands/init.ts';
import { runExport } from '../../src/commands/export.ts';
import { runBackup } from '../../src/commands/store/backup.ts';
import { runRestore } from '../../src/commands/store/restore.ts';
import { parseConfig } from '../../src/config.ts';
import { parseSettings } from '../../src/config/settings-file.ts';
import { ExportFolder } from '../../src/hosting/folder.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { Workplace } from '../support/process.ts';
import { publishHere } from '../support/publish.ts';
import { record } from '../support/store.ts';

let place: Workplace;
let said: string;
let code: number | undefined;
/** What is left at the end. */
let left: string[];
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
  vi.spyOn(process, 'exit').mockImplementation(((given: number) => {
    code = given;
    // As at the end of a process.
    for (const end of process.listeners('exit')) if (end.name === 'onExit') end.call(process, 0);
    left = readdirSync(place.folder).filter((name) => name.startsWith('public-reviews-'));
  }) as never);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await place.close();
});

const config = () => parseConfig(place.environment);
/** Ends what the signal has interrupted. */
const goOn = new Error('the process would have ended');

/** Sends a signal while a command waits, and expects what it says. */
async function expectSaid(
  signal: 'SIGINT' | 'SIGTERM',
  text: string,
  start: (interrupt: () => Promise<never>) => Promise<unknown>,
): Promise<void> {
  [said, code] = ['', undefined];
  vi.spyOn(process.stderr, 'write').mockImplementation((words) => {
    said += String(words);
    return true;
  });
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  const held = start(() => {
    process.emit(signal, signal);
    return Promise.reject(goOn);
  }).catch(() => undefined);
  await held;
  expect(said).toContain(`\ninterrupted: ${text}\n`);
  expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
  expect(left).toEqual([]);
  expect([process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')]).toEqual(listening);
}
const listening = [process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')];

test('import, while it publishes', async () => {
  const file = await place.write('reviews.json', [record()]);
  await expectSaid(
    'SIGINT',
    'stored, not published yet; the server or the next import publishes it',
    (interrupt) => runImport(config(), [file], { verifiedBy: 'invoice' }, interrupt),
  );
  // Which it does.
  await place.importHere(file);
  expect(
    await place.look(({ read }) => read.selectFrom('snapshots').selectAll().execute()),
  ).toHaveLength(1);
});

test('import, while it reads', async () => {
  const file = await place.write('reviews.json', [record()]);
  await expectSaid('SIGTERM', 'nothing was imported', async (interrupt) => {
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementationOnce(() => {
      throw interrupt().catch(() => undefined);
    });
    await runImport(config(), [file], {}, publishHere);
  });
});

test('sync, while it publishes', async () => {
  const file = await place.write('reviews.json', [record()]);
  // A file that is being written is left for later.
  await utimes(file, 0, 0);
  const settings = JSON.stringify({ sources: [{ name: 'shop', file, verified_by: 'invoice' }] });
  const withSources = parseConfig(place.environment, parseSettings('settings', settings, []));
  await expectSaid(
    'SIGTERM',
    'shop: stored, not published yet; the server or the next import publishes it',
    (interrupt) => runSync(withSources, [], interrupt),
  );
});

test('backup and restore, which leave nothing', async () => {
  await place.importHere(await place.write('reviews.json', [record()]), { verifiedBy: 'invoice' });
  const backup = join(place.folder, 'backup.db');
  await runBackup(config(), backup);
  const { value: exec } = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'exec')!;
  let spy: MockInstance | undefined;
  await expectSaid(
    'SIGINT',
    `no backup was written; what ${backup} had before is as it was`,
    (interrupt) => {
      spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function interrupted(
        this: DatabaseSync,
        text,
      ) {
        (exec as typeof this.exec).call(this, text);
        if (!text.includes('synchronous = off')) return;
        void interrupt().catch(() => undefined);
        throw goOn;
      });
      return runBackup(config(), backup);
    },
  );
  spy!.mockRestore();
  const folder = join(place.folder, 'other');
  await mkdir(folder);
  const other = parseConfig({ DATABASE_URL: `sqlite:${join(folder, 'store.db')}` });
  await expectSaid('SIGTERM', 'nothing was restored; the store is as it was', (interrupt) => {
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      if (String(text).startsWith('created a new store')) void interrupt().catch(() => undefined);
      return true;
    });
    return runRestore(other, backup, {});
  });
});

test('export, and init, which writes nothing', async () => {
  await place.importHere(await place.write('reviews.json', [record()]), { verifiedBy: 'invoice' });
  const site = join(place.folder, 'site');
  await expectSaid(
    'SIGINT',
    `${site} may have old files beside new ones; export again before you use it`,
    (interrupt) => {
      vi.spyOn(ExportFolder, 'open').mockImplementation(interrupt);
      return runExport(config(), site);
    },
  );
  const folder = join(place.folder, 'files');
  await expectSaid('SIGINT', 'nothing was written', (interrupt) => {
    const input = new PassThrough();
    const output = new PassThrough();
    output.once('data', () => {
      void interrupt().catch(() => input.end());
    });
    return runInit({ folder, force: false, input, output, isTerminal: true });
  });
  expect(await readdir(folder)).toEqual([]);
});
