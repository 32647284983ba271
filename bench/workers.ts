// Reads a second of one worker and of two, on the same store and in the same run.

import type { Benchmark, BenchmarkOptions } from './benchmark.ts';
import { bytesOfRead, rateOf } from './load.ts';
import { Program } from './program.ts';
import { median, ratios } from './statistics.ts';
import { count, type Table } from './table.ts';

const CONNECTIONS = 64;
const REVIEWS = 20_000;

/** From what costs the server next to nothing to what costs it a search. */
const READS = [
  { title: 'the JSON Feed', path: '/api/feed.json' },
  { title: 'a search for words', path: '/api/reviews/search?query=left+no+mess&min_rating=2' },
  { title: 'a search of all', path: '/api/reviews/search?query=the&limit=100' },
] as const;

export const WORKERS: Benchmark = {
  about: 'reads a second of one worker and of two',
  run,
};

async function run({ quick, tell }: BenchmarkOptions): Promise<Table[]> {
  const rounds = quick ? 2 : 5;
  const forMs = quick ? 1_000 : 3_000;
  const program = await Program.create({
    LOG_LEVEL: 'error',
    // The same for both, or each would publish anew what the other has published.
    BASE_URL: 'https://reviews.example',
  });
  try {
    tell(`importing ${count(REVIEWS)} reviews`);
    await program.import(Array.from({ length: REVIEWS }, (_, number) => reviewOf(number)));
    const one = await program.serve([], null);
    const two = await program.serve(['--workers', '2'], null);
    const rows: string[][] = [];
    for (const { title, path } of READS) {
      tell(title);
      rows.push([title, ...(await compare(one, two, path, { rounds, forMs }))]);
    }
    return [
      {
        title: 'Reads per second',
        columns: ['read', '1 worker', '2 workers', 'ratio', 'of rounds'],
        rows,
        notes: [
          `${count(REVIEWS)} reviews, ${CONNECTIONS} connections that stay open, medians of ${rounds} rounds of ${forMs / 1000} s`,
          'in turns; ratio: the median of those of the rounds, then the least and the greatest. The clients',
          'run on the same cores, so the cheaper a read is, the less is left for a second worker.',
        ],
      },
    ];
  } finally {
    await program.close();
  }
}

/** Rounds of both, in turns; the first of each only warms up. */
async function compare(
  one: string,
  two: string,
  path: string,
  { rounds, forMs }: { readonly rounds: number; readonly forMs: number },
): Promise<string[]> {
  const rate = async (origin: string) => {
    const bytes = bytesOfRead(origin, path);
    return (await rateOf(origin, bytes, { connections: CONNECTIONS, forMs })).perSecond;
  };
  const [ofOne, ofTwo]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    ofOne.push(await rate(one));
    ofTwo.push(await rate(two));
  }
  const [a, b] = [ofOne.slice(1), ofTwo.slice(1)];
  const each = ratios(b, a);
  return [
    count(median(a)),
    count(median(b)),
    median(each).toFixed(2),
    `${Math.min(...each).toFixed(2)} to ${Math.max(...each).toFixed(2)}`,
  ];
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
