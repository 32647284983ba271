// Searches by words with relevance and exact counts, in process, compared with SQLite's FTS5 and with
// libraries for Node. All find reviews that have any word of a search, inflected.

import { FACETS } from '../src/model/search.ts';
import { type Aim, aimAt, tablesOfAims } from './aims.ts';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { Companion } from './companion.ts';
import { RATIO_NOTE, showRatios, takeRounds } from './rounds.ts';
import type { WordsBuilt, WordsQuestion, WordsTimed } from './search-words/side.ts';
import { median, quantile, ratios } from './statistics.ts';
import { count, type Table } from './table.ts';
import { buildHostileSearches, buildWordSearches } from './word-searches.ts';

const SIDES = {
  ours: 'ours',
  fts5: 'FTS5, porter, bm25',
  minisearch: 'MiniSearch',
  orama: 'Orama',
  lunr: 'lunr',
} as const;
type Name = keyof typeof SIDES;
const NAMES = Object.keys(SIDES) as Name[];
type Side = Companion<WordsQuestion, WordsBuilt | readonly number[] | WordsTimed>;

/** The libraries take seconds for a search of more reviews. */
const LIBRARIES_AT = 10_000;
const AIM_AT = 100_000;
/** The number of reviews for hostile searches, and their greatest ratio to the median of the usual ones. */
const HOSTILE_AT = 300_000;
const HOSTILE_RATIO = 10;
/** The most that all facets of half of the reviews may take. */
const FACETS_MS = 3;
/** Ratios of our rate to that of FTS5, and to that of the fastest library. */
const AIMS = { fts5: 5, inProcess: 3 } as const;

export const SEARCH_WORDS: Benchmark = {
  about: 'searches by words with relevance, compared with FTS5, MiniSearch, Orama and lunr',
  run,
};

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const sizes = quick ? [2_000] : [LIBRARIES_AT, AIM_AT];
  const rounds = quick ? 1 : 5;
  const tables: Table[] = [];
  const aims: Aim[] = [];
  for (const size of sizes) {
    const { built, timed, matched } = await measureSize(size, rounds, log);
    tables.push(tabulate(size, rounds, built, timed, matched));
    if (!quick) aims.push(aimOf(size, timed));
  }
  const facets = await measureFacets(quick ? 2_000 : AIM_AT, rounds, log);
  const hostile = await measureHostile(quick ? 2_000 : HOSTILE_AT, rounds, log);
  tables.push(facets.table, hostile.table);
  if (!quick) aims.push(facets.aim, hostile.aim);
  return { tables: [...tables, ...tablesOfAims(aims)] };
}

/** Facets of our index, counted over half of all reviews. */
async function measureFacets(
  size: number,
  rounds: number,
  log: BenchmarkOptions['log'],
): Promise<{ readonly table: Table; readonly aim: Aim }> {
  const all = FACETS.join(',');
  const searches = ['', ...FACETS, all];
  const side: Side = Companion.start(
    new URL('./search-words/facets.ts', import.meta.url),
    'measured',
  );
  try {
    log(`${count(size)} reviews, facets`);
    await side.ask({ kind: 'build', size });
    const taken: WordsTimed[] = [];
    for (let round = 0; round < rounds; round++) {
      taken.push((await side.ask({ kind: 'time', searches })) as WordsTimed);
    }
    const ms = searches.map((_, at) => median(taken.map((one) => one.ms[at] as number)));
    const more = ms.map((one) => one - (ms[0] as number));
    return {
      table: {
        title: `Facets of half of ${count(size)} reviews`,
        columns: ['facets', 'ms in addition to the search'],
        rows: [
          ...FACETS.map((name, at) => [name, (more[at + 1] as number).toFixed(3)]),
          [`all ${FACETS.length}`, (more.at(-1) as number).toFixed(3)],
        ],
        notes: [`Exact counts, with generated mentions; medians of ${rounds} rounds.`],
      },
      aim: aimAt(
        `All facets of half of ${count(size)} reviews`,
        more.at(-1) as number,
        { under: FACETS_MS },
        ' ms',
      ),
    };
  } finally {
    await side.stop();
  }
}

