// The search index in process, without HTTP, compared with SQLite's FTS5: both count all matches and
// find the 20 newest. Growth of time and memory with the number of reviews.

import { type Aim, aimAt, tablesOfAims } from './aims.ts';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { Companion } from './companion.ts';
import type { Line, Plot } from './plot.ts';
import { buildMix, type Kind, parametersOf, type Question, SHARES } from './queries.ts';
import { RATIO_NOTE, showRatios, takeRounds } from './rounds.ts';
import type { Built, Found, SideQuestion, Timed } from './search-index/side.ts';
import { median, quantile, ratios } from './statistics.ts';
import { count, type Table } from './table.ts';

const NAMES = { ours: 'ours, first', again: 'ours, again', fts5: 'FTS5' } as const;
type Name = keyof typeof NAMES;
const SIDES: readonly Name[] = ['ours', 'again', 'fts5'];
type Side = Companion<SideQuestion, Built | Found[] | Timed>;

/** The smallest size for growth, and the smallest size with an aim for the slowest searches. */
const GROWTH_FROM = 10_000;
const AIM_FROM = 100_000;
const SHORTEST = 3;

export const SEARCH_INDEX: Benchmark = {
  about: 'the search index alone, compared with FTS5, by number of reviews',
  run,
};

/** The mix without filters by mention, because insights are not derived here. */
function buildQuestions(): Question[] {
  return buildMix().filter(
    ({ filter }) =>
      filter.mentions_technician === undefined && filter.mentions_service === undefined,
  );
}

interface Measured {
  readonly size: number;
  readonly questions: readonly Question[];
  readonly built: Readonly<Record<Name, Built>>;
  readonly timed: Readonly<Record<Name, readonly Timed[]>>;
}

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const sizes = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
  const roundsOf = (size: number) => (quick ? 1 : size < 1_000_000 ? 5 : 3);
  const measured: Measured[] = [];
  for (const size of sizes) measured.push(await measureSize(size, roundsOf(size), log));
  return {
    tables: [
      tabulate(measured),
      compare(measured),
      ...measured.slice(-1).map(tabulateKinds),
      ...tablesOfAims(aimsOf(measured)),
    ],
    plots: plotsOf(measured),
  };
}

async function measureSize(
  size: number,
  rounds: number,
  log: BenchmarkOptions['log'],
): Promise<Measured> {
  const questions = buildQuestions();
  const filters = questions.map(({ filter }) => parametersOf(filter));
  const start = (file: string): Side =>
    Companion.start(new URL(`./search-index/${file}.ts`, import.meta.url), 'measured');
  const [ours, fts5] = [start('ours'), start('fts5')];
  const sides: Record<Name, Side> = { ours, again: ours, fts5 };
  try {
    const build = async (name: Name) => {
      log(`${count(size)} reviews, building ${NAMES[name]}`);
      return (await sides[name].ask({ kind: 'build', size })) as Built;
    };
    // One after the other: they share a core.
    const ourBuilt = await build('ours');
    const built = { ours: ourBuilt, again: ourBuilt, fts5: await build('fts5') };
    const answer = async (name: Name) =>
      (await sides[name].ask({ kind: 'answer', filters })) as Found[];
    const [found, theirs] = [await answer('ours'), await answer('fts5')];
    filters.forEach((filter, place) => {
      if (JSON.stringify(found[place]) !== JSON.stringify(theirs[place])) {
        throw new Error(`${filter}: the two do not find the same`);
      }
    });
    log(`${count(size)} reviews, ${rounds} rounds`);
    const taken = await takeRounds(
      SIDES,
      rounds,
      async (name) =>
        (await sides[name].ask({ kind: 'time', filters, isAnew: name === 'ours' })) as Timed,
    );
    const timed = {
      ours: taken.get('ours') ?? [],
      again: taken.get('again') ?? [],
      fts5: taken.get('fts5') ?? [],
    };
    return { size, questions, built, timed };
  } finally {
    await Promise.all([ours.stop(), fts5.stop()]);
  }
}

/** A quantile of the times of one round. */
function timesOf(timed: readonly Timed[], share: number, isMeant = (_place: number) => true) {
  return timed.map(({ ms }) =>
    quantile(
      ms.filter((_, place) => isMeant(place)),
      share,
    ),
  );
}

function timeOf(timed: readonly Timed[], share: number): number {
  return median(timesOf(timed, share));
}

