// Searches over HTTP: a mix of 400, each with the exact number of matches and 20 complete reviews. Our
// server compared with what one would write in an afternoon; all must first give the same answers.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Aim, aimAt, tablesOfAims } from './aims.ts';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { CORPUS_BUSINESS, writeCorpus } from './corpus.ts';
import {
  LOAD_NOTES,
  type Measured,
  type Rate,
  rateOf,
  showLoad,
  showPerCpuSecond,
  showRate,
} from './load.ts';
import { Program } from './program.ts';
import { askAnew, buildMix, type Question, SHARES } from './queries.ts';
import { bytesOf } from './requests.ts';
import { RATIO_NOTE, showRatios, takeRounds } from './rounds.ts';
import { type Peer, readSearch, searchPath, startPeers, TITLES } from './search/peers.ts';
import { fetchRows, keepRows } from './search/rows.ts';
import { median, ratios } from './statistics.ts';
import { count, type Table } from './table.ts';

/** Few, because a slow server continues to work on its requests after a round. */
const CONNECTIONS = 16;
const OURS = 'ours, asked again';
/** The difference between the two is the effect of the result cache. */
const ANEW = 'ours, asked for the first time';
/** Copies of the mix: more searches than the cache holds. */
const VARIATIONS = 50;

const AIM_AT = 100_000;
/** Ratios of our rate to theirs. */
const AIMS: readonly (readonly [title: string, ratio: number])[] = [
  [TITLES.like, 100],
  [TITLES.fts5, 8],
  [TITLES.postgres, 80],
  [TITLES.jsonServer, 2_000],
];

export const SEARCH: Benchmark = {
  about: 'searches over HTTP, compared with SQLite, PostgreSQL, json-server and an array',
  run,
};

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const sizes = quick ? [2_000] : [10_000, 100_000];
  const rounds = quick ? 1 : 5;
  const forMs = quick ? 300 : 3_000;
  const tables: Table[] = [];
  const aims: Aim[] = [];
  for (const size of sizes) {
    const taken = await measureSize(size, { rounds, forMs, log });
    tables.push(tabulate(size, taken, { rounds, forMs }));
    if (size === AIM_AT) aims.push(...aimsOf(size, taken));
  }
  return { tables: [...tables, ...tablesOfAims(aims)] };
}

type Taken = ReadonlyMap<string, readonly Rate[]>;

async function measureSize(
  size: number,
  { rounds, forMs, log }: Scale & Pick<BenchmarkOptions, 'log'>,
): Promise<Taken> {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-search-'));
  const program = await Program.create({ LOG_LEVEL: 'error' });
  let peers: readonly Peer[] = [];
  try {
    log(`importing ${count(size)} reviews`);
    await program.import([...writeCorpus(size)], CORPUS_BUSINESS);
    const origin = await program.serve();
    const rows = await fetchRows(origin);
    if (rows.length !== size) throw new Error(`${rows.length} reviews are served`);
    await keepRows(join(folder, 'rows'), rows);
    peers = await startPeers(join(folder, 'rows'), rows, log);
    const mix = buildMix();
    log(`sending ${mix.length} searches to every server`);
    await checkAnswers(origin, peers, mix);

    const ours: Measured = { title: OURS, origin, processIds: program.processIds };
    const requests = new Map<Measured, readonly Buffer[]>([
      [ours, mix.map((question) => bytesOf(origin, { path: searchPath(question) }))],
      [{ ...ours, title: ANEW }, pathsAnew(mix).map((path) => bytesOf(origin, { path }))],
      ...peers.map(
        (peer) =>
          [
            peer,
            mix.map((question) => bytesOf(peer.origin, { path: peer.pathOf(question) })),
          ] as const,
      ),
    ]);
    log(`${rounds} rounds of ${requests.size} servers`);
    const taken = await takeRounds([...requests.keys()], rounds, (server, round) => {
      const list = requests.get(server) ?? [];
      // A slow server does not finish the list in a round, so the next round starts elsewhere in it.
      const from = Math.floor((round * list.length) / (rounds + 1));
      return rateOf(server, list, { connections: CONNECTIONS, forMs, from });
    });
    return new Map([...taken].map(([{ title }, rates]) => [title, rates]));
  } finally {
    await Promise.all([...peers.map(({ stop }) => stop()), program.close()]);
    await rm(folder, { recursive: true });
  }
}