/** Hostile searches of our index, compared with usual ones. */
async function measureHostile(
  size: number,
  rounds: number,
  log: BenchmarkOptions['log'],
): Promise<{ readonly table: Table; readonly aim: Aim }> {
  const usual = buildWordSearches();
  const hostile = buildHostileSearches();
  const searches = [...usual, ...Object.values(hostile)];
  const side: Side = Companion.start(
    new URL('./search-words/ours.ts', import.meta.url),
    'measured',
  );
  try {
    log(`${count(size)} reviews, hostile searches`);
    await side.ask({ kind: 'build', size });
    const taken: WordsTimed[] = [];
    for (let round = 0; round < rounds; round++) {
      taken.push((await side.ask({ kind: 'time', searches })) as WordsTimed);
    }
    const ms = searches.map((_, at) => median(taken.map((one) => one.ms[at] as number)));
    const middle = median(ms.slice(0, usual.length));
    const ratioOf = (at: number) => (ms[usual.length + at] as number) / middle;
    const names = Object.keys(hostile);
    return {
      table: {
        title: `Hostile searches by words, ${count(size)} reviews`,
        columns: ['search', 'ms', 'to the median of usual ones'],
        rows: [
          ['usual ones, median', middle.toFixed(3), '1.0'],
          ...names.map((name, at) => [
            name,
            (ms[usual.length + at] as number).toFixed(3),
            ratioOf(at).toFixed(1),
          ]),
        ],
        notes: [`By relevance; medians of ${rounds} rounds.`],
      },
      aim: aimAt(
        `The slowest hostile search, ${count(size)} reviews, to the median of usual ones`,
        Math.max(...names.map((_, at) => ratioOf(at))),
        { under: HOSTILE_RATIO },
        ' times',
      ),
    };
  } finally {
    await side.stop();
  }
}

interface Measured {
  readonly built: Readonly<Record<Name, WordsBuilt>>;
  readonly timed: ReadonlyMap<Name, readonly WordsTimed[]>;
  /** All matches of all searches together. */
  readonly matched: Readonly<Record<Name, number>>;
}

async function measureSize(
  size: number,
  rounds: number,
  log: BenchmarkOptions['log'],
): Promise<Measured> {
  const searches = buildWordSearches();
  const names = namesAt(size);
  const sides = Object.fromEntries(
    names.map((name) => [
      name,
      Companion.start(new URL(`./search-words/${name}.ts`, import.meta.url), 'measured'),
    ]),
  ) as Record<Name, Side>;
  try {
    const built = {} as Record<Name, WordsBuilt>;
    const matched = {} as Record<Name, number>;
    for (const name of names) {
      log(`${count(size)} reviews, building ${SIDES[name]}`);
      built[name] = (await sides[name].ask({ kind: 'build', size })) as WordsBuilt;
      const counts = (await sides[name].ask({ kind: 'count', searches })) as readonly number[];
      matched[name] = counts.reduce((sum, one) => sum + one, 0);
    }
    log(`${count(size)} reviews, ${rounds} rounds`);
    const timed = await takeRounds(
      names,
      rounds,
      async (name) => (await sides[name].ask({ kind: 'time', searches })) as WordsTimed,
    );
    return { built, timed, matched };
  } finally {
    await Promise.all(names.map((name) => sides[name].stop()));
  }
}

function ratesOf(timed: Measured['timed'], name: Name): number[] {
  return (timed.get(name) ?? []).map(({ perCpuSecond }) => perCpuSecond);
}

function tabulate(
  size: number,
  rounds: number,
  built: Measured['built'],
  timed: Measured['timed'],
  matched: Measured['matched'],
): Table {
  const ours = ratesOf(timed, 'ours');
  return {
    title: `Searches by words, ${count(size)} reviews`,
    columns: [
      'index',
      'p50, ms',
      'p99, ms',
      'a CPU second',
      'ours to this',
      'of rounds',
      'matches',
      'built in, s',
    ],
    rows: namesAt(size).map((name) => {
      const rounded = timed.get(name) ?? [];
      const timeOf = (share: number) => median(rounded.map(({ ms }) => quantile(ms, share)));
      return [
        SIDES[name],
        timeOf(0.5).toFixed(3),
        timeOf(0.99).toFixed(2),
        count(median(ratesOf(timed, name))),
        ...showRatios(ours, ratesOf(timed, name)),
        count(matched[name]),
        built[name].seconds.toFixed(1),
      ];
    }),
    notes: [
      `${buildWordSearches().length} searches of one to three words, each with an exact count and the 20 most relevant reviews;`,
      `medians of ${rounds} interleaved rounds. Matches: of all searches together; they differ because stemmers and the rules for`,
      `words differ. Ratio: ${RATIO_NOTE}.`,
    ],
  };
}

function namesAt(size: number): readonly Name[] {
  return size > LIBRARIES_AT ? ['ours', 'fts5'] : NAMES;
}

/** The ratio to the fastest library, or to FTS5 where libraries are not measured. */
function aimOf(size: number, timed: Measured['timed']): Aim {
  const others = namesAt(size).filter(
    (name) => name !== 'ours' && (size > LIBRARIES_AT || name !== 'fts5'),
  );
  const isLibrary = others.length > 1;
  const ratioTo = (name: Name) => median(ratios(ratesOf(timed, 'ours'), ratesOf(timed, name)));
  return aimAt(
    `Searches by words, ${count(size)} reviews, ours to ${isLibrary ? 'the fastest library' : 'FTS5'}`,
    Math.min(...others.map(ratioTo)),
    { atLeast: isLibrary ? AIMS.inProcess : AIMS.fts5 },
    ' times',
  );
}
