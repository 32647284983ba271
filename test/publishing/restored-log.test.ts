// The log after a restore: it never shrinks, and one key never signs two trees of one size.

import { existsSync } from 'node:fs';
import { chown, copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runBackup } from '../../src/commands/store/backup.ts';
import { runImport } from '../../src/commands/import/import.ts';
import { showStatus } from '../../src/commands/store/status.ts';
import { runLog } from '../../src/commands/log/log.ts';
import { runRestore } from '../../src/commands/store/restore.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import { consistencyProof, isConsistent } from '../../src/log/merkle.ts';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { formatVerifierKey, newSeed, signingKey } from '../../src/log/notes.ts';
import { Database } from '../../src/store/database.ts';
import { loadLogState } from '../../src/store/log/log.ts';
import { loadState, saveOrigin } from '../../src/store/state.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { currentSnapshot, expectHolds, logOf, publishLog, told } from '../support/log.ts';
import { capture } from '../support/run-command.ts';
import { merge, record, TestStore } from '../support/store.ts';

let store: TestStore;
let backup: string;
/** The public address and a witness. */
let answers: Record<string, { status: number; body: string }>;
const web = createServer((request, response) => {
  const { status, body } = answers[request.url ?? ''] ?? { status: 503, body: '' };
  response.writeHead(status).end(body);
});
beforeEach(async () => {
  store = await TestStore.create();
  backup = join(store.folder, 'backup.db');
  answers = {};
  await new Promise<void>((resolve) => void web.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => void web.close(resolve));
  await store.close();
});

