// Reads per second of one worker and of two, on the same store in the same run.

import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { type Measured, rateOf } from './load.ts';
import { Program } from './program.ts';
import { bytesOf } from './requests.ts';
import { RATIO_NOTE, showRatios, takeRounds } from './rounds.ts';
import { median } from './statistics.ts';
import { count } from './table.ts';

const CONNECTIONS = 64;

/** From the cheapest read to the most expensive search. */
const READS = [
  { title: 'the JSON Feed', path: '/api/feed.json' },
  { title: 'a search for words', path: '/api/reviews/search?query=left+no+mess&min_rating=2' },
  { title: 'a search of all', path: '/api/reviews/search?query=the&limit=100' },
] as const;

export const WORKERS: Benchmark = {
  about: 'reads per second of one worker and of two',
  run,
};

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const rounds = quick ? 1 : 5;
  const forMs = quick ? 300 : 3_000;
  const size = quick ? 2_000 : 20_000;
  const program = await Program.create({
    LOG_LEVEL: 'error',
    // The same for both, or each would publish anew what the other has published.
    BASE_URL: 'https://reviews.example',
  });
  try {
    log(`importing ${count(size)} reviews`);
    await program.import(Array.from({ length: size }, (_, number) => reviewOf(number)));
    const serve = async (title: string, flags: readonly string[]): Promise<Measured> => {
      const origin = await program.serve(flags, null);
      return { title, origin, processIds: program.processIds.slice(-1) };
    };
    const one = await serve('1 worker', []);
    const two = await serve('2 workers', ['--workers', '2']);
    const rows: string[][] = [];
    for (const { title, path } of READS) {
      log(title);
      rows.push([title, ...(await compare(one, two, path, { rounds, forMs }))]);
    }
    return {
      tables: [
        {
          title: 'Reads per second',
          columns: ['read', '1 worker', '2 workers', 'ratio', 'of rounds'],
          rows,
          notes: [
            `${count(size)} reviews, ${CONNECTIONS} persistent connections, medians of ${rounds} rounds of ${forMs / 1000} s`,
            `in turns; ratio: ${RATIO_NOTE}. The client`,
            'runs on the same cores, so cheap reads leave little CPU for a second worker.',
          ],
        },
      ],
    };
  } finally {
    await program.close();
  }
}

async function compare(
  one: Measured,
  two: Measured,
  path: string,
  { rounds, forMs }: { readonly rounds: number; readonly forMs: number },
): Promise<string[]> {
  const taken = await takeRounds([one, two], rounds, async (server) => {
    const headers = { 'Accept-Encoding': 'br' };
    const requests = [bytesOf(server.origin, { path, headers })];
    const options = { connections: CONNECTIONS, forMs, role: null };
    return (await rateOf(server, requests, options)).perSecond;
  });
  const [a, b] = [taken.get(one) ?? [], taken.get(two) ?? []];
  return [count(median(a)), count(median(b)), ...showRatios(b, a)];
}

function reviewOf(number: number): object {
  return {
    source_id: `r${number}`,
    author: `Reviewer ${number}`,
    rating: 1 + (number % 5),
    date: new Date(Date.UTC(2012, 0, 1 + (number % 5_000))).toISOString().slice(0, 10),
    text:
      `Review ${number % 2_000}: came on time, fixed the boiler and left no mess behind. The price was ` +
      'what they had said before, and I would call them again any time, day or night.',
    source: 'google',
    verified: true,
  };
}
