// `restore` of files that somebody made by hand: one line says what is wrong, and the store stays as it is.

import { execFileSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBackup } from '../../src/commands/store/backup.ts';
import { runRestore } from '../../src/commands/store/restore.ts';
import { parseConfig } from '../../src/config.ts';
import { digestTable } from '../../src/store/backup/backup.ts';
import { TABLE_NAMES } from '../../src/store/backup/copy-store.ts';
import { FaultStore } from '../support/fault-store.ts';
import { fuzzRestore, sign } from '../support/fuzz-backups.ts';
import { capture } from '../support/run-command.ts';

let store: FaultStore;
let path: string;
let backup: string;
beforeAll(async () => {
  store = await FaultStore.create();
  path = await store.copy();
  backup = `${path}.backup`;
  await capture(() => runBackup(configOf(path), backup));
});
afterAll(() => store.remove());

const configOf = (file: string) => parseConfig({ DATABASE_URL: `sqlite:${file}` });
const restore = async (file: string) => {
  await capture(() => runRestore(configOf(path), file, { replace: true }));
};

/** Everything in the store. */
function fingerprint(): string {
  const file = new DatabaseSync(path, { readOnly: true });
  const digests = [...TABLE_NAMES, 'state', 'log_state'].map(
    (table) => digestTable(file, table).digest,
  );
  file.close();
  return digests.join();
}

test.each(['a pipe', 'a directory'])('%s is no backup, and is not waited for', async (kind) => {
  const other = `${path} of ${kind}`;
  execFileSync(kind === 'a pipe' ? 'mkfifo' : 'mkdir', [other]);
  const refusal = `${other}: expected a file that "backup" made, got another or a damaged one`;
  await expect(restore(other)).rejects.toThrow(refusal);
  // A folder gets a backup.
  if (kind === 'a directory') return;
  await expect(capture(() => runBackup(configOf(path), other))).rejects.toThrow(other);
});

test.each([
  [`update reviews set rating = 'five'`, 'reviews.rating: expected integer, got text'],
  [`update reviews set author = x'00'`, 'reviews.author: expected text, got blob'],
  [`alter table reviews drop column title`, 'reviews has no column title text'],
  [`alter table state add column more text`, 'state has a "column more text", which no store has'],
  [`create table strange (a)`, 'it has the table "strange", which no store has'],
  [
    `alter table reviews add column g as (hex(zeroblob(100)))`,
    'it has the computed column "g" of "reviews", which no backup has',
  ],
  [`delete from state`, 'state has 0 rows instead of 1'],
  [`update backup set info = json_remove(info, '$.tables.reviews')`, 'it has no digest of reviews'],
])('"%s" is named', async (statement, reason) => {
  const other = `${path}.changed`;
  await copyFile(backup, other);
  const file = new DatabaseSync(other);
  file.exec(statement);
  sign(file);
  file.close();
  await expect(restore(other)).rejects.toThrow(
    `${other}: the backup is damaged (${reason}): use another one`,
  );
});

/** Other files, more of them: SEED=7 FILES=3000. A failure names both. */
test('files that were made by hand are restored whole, or refused with one line', async () => {
  const seed = Number(process.env['SEED'] ?? 1);
  const count = Number(process.env['FILES'] ?? 24);
  const { restored, refused } = await fuzzRestore(backup, count, seed, restore, fingerprint);
  expect(restored + refused).toBe(count);
});