/** The mix many times, with different words each time. */
function pathsAnew(mix: readonly Question[]): string[] {
  return Array.from({ length: VARIATIONS }, (_, variation) =>
    mix.map((question) => searchPath({ ...question, filter: askAnew(question.filter, variation) })),
  ).flat();
}

/** Checks that every server finds the same reviews in the same order. */
async function checkAnswers(
  origin: string,
  peers: readonly Peer[],
  mix: readonly Question[],
): Promise<void> {
  for (const question of mix) {
    const ours = await readSearch(await fetch(origin + searchPath(question)));
    if (question.kind === 'absent' && ours.matched > 0) {
      throw new Error(`${JSON.stringify(question)} is not absent: ${ours.matched}`);
    }
    for (const peer of peers) {
      const theirs = await peer.read(await fetch(peer.origin + peer.pathOf(question)));
      if (theirs.matched !== ours.matched || theirs.ids.join() !== ours.ids.join()) {
        throw new Error(
          `${peer.title} answers ${JSON.stringify(question)} with ${theirs.matched}, ours with ` +
            `${ours.matched}: ${theirs.ids.join(' ')} / ${ours.ids.join(' ')}`,
        );
      }
    }
  }
}

interface Scale {
  readonly rounds: number;
  readonly forMs: number;
}

function ratesOf(taken: Taken, title: string): number[] {
  return (taken.get(title) ?? []).map(({ perSecond }) => perSecond);
}

function tabulate(size: number, taken: Taken, { rounds, forMs }: Scale): Table {
  const [again, anew] = [ratesOf(taken, OURS), ratesOf(taken, ANEW)];
  const shares = Object.entries(SHARES).map(([kind, share]) => `${share} ${kind}`);
  return {
    title: `Searches per second, ${count(size)} reviews`,
    columns: [
      'server',
      'per second',
      'ours, first, to this',
      'of rounds',
      'ours, again, to this',
      'of rounds',
      'core',
      'a CPU second',
    ],
    rows: [...taken].map(([title, rates]) => {
      const theirs = ratesOf(taken, title);
      return [
        title,
        showRate(median(theirs)),
        ...showRatios(anew, theirs),
        ...showRatios(again, theirs),
        showLoad(rates),
        showPerCpuSecond(rates),
      ];
    }),
    notes: [
      `A mix of 400: ${shares.join(', ')}.`,
      'Every answer has the exact count of matches and 20 complete reviews; all servers first answered all 400 and',
      `gave the same counts and the same reviews in the same order. ${CONNECTIONS} connections; medians of ${rounds} interleaved`,
      `rounds of ${forMs / 1000} s, each starting at another search. Ratio: ${RATIO_NOTE}.`,
      ...LOAD_NOTES,
      'The mix repeats, so our server has the results in its cache. New searches: each with a',
      `\`since\` or \`until\` that all reviews pass, ${VARIATIONS} different ones in turn, more than the cache holds.`,
    ],
  };
}

function aimsOf(size: number, taken: Taken): Aim[] {
  return [OURS, ANEW].flatMap((ours) =>
    AIMS.map(([title, ratio]) =>
      aimAt(
        `Searches, ${count(size)} reviews, ${ours}, to ${title}`,
        median(ratios(ratesOf(taken, ours), ratesOf(taken, title))),
        { atLeast: ratio },
        ' times',
      ),
    ),
  );
}
