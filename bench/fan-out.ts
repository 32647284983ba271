// The WebSub fan-out: the rate at which the server delivers a change to all subscribers, compared with
// the plain HTTP client, and the effect on readers of the same server.

import { setTimeout as sleep } from 'node:timers/promises';
import { normalized } from '../src/hub/callback-url.ts';
import { callbackOf } from '../src/hub/parse-callback.ts';
import { subscribed } from '../src/model/subscription.ts';
import { encodeUlid } from '../src/model/ulid.ts';
import { linksOf } from '../src/snapshot/documents.ts';
import { Database } from '../src/store/database.ts';
import { VERSION } from '../src/version.ts';
import { Certificate, TEST_ADDRESSES } from '../test/support/tls.ts';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import type { Posted, Posting } from './fan-out/bare.ts';
import type { SinkAnswer, SinkQuestion } from './fan-out/sinks.ts';
import { Companion } from './companion.ts';
import { Program } from './program.ts';
import type { Reading, Waits } from './reader.ts';
import { median, quantile, ratios } from './statistics.ts';
import { count } from './table.ts';

const TOPIC = '/feed.xml';
/** The hub's defaults, also used for the plain client. */
const CONCURRENCY = 256;
const CONNECTIONS_PER_HOST = 8;
/** The length of every text: 50 reviews make a feed of 30 KB. */
const TEXT_LENGTH = 60;
const READ_EVERY_MS = 5;
/** Long enough for the connections of one round to close before the next. */
const BETWEEN_MS = 1_500;

interface Callback {
  readonly url: string;
  readonly secret: string;
}

interface Scene {
  readonly program: Program;
  readonly origin: string;
  readonly callbacks: readonly Callback[];
  readonly sinks: Companion<SinkQuestion, SinkAnswer>;
  readonly bare: Companion<Posting, Posted>;
  readonly reader: Companion<Reading, Waits>;
}

interface Round extends SinkAnswer {
  readonly cpuSeconds: number;
}

export const FAN_OUT: Benchmark = {
  about: 'WebSub deliveries to 1,000 and 10,000 subscribers, compared with the plain HTTP client',
  run,
};

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const rounds = quick ? 1 : 7;
  const sizes = quick ? [1_000] : [1_000, 10_000];
  const deliveries: string[][] = [];
  const readers: string[][] = [];
  for (const subscribers of sizes) {
    await withScene(subscribers, async (scene) => {
      for (const delayMs of quick ? [0] : [0, 100]) {
        const sink = delayMs === 0 ? 'instant' : `${delayMs} ms`;
        log(`${count(subscribers)} subscribers, ${sink}`);
        deliveries.push([
          count(subscribers),
          sink,
          ...(await compare(scene, delayMs, rounds, log)),
        ]);
        if (subscribers === sizes.at(-1))
          readers.push([sink, ...(await readMeanwhile(scene, delayMs))]);
      }
    });
  }
  return {
    tables: [
      {
        title: 'Deliveries per second',
        columns: [
          'subscribers',
          'sinks',
          'hub',
          'undici',
          'ratio',
          'of rounds',
          'CPU',
          'connections',
          'load',
        ],
        rows: deliveries,
        notes: [
          `Feeds of 30 KB, signed for each, over HTTPS to ${TEST_ADDRESSES.length} hosts, ${CONCURRENCY} at a time; the time is that from the`,
          `first delivery to the last at the sinks, and begins without connections. Medians of ${rounds} interleaved`,
          'rounds; ratio: the median of those of the rounds, then the least and the greatest; CPU: µs of the',
          'sender for each delivery, of hub and undici; load: of one core, by the sinks.',
        ],
      },
      {
        title: `Waits of readers of ${TOPIC}`,
        columns: ['sinks', 'before, p50', 'p99', 'during, p50', 'p99', 'longest'],
        rows: readers,
        notes: [
          `ms; a request each ${READ_EVERY_MS} ms, before and while ${count(sizes.at(-1) ?? 0)} subscribers get theirs.`,
        ],
      },
    ],
  };
}

