// What one changed review costs: publishing it, starting with it, and the memory of a server that changes
// from one snapshot to the next; against the least that such data takes.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { Companion } from './companion.ts';
import { CORPUS_BUSINESS, writeCorpus } from './corpus.ts';
import { Program } from './program.ts';
import type { Least } from './publish/least.ts';
import type { Published, Question } from './publish/publisher.ts';
import type { Reading, Waits } from './reader.ts';
import { median, ratios } from './statistics.ts';
import { count, type Table } from './table.ts';

const ORIGIN = 'https://reviews.example';
const MIB = 1024 * 1024;
/** While a snapshot is replaced, a reader asks so often. */
const ASK_EVERY_MS = 5;
/** A server that does not serve the next snapshot in this time never will. */
const PATIENCE_MS = 120_000;

export const PUBLISH: Benchmark = {
  about:
    'publishing one changed review, starting, and memory, against the least that the data takes',
  run,
};

async function run({ quick, tell }: BenchmarkOptions): Promise<Findings> {
  const sizes = quick ? [1_000] : [1_000, 10_000, 100_000];
  const rounds = quick ? 2 : 5;
  const results: SizeResult[] = [];
  for (const size of sizes) {
    tell(`${count(size)} reviews`);
    results.push(await measureSize(size, rounds));
  }
  const seconds = (ms: readonly number[]) => (median(ms) / 1000).toFixed(2);
  const times = (ours: readonly number[], theirs: readonly number[]) =>
    median(ratios(ours, theirs)).toFixed(1);
  const tables: Table[] = [
    {
      title: 'Publishing one changed review, seconds',
      columns: [
        'reviews',
        'publish',
        'its CPU',
        'stringify, zstd-3',
        'ratio',
        'of CPU',
        'peak MiB',
      ],
      rows: results.map(({ size, published, least }) => {
        const of = (pick: (one: Published) => number) => published.map(pick);
        const ours = of(({ publish }) => publish.ms);
        const theirs = least.map(({ stringify }) => stringify.ms);
        const ourCpu = of(({ publish }) => publish.cpuMs);
        return [
          count(size),
          seconds(ours),
          seconds(ourCpu),
          seconds(theirs),
          times(ours, theirs),
          times(
            ourCpu,
            least.map(({ stringify }) => stringify.cpuMs),
          ),
          count(median(of(({ peakMiB }) => peakMiB))),
        ];
      }),
      notes: [
        `Medians of ${rounds} rounds, each in a new process that has merged the review before. After it, in`,
        'another process, `JSON.stringify` and zstd-3 of what /reviews.json and /insights.json say.',
      ],
    },
    {
      title: 'Starting, seconds',
      columns: ['reviews', 'until ready', 'read and decompress', 'ratio'],
      rows: results.map(({ size, readyMs, least }) => {
        const unpack = least.map((one) => one.unpack.ms);
        return [count(size), seconds(readyMs), seconds(unpack), times(readyMs, unpack)];
      }),
      notes: ['Until ready: from the start of the process until it says where it listens.'],
    },
    {
      title: 'Memory of the server, MiB, and the longest wait of a reader, ms',
      columns: [
        'reviews',
        '/reviews.json',
        'serving',
        'ratio',
        'most in a change',
        'ratio',
        'longest wait',
      ],
      rows: results.map(({ size, bodyMiB, servingMiB, mostMiB, longestMs }) => [
        count(size),
        bodyMiB.toFixed(1),
        count(median(servingMiB)),
        (median(servingMiB) / bodyMiB).toFixed(1),
        count(mostMiB),
        (mostMiB / bodyMiB).toFixed(1),
        count(longestMs),
      ]),
      notes: [
        'Serving: resident memory after the start. A change: another process publishes, and the server loads the next',
        `snapshot while it serves the one before; meanwhile a reader asks for /feed.xml every ${ASK_EVERY_MS} ms.`,
      ],
    },
  ];
  return { tables };
}