const address = () => `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
const elsewhere = () => `sqlite:${join(store.folder, 'elsewhere', 'reviews.db')}`;
const configOf = (url: string, settings: Record<string, string> = {}): Config =>
  parseConfig({ DATABASE_URL: url, ...settings });

const fileOf = (url: string) => url.slice('sqlite:'.length);

/** Loses a database, not what is beside it. */
async function lose(url: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm']) await rm(fileOf(url) + ending, { force: true });
}

async function using<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await Database.open(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Imports a review and publishes. */
const publishOne = (url: string, sourceId: string, logKeyFile: string | null = null) =>
  using(url, async (database) => {
    await merge(database, [record({ source_id: sourceId, rating: 2 })]);
    return publishLog(database, { logKeyFile });
  });
const restore = (url: string, settings: Record<string, string> = {}, replace = false) =>
  capture(() => runRestore(configOf(url, settings), backup, { replace }));

/** Publishes a review, makes a backup, and publishes another review. */
async function publishBeyondBackup(logKeyFile: string | null = null): Promise<Snapshot> {
  await using(store.url, (database) => saveOrigin(database, address()));
  await publishOne(store.url, '1', logKeyFile);
  await capture(() => runBackup(configOf(store.url), backup));
  return publishOne(store.url, '2', logKeyFile);
}

function expectContinues(later: Snapshot, earlier: Snapshot): void {
  const [next, before] = [later, earlier].map((each) =>
    parseCheckpoint(logOf(each).manifest.checkpoint)!,
  );
  const proof = consistencyProof(logOf(later).tree, before!.size);
  expect(isConsistent(before!, next!, proof)).toBe(true);
}

test('a database file that is replaced by an older copy signs nothing', async () => {
  const file = fileOf(store.url);
  await publishOne(store.url, '1');
  await copyFile(file, `${file}.older`);
  const newest = await publishOne(store.url, '2');
  await copyFile(file, `${file}.newest`);
  await copyFile(`${file}.older`, file);
  await expect(publishOne(store.url, 'another')).rejects.toThrow(
    'the log in the store has 2 entries, and one with 4 was signed before. Nothing was signed or ' +
      'published. Restore a newer backup',
  );
  await copyFile(`${file}.newest`, file);
  expectContinues(await publishOne(store.url, 'another'), newest);
});

test('a lost database is no new store, unless the file beside it goes too, which says what it expects if damaged', async () => {
  const file = fileOf(store.url);
  await publishBeyondBackup();
  const signed = await readFile(`${file}-signed`, 'utf8');
  for (const isEmpty of [false, true]) {
    await (isEmpty ? writeFile(file, '') : rm(file));
    for (const purpose of ['server', 'command', 'load'] as const)
      await expect(Database.open(store.url, purpose)).rejects.toThrow(
        isEmpty || purpose !== 'load' ? /is lost or empty.+restore the last backup/ : 'put it back',
      );
    const importing = runImport(configOf(store.url), [join(store.folder, 'none.json')], {});
    await expect(importing).rejects.toThrow('is lost or empty');
    await expect(showStatus(configOf(store.url), {})).rejects.toThrow(`remove ${file}-signed`);
    expect([existsSync(file), await readFile(`${file}-signed`, 'utf8')]).toEqual([isEmpty, signed]);
  }
  await restore(store.url);
  await expect(publishOne(store.url, '3')).rejects.toThrow('one with 4 was signed before');
  await Promise.all([rm(file), rm(`${file}-signed`)]);
  expectHolds(await publishOne(store.url, '1'));
  expect(JSON.parse(await readFile(`${file}-signed`, 'utf8'))).toMatchObject({ size: 2 });
  await writeFile(`${file}-signed`, '{');
  await expect(publishOne(store.url, '2')).rejects.toThrow('expected the newest signed tree');
});

test.runIf(process.getuid?.() === 0)(
  'what root writes beside the database belongs to the user of the server',
  async () => {
    const signed = `${fileOf(store.url)}-signed`;
    await publishOne(store.url, '1');
    await chown(signed, 65_534, 65_534);
    await publishOne(store.url, '2');
    expect(await stat(signed)).toMatchObject({ uid: 65_534, gid: 65_534 });
    await rm(signed);
    await chown(store.folder, 65_533, 65_533);
    await publishOne(store.url, '3');
    expect(await stat(signed)).toMatchObject({ uid: 65_533, gid: 65_533 });
  },
);

test('restoring an older backup over a store keeps its log, and the next publish logs the difference', async () => {
  const before = await publishBeyondBackup();
  await restore(store.url, {}, true);
  await using(store.url, async (database) => {
    const { publishedVersion, contentVersion } = await loadState(database.read);
    expect(publishedVersion).toBeLessThan(contentVersion);
    expect((await currentSnapshot(database)).reviewCount).toBe(1);
    expect(await loadLogState(database.read)).toMatchObject({ size: 4 });
    const after = await publishLog(database);
    expect(told(after, 4)).toEqual(['removed 2 google error', 'publication']);
    expectHolds(after);
    expectContinues(after, before);
  });
});

test('a backup that was made before a new log began signs no second one with its key', async () => {
  await publishOne(store.url, '1');
  await capture(() => runLog(configOf(store.url), 'replace'));
  await capture(() => runBackup(configOf(store.url), backup));
  const begun = await publishOne(store.url, '2');
  await publishOne(store.url, '3');
  await lose(store.url);
  await restore(store.url);
  await expect(publishOne(store.url, 'another')).rejects.toThrow('log replace');
  await capture(() => runLog(configOf(store.url), 'replace'));
  const anew = logOf(await publishOne(store.url, 'another')).manifest;
  expect(anew.keys).not.toEqual(logOf(begun).manifest.keys);
});

test('with the keys in a file, a copy of it does not count as knowing all that was signed', async () => {
  const logKeyFile = join(store.folder, 'log-key');
  const config = configOf(elsewhere(), { LOG_KEY_FILE: logKeyFile });
  const continueLog = (unchecked = false) =>
    capture(() => runLog(config, 'continue', { unchecked }));
  const restoreElsewhere = async () => {
    const { stdout } = await restore(elsewhere(), { LOG_KEY_FILE: logKeyFile }, true);
    expect(stdout).toContain('log continue');
  };
  const publishing = () => publishOne(elsewhere(), '3', logKeyFile);
  await publishOne(store.url, '1', logKeyFile);
  await copyFile(logKeyFile, `${logKeyFile}-older`);
  await publishBeyondBackup(logKeyFile);
  await restoreElsewhere();
  await expect(publishing()).rejects.toThrow('one with 4 was signed');
  await expect(continueLog(true)).rejects.toThrow('one with 4 was signed');

  await copyFile(`${logKeyFile}-older`, logKeyFile);
  await expect(publishing()).rejects.toThrow('from a backup');
  await capture(() => runLog(config, 'rotate'));
  await lose(elsewhere());
  // Such as a server that starts before the restore.
  await expect(publishing()).rejects.toThrow('one with 2 was signed');
  await restoreElsewhere();
  const copied = await readFile(logKeyFile, 'utf8');
  for (const copy of [copied.replace('"replaces": false', '"replaces": true'), copied]) {
    await writeFile(logKeyFile, copy);
    await expect(publishing()).rejects.toThrow('from a backup');
  }
  await expect(continueLog()).rejects.toThrow('neither the public address nor a witness');
  await continueLog(true);
  expectHolds(await publishing());

  await rm(logKeyFile);
  await expect(continueLog()).rejects.toThrow(
    `the key that signed the log is not in ${logKeyFile}. Put it back, or copy it from another server of this store.`,
  );
});

test('with the keys in a file, the file beside a lost database tells whether all is restored, unless it is older', async () => {
  const logKeyFile = join(store.folder, 'log-key');
  const file = fileOf(store.url);
  const restoreLost = async () => {
    await lose(store.url);
    return (await restore(store.url, { LOG_KEY_FILE: logKeyFile })).stdout;
  };
  await publishOne(store.url, '0', logKeyFile);
  for (const path of [`${file}-signed`, logKeyFile]) await copyFile(path, `${path}-older`);
  await publishBeyondBackup(logKeyFile);
  expect(await restoreLost()).not.toContain('log continue');
  await expect(publishOne(store.url, '3', logKeyFile)).rejects.toThrow('was signed before');

  for (const path of [`${file}-signed`, logKeyFile]) await copyFile(`${path}-older`, path);
  expect(await restoreLost()).toContain('log continue');
  await expect(publishOne(store.url, '3', logKeyFile)).rejects.toThrow('from a backup');
});

test('a backup from before a key was retired brings back neither the key nor a question', async () => {
  const log = (command: 'rotate' | 'retire') => capture(() => runLog(configOf(store.url), command));
  const before = await publishBeyondBackup();
  await log('rotate');
  const rotated = await using(store.url, publishLog);
  await log('retire');
  const retired = logOf(await using(store.url, publishLog)).manifest.keys;
  expect(logOf(rotated).manifest.keys).toEqual([...logOf(before).manifest.keys, ...retired]);
  await restore(store.url, {}, true);
  const after = await using(store.url, publishLog);
  expect(told(after, 4)).toEqual(['removed 2 google error', 'publication']);
  expectHolds(after);
  expectContinues(after, before);
  expect(logOf(after).manifest.keys).toEqual(retired);
});

describe('a backup restored into a new store', () => {
  const witnessKey = formatVerifierKey(signingKey('witness.example/w', 'witness', newSeed()));
  const continueLog = (unchecked = false) =>
    capture(() =>
      runLog(
        configOf(elsewhere(), { LOG_WITNESSES: `${witnessKey} ${address()}/witness` }),
        'continue',
        { unchecked },
      ),
    );
  let newest: Snapshot;
  beforeEach(async () => {
    newest = await publishBeyondBackup();
    const { stdout } = await restore(elsewhere());
    expect(stdout).toContain('nothing is published until "npx public-reviews log continue"');
  });

  test('publishes nothing before the operator lets the log continue', async () => {
    await expect(publishOne(elsewhere(), '3')).rejects.toThrow(
      'the store was restored from a backup, and whether a larger log was signed after that is not known',
    );
    await expect(continueLog()).rejects.toThrow(
      /^neither .* run "npx public-reviews log continue --unchecked"\. Else .* log replace"/,
    );
    await expect(publishOne(elsewhere(), '3')).rejects.toThrow('restored from a backup');
    const { stderr } = await continueLog(true);
    expect(stderr).toContain('/log/checkpoint did not answer (status 503): NOT checked');
    expect(stderr).toContain('/witness answered 503: ; nothing is known from there');
    const next = await publishOne(elsewhere(), '4');
    expectHolds(next);
    expect(next.reviewCount).toBe(3);
    expect((await continueLog()).stderr).toContain('no older one was restored: nothing to do');
  });

  test('does not continue while a larger log is served at the public address', async () => {
    const body = logOf(newest).manifest.checkpoint;
    answers['/log/checkpoint'] = { status: 200, body };
    await expect(continueLog(true)).rejects.toThrow(
      /\/log\/checkpoint serves a log of 4 entries; the store has 2. Nothing was signed .+ Restore a newer backup/,
    );
    await expect(publishOne(elsewhere(), '3')).rejects.toThrow('restored from a backup');
  });

  test('does not continue if a witness has cosigned a larger log', async () => {
    answers['/witness/add-checkpoint'] = { status: 409, body: '4\n' };
    await expect(continueLog()).rejects.toThrow('has cosigned another log of 4 entries');
  });

  test('does not continue if a witness has cosigned another log of that size', async () => {
    answers['/witness/add-checkpoint'] = { status: 422, body: 'no\n' };
    await expect(continueLog()).rejects.toThrow('answered 422');
  });

  test('continues if what is served is in the store', async () => {
    const served = await using(elsewhere(), currentSnapshot);
    answers['/log/checkpoint'] = { status: 200, body: logOf(served).manifest.checkpoint };
    expect((await continueLog()).stderr).toContain('2 entries, which the store has');
  });
});

test('the log of the example business continues without a question', async () => {
  await using(store.url, async (database) => {
    await merge(database, [record()], { example: true });
    await publishLog(database);
  });
  await capture(() => runBackup(configOf(store.url), backup));
  expect((await restore(elsewhere())).stdout).not.toContain('log continue');
});