/** Measures both in turns; the first round is a warm-up. */
async function compare(
  scene: Scene,
  delayMs: number,
  rounds: number,
  log: BenchmarkOptions['log'],
): Promise<string[]> {
  const [hub, bare]: [Round[], Round[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const [ours, theirs] = [await runHub(scene, delayMs), await runBare(scene, delayMs)];
    log(`round ${round} of ${rounds}: ${count(ours.ms)} ms, undici ${count(theirs.ms)} ms`);
    hub.push(ours);
    bare.push(theirs);
  }
  const pairs = (valueOf: (round: Round) => number) => {
    const [ours, theirs] = [hub.slice(1).map(valueOf), bare.slice(1).map(valueOf)];
    return { ours: median(ours), theirs: median(theirs), each: ratios(ours, theirs) };
  };
  const rate = pairs(({ ms }) => ((scene.callbacks.length - 1) * 1000) / ms);
  const cpu = pairs(({ cpuSeconds }) => (cpuSeconds * 1e6) / scene.callbacks.length);
  const connections = pairs((round) => round.connections);
  return [
    count(rate.ours),
    count(rate.theirs),
    median(rate.each).toFixed(2),
    `${Math.min(...rate.each).toFixed(2)} to ${Math.max(...rate.each).toFixed(2)}`,
    `${count(cpu.ours)} / ${count(cpu.theirs)}`,
    `${count(connections.ours)} / ${count(connections.theirs)}`,
    [...hub, ...bare].reduce((most, { load }) => Math.max(most, load), 0).toFixed(2),
  ];
}

/** Imports a change of the feed and waits for its deliveries. */
async function runHub({ callbacks, sinks, program, origin }: Scene, delayMs: number) {
  await sleep(BETWEEN_MS);
  await sinks.ask({ kind: 'expect', deliveries: callbacks.length, delayMs });
  await program.import(reviews());
  await sinks.ask({ kind: 'await', what: 'first' });
  const before = await cpuSecondsOf(origin);
  const answer = await sinks.ask({ kind: 'await', what: 'all' });
  return roundOf(answer, callbacks, (await cpuSecondsOf(origin)) - before);
}

async function runBare({ callbacks, sinks, bare, origin }: Scene, delayMs: number) {
  await sleep(BETWEEN_MS);
  const response = await fetch(origin + TOPIC);
  const body = Buffer.from(await response.arrayBuffer());
  await sinks.ask({ kind: 'expect', deliveries: callbacks.length, delayMs });
  const headers = {
    'user-agent': `public-reviews/${VERSION} (WebSub hub; +${origin})`,
    'content-type': response.headers.get('content-type') ?? '',
    link: linksOf(TOPIC, origin),
  };
  const posting = { callbacks, body, headers, concurrency: CONCURRENCY };
  const { acknowledged, cpuSeconds } = await bare.ask(posting);
  if (acknowledged !== callbacks.length) throw new Error(`${acknowledged} were acknowledged`);
  return roundOf(await sinks.ask({ kind: 'await', what: 'all' }), callbacks, cpuSeconds);
}

function roundOf(answer: SinkAnswer, callbacks: readonly Callback[], cpuSeconds: number): Round {
  if (answer.callbacks !== callbacks.length) throw new Error('a subscriber got two, another none');
  return { ...answer, cpuSeconds };
}

async function cpuSecondsOf(origin: string): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]);
}

