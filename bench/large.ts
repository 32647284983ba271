// A large body for many readers: the waits of small requests meanwhile, and the memory for stalled
// readers. Our server compared with nginx and node:http with the body in one `end`.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { Companion } from './companion.ts';
import { CORPUS_BUSINESS, writeCorpus } from './corpus.ts';
import type { DownloadAnswer, DownloadQuestion } from './large/downloads.ts';
import type { Measured } from './load.ts';
import { Nginx, NO_NGINX } from './nginx.ts';
import { Program } from './program.ts';
import type { Reading, Waits } from './reader.ts';
import { bytesOf } from './requests.ts';
import { RATIO_NOTE, showRatios, takeRounds } from './rounds.ts';
import { Server } from './server.ts';
import { median, quantile } from './statistics.ts';
import { count, type Table } from './table.ts';
import { residentMibOf } from './usage.ts';

const LARGE = '/reviews.json';
const SMALL = '/api/feed.json';
const DOWNLOADS = 16;
const STALLED = 200;
const READ_EVERY_MS = 5;
/** After this time all downloads have started. */
const LEAD_MS = 300;
/** Memory is sampled at this interval until it is stable, up to this limit. */
const LOOK_EVERY_MS = 250;
const STEADY_LOOKS = 4;
const MOST_LOOKS = 60;

export const LARGE_BODIES: Benchmark = {
  about: 'a large body for many readers, compared with nginx and node:http',
  run,
};

interface Scene {
  readonly servers: readonly Measured[];
  readonly downloads: Companion<DownloadQuestion, DownloadAnswer>;
  readonly reader: Companion<Reading, Waits>;
  readonly bytes: number;
}

interface Round {
  readonly bytesPerSecond: number;
  /** ms, of small requests. */
  readonly waits: readonly number[];
}

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const size = quick ? 2_000 : 100_000;
  const rounds = quick ? 1 : 5;
  const forMs = quick ? 700 : 4_000;
  return withScene(size, log, async (scene) => {
    log(`${rounds} rounds of ${scene.servers.length} servers`);
    const quiet = await takeRounds(scene.servers, 1, (server) => readOnly(scene, server, forMs));
    const taken = await takeRounds(scene.servers, rounds, (server) =>
      readMeanwhile(scene, server, forMs),
    );
    const memory: string[][] = [];
    for (const server of scene.servers) {
      log(`${STALLED} stalled readers of ${server.title}`);
      memory.push([server.title, ...(await stall(scene, server))]);
    }
    const body = `${LARGE} of ${count(size)} reviews, ${(scene.bytes / 1e6).toFixed(1)} MB plain`;
    return {
      tables: [
        tabulate(scene, quiet, taken, [
          `${body}, to ${DOWNLOADS} continuous downloads, each repeated; small: ${SMALL},`,
          `plain, a request each ${READ_EVERY_MS} ms, ms until its last byte. Medians of ${rounds} interleaved rounds of ${forMs / 1000} s.`,
          `Ratio: of the downloads, ${RATIO_NOTE}. Quiet: without downloads.`,
        ]),
        {
          title: `Memory with ${STALLED} readers that stopped`,
          columns: ['server', 'before, MiB', 'with them, MiB', 'more, MiB'],
          rows: memory,
          notes: [
            `${body}; resident memory of all processes of the server. Without the socket buffers of the`,
            'system.',
          ],
        },
      ],
    };
  });
}

async function withScene(
  size: number,
  log: BenchmarkOptions['log'],
  work: (scene: Scene) => Promise<Findings>,
): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-large-'));
  const program = await Program.create({ LOG_LEVEL: 'error' });
  const start = <Question extends object, Answer>(file: string) =>
    Companion.start<Question, Answer>(new URL(file, import.meta.url), 'measuring');
  const downloads = start<DownloadQuestion, DownloadAnswer>('./large/downloads.ts');
  const reader = start<Reading, Waits>('./reader.ts');
  const stops = [() => downloads.stop(), () => reader.stop(), () => program.close()];
  try {
    log(`importing ${count(size)} reviews`);
    await program.import([...writeCorpus(size)], CORPUS_BUSINESS);
    const origin = await program.serve();
    const servers: Measured[] = [{ title: 'ours', origin, processIds: program.processIds }];
    const [large, small] = await Promise.all([
      fetchBody(origin + LARGE),
      fetchBody(origin + SMALL),
    ]);
    await writeFile(join(folder, 'large'), large);
    await writeFile(join(folder, 'small'), small);
    const bare = await Server.start(new URL('./large/buffer.ts', import.meta.url), {
      LARGE_PATH: LARGE,
      LARGE: join(folder, 'large'),
      SMALL: join(folder, 'small'),
    });
    stops.push(() => bare.stop());
    servers.push({
      title: 'node:http, end(buffer)',
      origin: bare.origin,
      processIds: bare.processIds,
    });
    const common = { isGzip: false, headers: [], contentType: 'application/json; charset=utf-8' };
    const nginx = await Nginx.start(folder, [
      { ...common, path: LARGE, body: large },
      { ...common, path: SMALL, body: small },
    ]);
    if (nginx) {
      stops.push(() => nginx.stop());
      servers.unshift(nginx);
    }
    return await work({ servers, downloads, reader, bytes: large.length });
  } finally {
    await Promise.all(stops.map((stop) => stop()));
    await rm(folder, { recursive: true });
  }
}

