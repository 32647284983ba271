// An import of many rows by one author on one day takes time in proportion to its size, whoever made the file. Counts
// CPU time of this process and, on PostgreSQL, of the process of the connection.

import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { LINEAR } from '../support/growth.ts';
import { ulidOf } from '../support/reviews.ts';
import { merge, record, TestStore } from '../support/store.ts';
import type { Database } from '../../src/store/database.ts';

const FEW = 500;
const MANY = 8 * FEW;

type Rows = readonly Record<string, unknown>[];
const rows = (count: number, of: (number: number) => Record<string, unknown>): Rows =>
  Array.from({ length: count }, (_, number) => record(of(number)));

/** Records to merge, one import after another. */
const FILES: Readonly<Record<string, (count: number) => readonly Rows[]>> = {
  'of different texts, with ids of a source and without': (count) => [
    rows(count, (number) => ({
      text: `Different words ${number}.`,
      ...(number % 2 === 0 ? { source_id: `${number}` } : {}),
    })),
  ],
  'of one text, with ids of a source and of another instance': (count) => [
    rows(count, (number) =>
      number % 2 === 0 ? { source_id: `${number}` } : { id: ulidOf(count - number) },
    ),
  ],
  'without words': (count) => [
    rows(count, (number) => ({ text: null, source_id: `${count - number}` })),
    rows(count, (number) => ({ text: null, id: ulidOf(count - number) })),
  ],
  'whose copies are stored': (count) => [
    rows(count, (number) => ({ text: `Different words ${number}.`, source_id: `${number}` })),
    rows(count, (number) => ({ text: `Different words ${number}.`, id: ulidOf(number) })),
  ],
  'that are copies of one review, and were changed': (count) => [
    [record({ source_id: '1' }), ...rows(count, (number) => ({ id: ulidOf(number) }))],
    rows(count, (number) => ({ id: ulidOf(number), text: `Different words ${number}.` })),
  ],
  'of which one row is repeated': (count) => [rows(count, () => ({ source_id: '1' }))],
};

/** CPU time so far, in ms, of this process and the one that serves the connection. */
async function cpuMs(database: Database): Promise<number> {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1_000;
  if (database.kind === 'sqlite') return own;
  const { rows: found } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
  `.execute(database.read);
  return own + 10 * found.reduce((sum, { pid }) => sum + ticksOf(pid), 0);
}

/** The CPU time of a process in hundredths of a second; 0 if it ended meanwhile, as idle connections do. */
function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** The CPU time of merging records into a new store. */
async function cost(file: (typeof FILES)[string], count: number): Promise<number> {
  const store = await TestStore.create();
  try {
    const database = await store.open();
    const imports = file(count);
    const before = await cpuMs(database);
    for (const each of imports) await merge(database, each);
    return (await cpuMs(database)) - before;
  } finally {
    await store.close();
  }
}

beforeAll(() => cost(FILES['whose copies are stored']!, FEW));

test.each(Object.entries(FILES))('many rows by one author on one day %s', async (_, file) => {
  let ratio = Infinity;
  for (let round = 0; round < 5 && ratio >= LINEAR; round++) {
    const [few, many] = [await cost(file, FEW), await cost(file, MANY)];
    ratio = Math.min(ratio, many / few);
  }
  expect(ratio).toBeLessThan(LINEAR);
});