/** Waits of a reader of an idle server, and during a fan-out. */
async function readMeanwhile(scene: Scene, delayMs: number): Promise<string[]> {
  const { sinks, reader, program, callbacks, origin } = scene;
  const url = origin + TOPIC;
  const read = (forMs: number) => reader.ask({ url, forMs, everyMs: READ_EVERY_MS });
  await read(1_000);
  const before = (await read(3_000)).map(({ ms }) => ms);
  await sinks.ask({ kind: 'expect', deliveries: callbacks.length, delayMs });
  await program.import(reviews());
  const underWay = read(delayMs === 0 ? 4_000 : 8_000);
  const begin = performance.now();
  const { ms: lasted } = await sinks.ask({ kind: 'await', what: 'all' });
  const end = performance.now() - begin;
  const during = (await underWay).flatMap(({ atMs, ms }) =>
    atMs > end - lasted && atMs < end ? ms : [],
  );
  const show = (ms: number) => ms.toFixed(1);
  return [
    ...[before, during].flatMap((waits) => [quantile(waits, 0.5), quantile(waits, 0.99)].map(show)),
    show(Math.max(...during)),
  ];
}

async function withScene(subscribers: number, work: (scene: Scene) => Promise<void>) {
  const certificate = await Certificate.create();
  const trust = { NODE_EXTRA_CA_CERTS: certificate.path };
  const program = await Program.create({
    ...trust,
    HUB_ALLOW_NETWORKS: '127.0.0.0/8',
    // So that the import is over when the deliveries begin.
    HUB_COALESCE_SECONDS: '1',
    // Rounds follow one another within the minute in which the hub limits its requests to a host.
    HUB_MAX_SUBSCRIPTIONS_PER_HOST: '0',
  });
  const sinks = Companion.start<SinkQuestion, SinkAnswer>(
    new URL('./fan-out/sinks.ts', import.meta.url),
    'measuring',
  );
  const bare = Companion.start<Posting, Posted>(
    new URL('./fan-out/bare.ts', import.meta.url),
    'measured',
    { ...trust, CONNECTIONS_PER_HOST: String(CONNECTIONS_PER_HOST) },
  );
  const reader = Companion.start<Reading, Waits>(
    new URL('./reader.ts', import.meta.url),
    'measuring',
  );
  try {
    const { key, cert } = certificate;
    const { port } = await sinks.ask({ kind: 'listen', key, cert });
    const callbacks = Array.from({ length: subscribers }, (_, number) => ({
      url: `https://${TEST_ADDRESSES[number % TEST_ADDRESSES.length]}:${port}/callback/${number}`,
      secret: `the secret of ${number}`,
    }));
    const origin = await program.serve();
    await subscribe(program.databaseUrl, origin, callbacks);
    await work({ program, origin, callbacks, sinks, bare, reader });
  } finally {
    await Promise.all([sinks.stop(), bare.stop(), reader.stop(), program.close()]);
    await certificate.close();
  }
}

/** Stores confirmed subscriptions for all callbacks. */
async function subscribe(databaseUrl: string, origin: string, callbacks: readonly Callback[]) {
  const database = await Database.open(databaseUrl);
  const now = Date.now();
  const rows = callbacks.map(({ url, secret }, number) => {
    const random = Buffer.alloc(10);
    random.writeUInt32BE(number);
    const { host, domain } = callbackOf(url);
    const terms = { topic_url: origin + TOPIC, callback: url, lease_seconds: 864_000, secret };
    return {
      id: encodeUlid(now, random),
      topic: TOPIC,
      callback_key: normalized(url),
      host,
      domain,
      network: null,
      unproven: 0,
      rank: number + 1,
      ...subscribed({ mode: 'subscribe', number, ...terms }, now),
      claimed_by: null,
      claimed_until: 0,
    };
  });
  await database.write(async (transaction) => {
    for (let start = 0; start < rows.length; start += 500) {
      const some = rows.slice(start, start + 500);
      await transaction.insertInto('subscriptions').values(some).execute();
    }
  });
  await database.close();
}

/** The same 50 reviews, with different texts each time. */
function reviews(): object[] {
  const edition = `As of ${performance.now()}. `;
  return Array.from({ length: 50 }, (_, number) => ({
    source_id: `r${number}`,
    author: `Reviewer ${number}`,
    rating: 5,
    date: '2026-01-01',
    text: edition.padEnd(TEXT_LENGTH, 'They came on time and fixed the boiler. '),
    source: 'google',
    verified: true,
  }));
}
