// The cost of one changed review: publishing it, starting with it, and the memory of a server that
// replaces its snapshot; compared with the minimum for such data.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Aim, aimAt, tablesOfAims } from './aims.ts';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { HEAP_OPTIONS } from '../src/publishing/heap.ts';
import { Companion } from './companion.ts';
import { CORPUS_BUSINESS, writeCorpus } from './corpus.ts';
import type { Line, Plot } from './plot.ts';
import { Program } from './program.ts';
import type { Least } from './publish/least.ts';
import type { Published, Question } from './publish/publisher.ts';
import type { Reading, Waits } from './reader.ts';
import { median, ratios } from './statistics.ts';
import { count, type Table } from './table.ts';

const ORIGIN = 'https://reviews.example';
const MIB = 1024 * 1024;
/** The size for the aims, and the size for the longest wait of a reader. */
const AIM_AT = 100_000;
const LARGE = 200_000;
/** The interval of a reader's requests while a snapshot is replaced. */
const ASK_EVERY_MS = 5;
/** The time limit for a server to serve the next snapshot. */
const TIMEOUT_MS = 120_000;

export const PUBLISH: Benchmark = {
  about:
    'publishing one changed review, starting, and memory, compared with the minimum for the data',
  run,
};

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const sizes = quick ? [1_000] : [1_000, 10_000, AIM_AT, LARGE];
  const rounds = quick ? 2 : 5;
  const results: SizeResult[] = [];
  for (const size of sizes) {
    log(`${count(size)} reviews`);
    results.push(await measureSize(size, size === LARGE ? 2 : rounds));
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
        `Medians of ${rounds} rounds (2 at ${count(LARGE)}), after merging the review, in a process that has published before, as`,
        "a server's waits; in a new one where it has more than 400 MiB. Then, in a new process, `JSON.stringify` and",
        'zstd-3 of the content of /reviews.json and /insights.json.',
      ],
    },
    {
      title: 'Starting, seconds',
      columns: ['reviews', 'until ready', 'read and decompress', 'ratio'],
      rows: results.map(({ size, readyMs, least }) => {
        const unpack = least.map((one) => one.unpack.ms);
        return [count(size), seconds(readyMs), seconds(unpack), times(readyMs, unpack)];
      }),
      notes: ['Until ready: from the start of the process until it logs its origin.'],
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
        `snapshot while it serves the current one; meanwhile a reader requests /feed.xml every ${ASK_EVERY_MS} ms.`,
      ],
    },
  ];
  return { tables: [...tables, ...tablesOfAims(results.flatMap(aimsOf))], plots: plotsOf(results) };
}

/** The aims for a size. */
function aimsOf({
  size,
  published,
  least,
  readyMs,
  servingMiB,
  bodyMiB,
  longestMs,
}: SizeResult): Aim[] {
  if (size === LARGE) {
    const work = `Longest wait of a reader during a change, ${count(size)} reviews`;
    return [aimAt(work, longestMs, { under: 50 }, ' ms')];
  }
  if (size !== AIM_AT) return [];
  const publish = ratios(
    published.map((one) => one.publish.ms),
    least.map((one) => one.stringify.ms),
  );
  const start = ratios(
    readyMs,
    least.map((one) => one.unpack.ms),
  );
  return [
    aimAt(`Publish, ${count(size)} reviews`, median(publish), { under: 5 }, ' times'),
    aimAt(`Start, ${count(size)} reviews`, median(start), { under: 3 }, ' times'),
    aimAt(`Memory, ${count(size)} reviews`, median(servingMiB) / bodyMiB, { under: 4 }, ' times'),
  ];
}

function plotsOf(results: readonly SizeResult[]): Plot[] {
  const line = (title: string, isDashed: boolean, y: (at: SizeResult) => number): Line => ({
    title,
    isDashed,
    points: results.map((at) => ({ x: at.size, y: y(at) })),
  });
  return [
    {
      name: 'publish-time',
      title: 'Time of publishing one changed review, and of starting, by the number of reviews',
      x: 'reviews',
      y: 's',
      lines: [
        line(
          'publish',
          false,
          ({ published }) => median(published.map((one) => one.publish.ms)) / 1000,
        ),
        line(
          'stringify, zstd-3',
          true,
          ({ least }) => median(least.map((one) => one.stringify.ms)) / 1000,
        ),
        line('start', false, ({ readyMs }) => median(readyMs) / 1000),
        line(
          'read, decompress',
          true,
          ({ least }) => median(least.map((one) => one.unpack.ms)) / 1000,
        ),
      ],
    },
    {
      name: 'server-memory',
      title: 'Memory of a server by the number of reviews',
      x: 'reviews',
      y: 'MiB',
      lines: [
        line('serving', false, ({ servingMiB }) => median(servingMiB)),
        line('most in a change', false, ({ mostMiB }) => mostMiB),
        line('/reviews.json', true, ({ bodyMiB }) => bodyMiB),
      ],
    },
  ];
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
  let publisher: Companion<Question, Published> | null = null;
  const endPublisher = async () => {
    await publisher?.stop();
    publisher = null;
  };
  try {
    const place = { databaseUrl: program.databaseUrl, origin: ORIGIN };
    const file = join(folder, 'reviews.ndjson');
    const business = join(folder, 'business.json');
    await writeFile(file, [...writeCorpus(size)].map(lineOf));
    await writeFile(business, JSON.stringify(CORPUS_BUSINESS));
    await askOnce<Published>(
      'publisher',
      { ...place, file, business } satisfies Question,
      HEAP_OPTIONS,
    );
    const change = join(folder, 'change.ndjson');
    const [first] = writeCorpus(1);
    const publishChange = async (words: string) => {
      await writeFile(change, lineOf({ ...first, text: `${words} ${first?.text}` }));
      publisher ??= startHelper<Published>('publisher', HEAP_OPTIONS);
      const published = await publisher.ask({ ...place, file: change, business: null });
      if (!published.mayWait) await endPublisher();
      return published;
    };
    // One that waits has published before.
    await publishChange('Changed first.');
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
    await endPublisher();
    await program.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Peak memory and longest wait, from the start of a publish until the server serves it. */
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
    const deadline = performance.now() + TIMEOUT_MS;
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

/** Runs a file of bench/publish in a new process, with options of Node. */
function startHelper<Answer>(name: string, options: readonly string[] = []) {
  const file = new URL(`./publish/${name}.ts`, import.meta.url);
  return Companion.start<object, Answer>(file, null, {}, options);
}

async function askOnce<Answer>(
  name: string,
  question: object,
  options: readonly string[] = [],
): Promise<Answer> {
  const companion = startHelper<Answer>(name, options);
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
