// The record of imports as operators see it: the command records, the list and one import show.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { runImport, type ImportFlags } from '../../src/commands/import/import.ts';
import { listRecorded, showRecorded } from '../../src/commands/import/imports.ts';
import { parseConfig } from '../../src/config.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { Workplace } from '../support/process.ts';
import { record } from '../support/store.ts';
import { capture } from '../support/run-command.ts';

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
  await place.look(() => Promise.resolve());
});
afterEach(() => place.close());

const config = () => parseConfig(place.environment);
const importAll = (files: string[], flags: ImportFlags = {}) =>
  capture(() => runImport(config(), files, flags));
const list = () => capture(() => listRecorded(config(), { limit: 20 }));
const listJson = async () => {
  const { stdout } = await capture(() => listRecorded(config(), { limit: 20, json: true }));
  return JSON.parse(stdout) as unknown;
};

test('a store without imports says so', async () => {
  expect(await list()).toEqual({ stdout: 'nothing was imported into this store\n', stderr: '' });
  expect(await listJson()).toEqual([]);
});

test('an import, one that changes nothing and one that fails are listed and shown', async () => {
  const rows = [record(), record({ rating: 9 })].map((row) => JSON.stringify(row));
  const file = await place.write('a.ndjson', rows.join('\n'));
  const bad = await place.write('b.json', '{');
  await importAll([file], { source: 'google', prune: true });
  await importAll([file], { dryRun: true });
  // What a timer repeats is kept once.
  for (let turn = 0; turn < 3; turn++) {
    await importAll([file]);
    await expect(importAll([bad])).rejects.toThrow('expected complete JSON');
  }

  expect(await listJson()).toMatchObject([
    {
      number: 7,
      outcome: 'failed',
      error: `${bad}:1: expected complete JSON, got text that is cut off; export it again`,
    },
    { number: 6, outcome: 'unchanged', error: null, published_at: null },
    {
      number: 1,
      command: 'import',
      outcome: 'published',
      published_at: expect.stringMatching(/^\d{4}-.*Z$/),
      files: [{ name: file, bytes: rows.join('\n').length }],
      options: { source: 'google', prune: true },
      counts: { rows: 2, added: 1, updated: 0, refused: 1 },
      business_changed: false,
      refused: [{ file, line: 2, reason: 'rating: expected an integer from 1 to 5, got 9' }],
      near_duplicates: [],
    },
  ]);
  const [heading, ...lines] = (await list()).stdout.trimEnd().split('\n');
  expect(heading).toMatch(/^NUMBER {2}TIME +COMMAND {2}OUTCOME +ROWS {2}ADDED/);
  expect(lines.map((line) => line.split(/ {2,}/).toSpliced(1, 1).slice(0, 5))).toEqual([
    ['7', 'import', 'failed', '0', '-'],
    ['6', 'import', 'unchanged', '2', '0'],
    ['1', 'import', 'published', '2', '1'],
  ]);
  const { stdout } = await capture(() => showRecorded(config(), '1', {}));
  expect(stdout).toMatch(/^operator +\S+@\S+$/m);
  expect(stdout).toMatch(/^outcome +published \d{4}-/m);
  expect(stdout).toContain(`${file}:2: rating: expected an integer from 1 to 5, got 9\n`);
});

test.each(['2', '0', 'x', '-1', '99999999999999999999'])(
  'no import has the number %s',
  async (number) => {
    await expect(showRecorded(config(), number, {})).rejects.toThrow(
      `expected the number of an import, as "imports list" shows it, got "${number}"`,
    );
  },
);
