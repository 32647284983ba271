// A prepared document, complete and as a 304: our server, nginx, node:http and frameworks, each one
// process on one core that gives the same bytes with the same headers.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { aimAt, tablesOfAims } from './aims.ts';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { CORPUS_BUSINESS, writeCorpus } from './corpus.ts';
import { type Document, fetchDocument, keepDocument } from './documents/document.ts';
import {
  LOAD_NOTES,
  type Measured,
  type Rate,
  rateOf,
  showLoad,
  showPerCpuSecond,
} from './load.ts';
import { Nginx, NO_NGINX } from './nginx.ts';
import { Program } from './program.ts';
import { bytesOf } from './requests.ts';
import { RATIO_NOTE, showRatios, takeRounds } from './rounds.ts';
import { Server } from './server.ts';
import { median, ratios } from './statistics.ts';
import { count, type Table } from './table.ts';

const PATH = '/api/feed.json';
const CONNECTIONS = 64;
/** The number of corpus texts in one review: 50 such reviews make a feed of about 30 KB. */
const TEXTS = 12;
const BYTES = { least: 27_000, most: 36_000 };

const PEERS = {
  raw: 'node:net, a ready answer',
  bare: 'node:http, prepared headers',
  usual: 'node:http, setHeader and new URL',
  fastify: 'Fastify',
  express: 'Express',
  koa: 'Koa',
  hono: 'Hono',
} as const;
const FRAMEWORKS: readonly string[] = [PEERS.fastify, PEERS.express, PEERS.koa, PEERS.hono];

const LIMITED = 'ours, with a rate limit';
/** Our servers by title, with their settings. */
const OURS = {
  ours: {},
  [LIMITED]: { RATE_LIMIT_PER_MINUTE: '1000000' },
};

export const DOCUMENTS: Benchmark = {
  about: 'a document of 30 KB and its 304, compared with nginx, node:http and frameworks',
  run,
};

/** The two requests to every server. */
const KINDS = [
  { title: 'Answers of 30 KB a second', status: 200 },
  { title: '304 a second', status: 304 },
] as const;

type Kind = (typeof KINDS)[number];

async function run(options: BenchmarkOptions): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-documents-'));
  const program = await Program.create({
    LOG_LEVEL: 'error',
    // Both of our servers publish the same bytes.
    BASE_URL: 'https://reviews.example',
  });
  const stops = [() => program.close()];
  try {
    await program.import(reviews(), CORPUS_BUSINESS);
    const servers: Measured[] = [];
    for (const [title, settings] of Object.entries(OURS)) {
      const origin = await program.serve([], 'measured', settings);
      servers.push({ title, origin, processIds: program.processIds.slice(-1) });
    }
    const document = await fetchDocument((servers[0] as Measured).origin + PATH);
    const bytes = document.body.length;
    if (bytes < BYTES.least || bytes > BYTES.most) throw new Error(`the feed has ${bytes} bytes`);
    await keepDocument(folder, document);
    const nginx = await startNginx(folder, document);
    if (nginx) {
      stops.push(() => nginx.stop());
      servers.unshift(nginx);
    }
    for (const [name, title] of Object.entries(PEERS)) {
      const file = new URL(`./documents/${name}.ts`, import.meta.url);
      const peer = await Server.start(file, { DOCUMENT: folder });
      stops.push(() => peer.stop());
      servers.push({ title, origin: peer.origin, processIds: peer.processIds });
    }
    return await measureAll(servers, document, options);
  } finally {
    await Promise.all(stops.map((stop) => stop()));
    await rm(folder, { recursive: true });
  }
}

function reviews(): object[] {
  const all = [...writeCorpus(50 * TEXTS)];
  return all.slice(0, 50).map((review, place) => ({
    ...review,
    text: all
      .slice(place * TEXTS, (place + 1) * TEXTS)
      .map(({ text }) => text)
      .join(' '),
  }));
}

function startNginx(folder: string, document: Document): Promise<Nginx | null> {
  return Nginx.start(folder, [
    {
      path: document.path,
      body: document.body,
      isGzip: true,
      contentType: document.contentType,
      // It makes these itself from the file.
      headers: document.headersNotModified.filter(
        (_, place, all) => !['etag', 'last-modified'].includes(all[place - (place % 2)] ?? ''),
      ),
    },
  ]);
}

