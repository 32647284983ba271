// Many businesses behind one server: memory, CPU at rest, starting, waking a site, reading one, and a night in which one
// review of each changes.

import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aimAt, tablesOfAims } from './aims.ts';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { writeCorpus } from './corpus.ts';
import { rateOf } from './load.ts';
import { Program } from './program.ts';
import { bytesOf } from './requests.ts';
import { takeRounds } from './rounds.ts';
import { median, quantile, ratios } from './statistics.ts';
import { count } from './table.ts';
import { cpuSecondsOf, familyOf, residentMibOf } from './usage.ts';

const REVIEWS = 300;
const REST_MS = 20_000;
const PATH = '/api/feed.json';

export const SITES: Benchmark = { about: 'many businesses behind one server', run };

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const sites = quick ? 5 : 200;
  const restMs = quick ? 1_000 : REST_MS;
  const rounds = quick ? 1 : 9;
  const program = await Program.create({ LOG_LEVEL: 'error' });
  try {
    const folder = join(program.folder, 'sites');
    const hosts = Array.from({ length: sites }, (_, number) => `s${number}.example`);
    log(`making ${sites} sites`);
    await makeSites(program, folder, hosts);

    log('starting');
    const began = performance.now();
    const origin = await program.serve(['--sites', folder], 'measured');
    const processes = program.processIds;
    await ask(origin, hosts[0] as string);
    const startSeconds = (performance.now() - began) / 1000;
    // V8 collects once, ten seconds after the start.
    await sleep(restMs);
    const restCpu = await cpuAtRest(processes, restMs);
    const noneAsked = residentMibOf(processes) ?? NaN;

    log('asking each');
    const cpuBefore = cpuSecondsOf(processes) ?? NaN;
    const waits: number[] = [];
    for (const host of hosts.slice(1)) waits.push(await ask(origin, host));
    const allCpu = (cpuSecondsOf(processes) ?? NaN) - cpuBefore;
    await sleep(restMs);
    const allAsked = residentMibOf(processes) ?? NaN;
    const awakeCpu = await cpuAtRest(processes, restMs);

    log('reading one site and a server of its own');
    const host = hosts[0] as string;
    const alone = await Program.create({
      LOG_LEVEL: 'error',
      DATABASE_URL: `sqlite:${join(folder, host, 'alone.db')}`,
      BASE_URL: `https://${host}`,
    });
    await copyFile(join(folder, host, 'data', 'public-reviews.db'), join(folder, host, 'alone.db'));
    const subjects = [
      { title: 'one of many', origin, processIds: processes },
      { title: 'alone', origin: await alone.serve(), processIds: alone.processIds },
    ];
    const rates = await takeRounds(subjects, rounds, async (subject) => {
      const bytes = bytesOf(subject.origin, { path: PATH, headers: { Host: host } });
      return (await rateOf(subject, [bytes], { connections: 64, forMs: quick ? 300 : 2_000 }))
        .perSecond;
    });
    await alone.close();
    const [ofMany = [], ofOne = []] = subjects.map((subject) => rates.get(subject));

    log('a night: one changed review for each');
    const file = join(program.folder, 'night.ndjson');
    await writeFile(
      file,
      `${JSON.stringify({ ...reviews()[0], text: 'Changed at night: they came late.' })}\n`,
    );
    const cpuOf = () => cpuSecondsOf(familyOf(processes)) ?? NaN;
    const before = cpuOf();
    let commandCpu = 0;
    await program.run(['--sites', folder, '--site', 'all', 'import', file], (pid) => {
      const timer = setInterval(() => {
        const used = cpuSecondsOf([pid]);
        if (used === null || used === 0) clearInterval(timer);
        else commandCpu = used;
      }, 50);
      timer.unref();
    });
    const night = cpuOf() - before + commandCpu;
    const rows = [
      ['memory, none asked, MiB', count(noneAsked)],
      ['memory, all asked, MiB', count(allAsked)],
      ['CPU at rest, none asked, ms a second', restCpu.toFixed(1)],
      ['CPU at rest, all awake, ms a second', awakeCpu.toFixed(1)],
      ['from the start until the first site answers, s', startSeconds.toFixed(2)],
      ['CPU until all others have answered, s', allCpu.toFixed(1)],
      [
        'an answer of a site that sleeps, ms: median, p99',
        `${count(median(waits))}, ${count(quantile(waits, 0.99))}`,
      ],
      [
        'reads of a site that is awake, to a server of its own',
        median(ratios(ofMany, ofOne)).toFixed(2),
      ],
      ['CPU of a night with one changed review for each, s', night.toFixed(1)],
    ];
    return {
      tables: [
        {
          title: `${sites} sites of ${REVIEWS} reviews`,
          columns: ['what', 'measured'],
          rows,
          notes: [
            `At rest: over ${restMs / 1000} s. Reads: ${PATH}, 64 connections, medians of ${rounds} rounds in turn.`,
            'A night: `--site all import` of one file while the server runs, with what the server takes to publish.',
          ],
        },
        ...tablesOfAims([
          aimAt('Memory, none asked', noneAsked, { under: 300 }, ' MiB'),
          aimAt('Memory, all asked', allAsked, { under: 900 }, ' MiB'),
          aimAt('CPU at rest, none asked', restCpu, { under: 5 }, ' ms a second'),
          aimAt('Start until the first site answers', startSeconds, { under: 2 }, ' s'),
          aimAt('CPU until all have answered', allCpu, { under: 10 }, ' s'),
          aimAt('A site that sleeps, p99', quantile(waits, 0.99), { under: 300 }, ' ms'),
          aimAt('Reads, to a server of its own', median(ratios(ofMany, ofOne)), { atLeast: 0.95 }),
          aimAt('CPU of a night', night, { under: 60 }, ' s'),
        ]),
      ],
    };
  } finally {
    await program.close();
  }
}

const reviews = () => [...writeCorpus(REVIEWS)];

/** One store is imported; the others are copies of it, published for their own origins. */
async function makeSites(
  program: Program,
  folder: string,
  hosts: readonly string[],
): Promise<void> {
  await program.import(reviews());
  const store = program.databaseUrl.slice('sqlite:'.length);
  for (const host of hosts) {
    await mkdir(join(folder, host, 'data'), { recursive: true });
    await copyFile(store, join(folder, host, 'data', 'public-reviews.db'));
  }
  const origin = await program.serve(['--sites', folder], null);
  for (const host of hosts) await ask(origin, host);
  await program.stop();
}

async function cpuAtRest(processes: readonly number[], ms: number): Promise<number> {
  const before = cpuSecondsOf(processes) ?? NaN;
  await sleep(ms);
  return (((cpuSecondsOf(processes) ?? NaN) - before) / ms) * 1_000_000;
}

/** Milliseconds until the whole answer has arrived. */
function ask(origin: string, host: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    request(origin + PATH, { headers: { host }, agent: false }, (answer) => {
      answer.resume();
      answer.once('end', () =>
        answer.statusCode === 200
          ? resolve(performance.now() - began)
          : reject(new Error(`${host} answered ${answer.statusCode}`)),
      );
    })
      .once('error', reject)
      .end();
  });
}