function tabulate(measured: readonly Measured[]): Table {
  const rounds = measured.map(({ timed }) => timed.ours.length).join(', ');
  const rows = measured.flatMap(({ size, built, timed }) =>
    SIDES.map((name) => [
      count(size),
      NAMES[name],
      ...[0.5, 0.99, 1].map((share) => showMs(timeOf(timed[name], share))),
      count(median(timed[name].map(({ perCpuSecond }) => perCpuSecond))),
      count(built[name].bytes / size),
      built[name].seconds.toFixed(1),
    ]),
  );
  return {
    title: 'Searches in process',
    columns: [
      'reviews',
      'index',
      'p50, ms',
      'p99, ms',
      'longest, ms',
      'a CPU second',
      'bytes a review',
      'built in, s',
    ],
    rows,
    notes: [
      `${count(measured[0]?.questions.length ?? 0)} searches, the mix without filters by mention, in turn; each counts with the mean`,
      `of its times; p50 and p99 are over the searches, and the median of interleaved rounds (${rounds}). A CPU second:`,
      'with all searches equally frequent. Bytes: the index with the folded texts; of FTS5 the database in memory, with the same texts.',
      'Again: with the results in the cache; first: each time with another `since` or `until`',
      'that all reviews pass. All count all matches and find the same 20 newest reviews. FTS5 uses LIKE for strings of fewer than three',
      'letters.',
    ],
  };
}

function compare(measured: readonly Measured[]): Table {
  return {
    title: 'The slowest searches, ours to FTS5',
    columns: ['reviews', 'p99 of all', 'of rounds', 'p99 from three letters on', 'of rounds'],
    rows: measured.map(({ size, questions, timed }) => {
      const isIndexed = (place: number) => {
        const query = questions[place]?.filter.query;
        return query === undefined || query.length >= SHORTEST;
      };
      return [
        count(size),
        ...showRatios(timesOf(timed.ours, 0.99), timesOf(timed.fts5, 0.99), 3),
        ...showRatios(
          timesOf(timed.ours, 0.99, isIndexed),
          timesOf(timed.fts5, 0.99, isIndexed),
          3,
        ),
      ];
    }),
    notes: [
      `Ratio of times, so less is faster: ${RATIO_NOTE}. From three letters on: without what FTS5 cannot look up.`,
    ],
  };
}

/** Times by kind of search. */
function tabulateKinds({ size, questions, timed }: Measured): Table {
  return {
    title: `By kind of search, ${count(size)} reviews`,
    columns: [
      'kind',
      ...SIDES.flatMap((name) => [`${NAMES[name]}, p50, ms`, 'longest, ms']),
      'ours, first, to FTS5',
    ],
    rows: (Object.keys(SHARES) as Kind[]).map((kind) => {
      const isMeant = (place: number) => questions[place]?.kind === kind;
      const timeOfKind = (name: Name, share: number) =>
        median(timesOf(timed[name], share, isMeant));
      return [
        kind,
        ...SIDES.flatMap((name) => [0.5, 1].map((share) => showMs(timeOfKind(name, share)))),
        showRatios(timesOf(timed.ours, 0.5, isMeant), timesOf(timed.fts5, 0.5, isMeant), 3)[0],
      ];
    }),
    notes: ['Ours to FTS5: the median of the ratios of rounds, of the p50 of each.'],
  };
}

function aimsOf(measured: readonly Measured[]): Aim[] {
  const aims = measured
    .filter(({ size }) => size >= AIM_FROM)
    .map(({ size, timed }) =>
      aimAt(
        `Search index, p99 at ${count(size)} reviews, to FTS5`,
        median(ratios(timesOf(timed.ours, 0.99), timesOf(timed.fts5, 0.99))),
        { under: 0.25 },
        ' times',
      ),
    );
  const [first, last] = [measured.find(({ size }) => size === GROWTH_FROM), measured.at(-1)];
  if (!first || !last || first === last) return aims;
  const growths = (['ours', 'again'] as const).map((name) =>
    aimAt(
      `Search index, ${NAMES[name]}: median at ${count(last.size)} reviews to that at ${count(first.size)}`,
      timeOf(last.timed[name], 0.5) / timeOf(first.timed[name], 0.5),
      { under: 3 },
      ' times',
    ),
  );
  return [...aims, ...growths];
}

function plotsOf(measured: readonly Measured[]): Plot[] {
  const lineOf = (title: string, isDashed: boolean, y: (at: Measured) => number): Line => ({
    title,
    isDashed,
    points: measured.map((at) => ({ x: at.size, y: y(at) })),
  });
  return [
    {
      name: 'search-time',
      title: 'Time of a search by the number of reviews',
      x: 'reviews',
      y: 'ms',
      lines: SIDES.flatMap((name) => [
        lineOf(`${NAMES[name]}, p50`, false, ({ timed }) => timeOf(timed[name], 0.5)),
        lineOf(`${NAMES[name]}, p99`, true, ({ timed }) => timeOf(timed[name], 0.99)),
      ]),
    },
    {
      name: 'search-memory',
      title: 'Memory of the search index by the number of reviews',
      x: 'reviews',
      y: 'MB',
      lines: [
        lineOf('ours', false, ({ built }) => built.ours.bytes / 1e6),
        lineOf('FTS5', false, ({ built }) => built.fts5.bytes / 1e6),
      ],
    },
  ];
}

function showMs(ms: number): string {
  return ms.toFixed(ms < 1 ? 4 : 2);
}
