// Reading and merging files of reviews into an empty store, without the publish; compared with a library that parses
// the same file and one transaction that writes the rows.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { FORMATS, type Format, writeFormat } from './import/formats.ts';
import { RATIO_NOTE, showRatios, takeRounds } from './rounds.ts';
import { median } from './statistics.ts';
import { count } from './table.ts';

const run = promisify(execFile);
const OURS = fileURLToPath(new URL('../test/support/merge-only.ts', import.meta.url));
const LEAST = fileURLToPath(new URL('./import/least.ts', import.meta.url));

export const IMPORT: Benchmark = {
  about: 'reading and merging files, compared with a parser and bare inserts',
  run: measureFormats,
};

/** What a process took. */
interface Took {
  /** Kibibytes. */
  readonly maxRss: number;
  readonly cpuMs: number;
}

async function measureFormats({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const size = quick ? 2_000 : 100_000;
  const rounds = quick ? 1 : 5;
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-bench-'));
  try {
    const rows: string[][] = [];
    for (const format of FORMATS) {
      log(`${format}, ${count(size)} reviews, ${rounds} rounds`);
      const file = join(folder, format);
      await writeFormat(file, format, size);
      rows.push([format, ...(await measureFormat(folder, file, format, size, rounds))]);
    }
    return {
      tables: [
        {
          title: `Importing ${count(size)} reviews`,
          columns: ['format', 'reviews per CPU second', 'parse, insert', 'ratio', '', 'peak MiB'],
          rows,
          notes: [
            `Medians of ${rounds} interleaved rounds, each in a new process and into an empty SQLite file.`,
            `Ratio: ${RATIO_NOTE}.`,
            'Parse, insert: a library parses the same file, and one transaction writes six columns of each review into a table with a key.',
            'An import also checks and normalises each field, derives the id, finds duplicates, and keeps the history.',
          ],
        },
      ],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureFormat(
  folder: string,
  file: string,
  format: Format,
  size: number,
  rounds: number,
): Promise<string[]> {
  const taken = await takeRounds(['ours', 'least'] as const, rounds, async (side) => {
    const path = join(folder, `${side}.db`);
    const args = side === 'ours' ? [OURS, `sqlite:${path}`] : [LEAST, path];
    const { stdout } = await run(process.execPath, [...args, file, format]);
    for (const end of ['', '-wal', '-shm']) await rm(path + end, { force: true });
    return JSON.parse(stdout) as Took;
  });
  const ours = taken.get('ours') ?? [];
  const rateOf = ({ cpuMs }: Took) => (size * 1000) / cpuMs;
  const ourRates = ours.map(rateOf);
  const rates = (taken.get('least') ?? []).map(rateOf);
  return [
    count(Math.round(median(ourRates))),
    count(Math.round(median(rates))),
    ...showRatios(ourRates, rates),
    count(Math.round(median(ours.map(({ maxRss }) => maxRss / 1024)))),
  ];
}
