// The time from the start of an import until every replica serves it: workers on SQLite, and servers on
// PostgreSQL.

import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../test/support/postgres.ts';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { Program } from './program.ts';
import { median } from './statistics.ts';
import { count } from './table.ts';

const ASK_EVERY_MS = 10;
/** The time limit for all replicas to serve a change. */
const TIMEOUT_MS = 120_000;

export const PROPAGATION: Benchmark = {
  about: 'from the start of an import until all replicas serve it',
  run,
};

/** Servers of one store, by their origins. */
type Replicas = readonly string[];

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const sizes = quick ? [1_000] : [1_000, 20_000];
  const rounds = quick ? 1 : 9;
  const rows: string[][] = [];
  const measure = async (store: string, program: Program, replicas: Replicas) => {
    for (const size of sizes) {
      log(`${store}, ${count(size)} reviews`);
      rows.push([store, count(size), ...(await measureSize(program, replicas, size, rounds))]);
    }
  };
  const settings = { LOG_LEVEL: 'error', BASE_URL: 'https://reviews.example' };
  const sqlite = await Program.create(settings);
  try {
    await measure('SQLite, 2 workers', sqlite, [await sqlite.serve(['--workers', '2'], null)]);
  } finally {
    await sqlite.close();
  }
  const postgres = await startPostgres();
  const program = await Program.create({ ...settings, DATABASE_URL: postgres.url });
  try {
    const replicas: string[] = [];
    while (replicas.length < 3) replicas.push(await program.serve([], null));
    await measure('PostgreSQL, 3 servers', program, replicas);
  } finally {
    await program.close();
    await postgres.remove();
  }
  return {
    tables: [
      {
        title: 'ms until all serve an import of one changed review',
        columns: ['store', 'reviews', 'the command ends', 'all serve it', 'the longest'],
        rows,
        notes: [
          `Medians of ${rounds} imports, from the start of the command, and the longest of them.`,
          '/metrics of workers reports the oldest snapshot that one of them serves.',
        ],
      },
    ],
  };
}

async function measureSize(
  program: Program,
  replicas: Replicas,
  size: number,
  rounds: number,
): Promise<string[]> {
  await program.import(Array.from({ length: size }, (_, number) => reviewOf(number, 'First.')));
  await reached(replicas, -1);
  const ended: number[] = [];
  const served: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await oldestSnapshot(replicas);
    const begin = performance.now();
    const command = program.import([reviewOf(0, `Changed ${size} ${round}.`)]);
    const all = reached(replicas, before);
    await command;
    ended.push(performance.now() - begin);
    await all;
    served.push(performance.now() - begin);
  }
  return [count(median(ended)), count(median(served)), count(Math.max(...served))];
}

/** Waits until every replica serves a later snapshot. */
async function reached(replicas: Replicas, before: number): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while ((await oldestSnapshot(replicas)) <= before) {
    if (performance.now() > deadline)
      throw new Error(`not all replicas serve a snapshot after ${before}`);
    await sleep(ASK_EVERY_MS);
  }
}

async function oldestSnapshot(replicas: Replicas): Promise<number> {
  const numbers = await Promise.all(
    replicas.map(async (origin) => {
      const said = await (await fetch(`${origin}/metrics`)).text();
      return Number(/^public_reviews_snapshot_number (\d+)$/m.exec(said)?.[1]);
    }),
  );
  return Math.min(...numbers);
}

function reviewOf(number: number, text: string): object {
  return {
    source_id: `r${number}`,
    author: `Reviewer ${number}`,
    rating: 1 + (number % 5),
    date: new Date(Date.UTC(2012, 0, 1 + (number % 5_000))).toISOString().slice(0, 10),
    text: `${text} Came on time, fixed the boiler and left no mess behind.`,
    source: 'google',
    verified: true,
  };
}
