// A soak: mixed work for a long time, after which nothing has grown and nothing failed.

import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/store/database.ts';
import { Certificate } from '../../test/support/tls.ts';
import { Program } from '../program.ts';
import { type Slope, slopeOf } from '../statistics.ts';
import type { Table } from '../table.ts';
import { Callbacks } from './callbacks.ts';
import { Collector, INSPECTOR_OPTION } from './collector.ts';
import { type Measured, type Sample, takeSample } from './samples.ts';
import { type Done, reviewsOf, work } from './work.ts';

/** The first part of the time is warm-up: caches fill and code is compiled. */
const WARM_UP = 1 / 3;
const SAMPLES = 48;
const MIN_INTERVAL_MS = 500;

export interface SoakOptions {
  readonly title: string;
  /** Null is SQLite in a folder of its own. */
  readonly databaseUrl: string | null;
  readonly forMs: number;
  readonly log: (line: string) => void;
}

export interface Growth {
  readonly name: string;
  readonly mean: number;
  readonly slope: Slope;
  /** Least growth during the samples that the interval allows, as a share of the mean. */
  readonly leastGrowth: number;
}

/** Growth that fails a soak, as a share of the mean. */
const MAX_GROWTH = 0.1;
/** A growth by fewer handles, descriptors, rows or files depends on the work that is just in progress. */
const MIN_COUNT = 5;

/** The measures that grew by more than a soak allows. */
export function growing({ growths }: Pick<SoakResult, 'growths'>): Growth[] {
  return growths.filter(({ name, mean, leastGrowth }) => {
    const isCount = !name.endsWith('MiB');
    return leastGrowth > MAX_GROWTH && !(isCount && leastGrowth * mean < MIN_COUNT);
  });
}

export interface SoakResult {
  readonly title: string;
  readonly growths: readonly Growth[];
  readonly done: Done;
  readonly deliveries: number;
  readonly table: Table;
}

export async function soak({ title, databaseUrl, forMs, log }: SoakOptions): Promise<SoakResult> {
  const certificate = await Certificate.create();
  const callbacks = await Callbacks.open(certificate);
  const program = await Program.create({
    LOG_LEVEL: 'warn',
    HUB_ALLOW_NETWORKS: '127.0.0.0/8',
    HUB_COALESCE_SECONDS: '0',
    HUB_REQUESTS_PER_MINUTE: '0',
    HUB_MAX_SUBSCRIPTIONS_PER_HOST: '0',
    NODE_EXTRA_CA_CERTS: certificate.path,
    NODE_OPTIONS: INSPECTOR_OPTION,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  });
  let database: Database | null = null;
  let collector: Collector | null = null;
  try {
    await program.import(reviewsOf(0));
    const origin = await program.serve([], null);
    const [processId = 0] = program.processIds;
    collector = await Collector.attach(processId, program.log);
    database = await Database.open(program.databaseUrl);
    const stop = new AbortController();
    const end = () => stop.abort();
    const working = work({ program, origin, callbacks, signal: stop.signal }).finally(end);
    const take = { origin, database, collector, folder: program.folder };
    const sampling = sample(take, { forMs, title, log, signal: stop.signal }).finally(end);
    const [done, samples] = await Promise.all([working, sampling]);
    const growths = growthsOf(samples.slice(Math.ceil(samples.length * WARM_UP)));
    const { deliveries } = callbacks;
    return { title, growths, done, deliveries, table: tableOf(title, growths, done, deliveries) };
  } finally {
    collector?.close();
    await database?.close();
    await program.close();
    await callbacks.close();
    await certificate.close();
  }
}

interface SampleOptions extends Pick<SoakOptions, 'forMs' | 'title' | 'log'> {
  /** Aborts when the work failed. */
  readonly signal: AbortSignal;
}

async function sample(
  measured: Measured,
  { forMs, title, log, signal }: SampleOptions,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const intervalMs = Math.max(forMs / SAMPLES, MIN_INTERVAL_MS);
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs && !signal.aborted) {
    samples.push(await takeSample(measured));
    if (samples.length % 12 === 0) log(`${title}: ${samples.length} samples`);
    await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
  }
  return samples;
}

function growthsOf(samples: readonly Sample[]): Growth[] {
  const [first] = samples;
  if (!first) throw new Error('expected samples after the warm-up, got none');
  const hours = samples.map(({ atMs }) => (atMs - first.atMs) / 3_600_000);
  return Object.keys(first.values).map((name) => {
    const values = samples.map((each) => each.values[name] as number);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const slope = slopeOf(hours, values);
    const leastGrowth = mean === 0 ? 0 : (slope.low * (hours.at(-1) ?? 0)) / mean;
    return { name, mean, slope, leastGrowth };
  });
}

function tableOf(title: string, growths: readonly Growth[], done: Done, deliveries: number): Table {
  const show = (value: number) => (Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(0));
  const counts = [...done.counts].map(([kind, count]) => `${kind} ${count}`).join(', ');
  return {
    title: `${title}: what must not grow`,
    columns: ['measure', 'mean', 'per hour', '95% interval', 'least growth'],
    rows: growths.map(({ name, mean, slope, leastGrowth }) => [
      name,
      show(mean),
      show(slope.slope),
      `${show(slope.low)} to ${show(slope.high)}`,
      `${(100 * leastGrowth).toFixed(1)}%`,
    ]),
    notes: [
      `Done: ${counts}, deliveries ${deliveries}; answers with 5xx: ${done.faults.length}.`,
      'Slopes after the first third, which is warm-up; the least growth is what the lower end of the',
      'interval gives over the measured time.',
    ],
  };
}