async function measureAll(
  servers: readonly Measured[],
  document: Document,
  { quick, log }: BenchmarkOptions,
): Promise<Findings> {
  const rounds = quick ? 1 : 5;
  const forMs = quick ? 250 : 2_000;
  const tables: Table[] = [];
  const aims = [];
  for (const kind of KINDS) {
    const requests = new Map<Measured, readonly Buffer[]>();
    for (const server of servers) requests.set(server, [await prepare(server, document, kind)]);
    log(`${kind.title}, ${count(servers.length)} servers`);
    const taken = await takeRounds(servers, rounds, (server) =>
      rateOf(server, requests.get(server) ?? [], { connections: CONNECTIONS, forMs }),
    );
    const named = new Map([...taken].map(([{ title }, rates]) => [title, rates]));
    tables.push(tabulate(kind, named, { rounds, forMs, bytes: document.body.length }));
    aims.push(...aimsOf(kind, named));
  }
  return { tables: [...tables, ...tablesOfAims(aims)] };
}

/** The request to one server, after checking its answer. */
async function prepare(server: Measured, document: Document, { status }: Kind): Promise<Buffer> {
  const first = await fetchDocument(server.origin + PATH);
  if (!first.body.equals(document.body)) throw new Error(`${server.title} answers other bytes`);
  const headers = {
    'Accept-Encoding': 'gzip',
    ...(status === 304 ? { 'If-None-Match': first.tag } : {}),
  };
  // Not fetch, which adds `Cache-Control: no-cache` to a condition.
  const { statusCode, body } = await request(server.origin + PATH, { headers });
  await body.dump();
  if (statusCode !== status) throw new Error(`${server.title} answers ${statusCode}`);
  return bytesOf(server.origin, { path: PATH, headers });
}

type Taken = ReadonlyMap<string, readonly Rate[]>;

function ratesOf(taken: Taken, title: string): number[] {
  return (taken.get(title) ?? []).map(({ perSecond }) => perSecond);
}

function tabulate(
  { title }: Kind,
  taken: Taken,
  {
    rounds,
    forMs,
    bytes,
  }: { readonly rounds: number; readonly forMs: number; readonly bytes: number },
): Table {
  const nginx = [...taken.keys()].find((name) => name.startsWith('nginx'));
  const bare = ratesOf(taken, PEERS.bare);
  const rows = [...taken].map(([name, rates]) => {
    const ours = ratesOf(taken, name);
    return [
      name,
      count(median(ours)),
      ...(nginx === undefined ? [] : showRatios(ours, ratesOf(taken, nginx))),
      ...showRatios(ours, bare),
      showLoad(rates),
      showPerCpuSecond(rates),
    ];
  });
  return {
    title,
    columns: [
      'server',
      'per second',
      ...(nginx === undefined ? [] : ['to nginx', 'of rounds']),
      'to bare node:http',
      'of rounds',
      'core',
      'a CPU second',
    ],
    rows: rows.toSorted((a, b) => numberOf(b[1]) - numberOf(a[1])),
    notes: [
      `The JSON Feed, ${count(bytes)} bytes in gzip, ${CONNECTIONS} persistent connections; medians of ${rounds} interleaved`,
      `rounds of ${forMs / 1000} s. Ratio: ${RATIO_NOTE}.`,
      `Bare: "${PEERS.bare}".`,
      ...LOAD_NOTES,
      ...(nginx === undefined ? [NO_NGINX] : []),
    ],
  };
}

function numberOf(cell = ''): number {
  return Number(cell.replaceAll(',', ''));
}

function aimsOf({ title }: Kind, taken: Taken) {
  const ours = ratesOf(taken, 'ours');
  const best = FRAMEWORKS.toSorted(
    (a, b) => median(ratesOf(taken, b)) - median(ratesOf(taken, a)),
  )[0] as string;
  return [
    aimAt(
      `${title}, to bare node:http`,
      median(ratios(ours, ratesOf(taken, PEERS.bare))),
      { atLeast: 0.9 },
      ' times',
    ),
    aimAt(
      `${title}, with a rate limit, to ours without`,
      median(ratios(ratesOf(taken, LIMITED), ours)),
      { atLeast: 0.9 },
      ' times',
    ),
    aimAt(
      `${title}, to the quickest framework, ${best}`,
      median(ratios(ours, ratesOf(taken, best))),
      { atLeast: 1 },
      ' times',
    ),
  ];
}