async function fetchBody(url: string): Promise<Buffer> {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
  return Buffer.from(await response.arrayBuffer());
}

/** Waits of small requests to an idle server. */
async function readOnly({ reader }: Scene, { origin }: Measured, forMs: number): Promise<number[]> {
  const waits = await reader.ask({ url: origin + SMALL, forMs, everyMs: READ_EVERY_MS });
  return waits.map(({ ms }) => ms);
}

async function readMeanwhile(scene: Scene, server: Measured, forMs: number): Promise<Round> {
  const { downloads } = scene;
  const read = {
    kind: 'read',
    ...requestOf(server),
    count: DOWNLOADS,
    forMs: LEAD_MS + forMs,
  } as const;
  const underWay = downloads.ask(read);
  await sleep(LEAD_MS);
  const waits = await readOnly(scene, server, forMs);
  return { bytesPerSecond: await underWay, waits };
}

/** The request of a download, after which the server closes. */
function requestOf({ origin }: Measured) {
  const headers = { Connection: 'close' };
  return { port: Number(new URL(origin).port), request: bytesOf(origin, { path: LARGE, headers }) };
}

async function stall({ downloads }: Scene, server: Measured): Promise<string[]> {
  const before = await steadyMibOf(server);
  await downloads.ask({ kind: 'stall', ...requestOf(server), count: STALLED });
  const after = await steadyMibOf(server);
  await downloads.ask({ kind: 'end' });
  if (before === null || after === null) return ['unknown', 'unknown', 'unknown'];
  return [before, after, after - before].map((mib) => mib.toFixed(0));
}

/** Resident memory once it is stable. */
async function steadyMibOf({ processIds }: Measured): Promise<number | null> {
  let last = residentMibOf(processIds);
  for (let looks = 0, steady = 0; looks < MOST_LOOKS && steady < STEADY_LOOKS; looks++) {
    await sleep(LOOK_EVERY_MS);
    const now = residentMibOf(processIds);
    if (now === null || last === null) return null;
    steady = Math.abs(now - last) < 0.5 ? steady + 1 : 0;
    last = now;
  }
  return last;
}

function tabulate(
  { servers }: Scene,
  quiet: ReadonlyMap<Measured, readonly (readonly number[])[]>,
  taken: ReadonlyMap<Measured, readonly Round[]>,
  notes: readonly string[],
): Table {
  const [first] = servers;
  const hasNginx = first instanceof Nginx;
  const rateOf = (server: Measured | undefined) =>
    (server ? (taken.get(server) ?? []) : []).map(({ bytesPerSecond }) => bytesPerSecond);
  const show = (rounds: readonly (readonly number[])[], share: number) =>
    median(rounds.map((waits) => quantile(waits, share))).toFixed(1);
  return {
    title: `Small requests during ${DOWNLOADS} large downloads`,
    columns: [
      'server',
      'downloads, MB/s',
      ...(hasNginx ? ['to nginx', 'of rounds'] : []),
      'small quiet, p50',
      'p99',
      'meanwhile, p50',
      'p99',
      'longest',
    ],
    rows: servers.map((server) => {
      const waits = (taken.get(server) ?? []).map((round) => round.waits);
      const before = quiet.get(server) ?? [];
      return [
        server.title,
        count(median(rateOf(server)) / 1e6),
        ...(hasNginx ? showRatios(rateOf(server), rateOf(first)) : []),
        ...[0.5, 0.99].map((share) => show(before, share)),
        ...[0.5, 0.99, 1].map((share) => show(waits, share)),
      ];
    }),
    notes: [...notes, ...(hasNginx ? [] : [NO_NGINX])],
  };
}