interface SizeResult {
  readonly size: number;
  readonly published: readonly Published[];
  readonly least: readonly Least[];
  readonly readyMs: readonly number[];
  readonly servingMiB: readonly number[];
  readonly bodyMiB: number;
  readonly mostMiB: number;
  readonly longestMs: number;
}

async function measureSize(size: number, rounds: number): Promise<SizeResult> {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-bench-'));
  const program = await Program.create({ LOG_LEVEL: 'error', BASE_URL: ORIGIN });
  try {
    const place = { databaseUrl: program.databaseUrl, origin: ORIGIN };
    const file = join(folder, 'reviews.ndjson');
    const business = join(folder, 'business.json');
    await writeFile(file, [...writeCorpus(size)].map(lineOf));
    await writeFile(business, JSON.stringify(CORPUS_BUSINESS));
    await askOnce<Published>('publisher', { ...place, file, business } satisfies Question);
    const change = join(folder, 'change.ndjson');
    const [first] = writeCorpus(1);
    const publishChange = async (words: string) => {
      await writeFile(change, lineOf({ ...first, text: `${words} ${first?.text}` }));
      return askOnce<Published>('publisher', {
        ...place,
        file: change,
        business: null,
      } satisfies Question);
    };
    const published: Published[] = [];
    const least: Least[] = [];
    const readyMs: number[] = [];
    const servingMiB: number[] = [];
    let origin = '';
    for (let round = 0; round < rounds; round++) {
      await program.stop();
      published.push(await publishChange(`Changed ${round}.`));
      least.push(await askOnce<Least>('least', place));
      const begin = performance.now();
      origin = await program.serve([], null);
      readyMs.push(performance.now() - begin);
      servingMiB.push((await metric(origin, 'process_resident_memory_bytes')) / MIB);
    }
    const head = await fetch(`${origin}/reviews.json`, {
      method: 'HEAD',
      headers: { 'Accept-Encoding': 'identity' },
    });
    const bodyMiB = Number(head.headers.get('content-length')) / MIB;
    const changed = await watchChange(origin, () => publishChange('Changed while it is served.'));
    return { size, published, least, readyMs, servingMiB, bodyMiB, ...changed };
  } finally {
    await program.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The most memory, and the longest wait, from the start of a publish until the server serves it. */
async function watchChange(
  origin: string,
  publish: () => Promise<unknown>,
): Promise<{ mostMiB: number; longestMs: number }> {
  const number = 'public_reviews_snapshot_number';
  const before = await metric(origin, number);
  const reader = Companion.start<Reading, Waits>(
    new URL('./reader.ts', import.meta.url),
    'measuring',
  );
  try {
    const deadline = performance.now() + PATIENCE_MS;
    const published = publish();
    let [mostMiB, longestMs] = [0, 0];
    while ((await metric(origin, number)) <= before) {
      if (performance.now() > deadline) throw new Error('the next snapshot is not served');
      const waits = await reader.ask({
        url: `${origin}/feed.xml`,
        forMs: 200,
        everyMs: ASK_EVERY_MS,
      });
      longestMs = Math.max(longestMs, ...waits.map(({ ms }) => ms));
      mostMiB = Math.max(mostMiB, (await metric(origin, 'process_resident_memory_bytes')) / MIB);
      await sleep(1);
    }
    await published;
    return { mostMiB, longestMs };
  } finally {
    await reader.stop();
  }
}

/** Asks a file beside this one in a new process. */
async function askOnce<Answer>(name: string, question: object): Promise<Answer> {
  const file = new URL(`./publish/${name}.ts`, import.meta.url);
  const companion = Companion.start<object, Answer>(file, null);
  try {
    return await companion.ask(question);
  } finally {
    await companion.stop();
  }
}

async function metric(origin: string, name: string): Promise<number> {
  const said = await (await fetch(`${origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(said)?.[1]);
}

function lineOf(review: object): string {
  return `${JSON.stringify(review)}\n`;
}
