// Runs the suite repeatedly, every second time beside busy processes, and names the tests that ever failed.
//   npm run test:repeat -- --runs 10 --busy 6 -- ARGUMENTS OF VITEST

import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';

/** Busy until its parent ends or kills it: its stdin is closed then. */
const BUSY = `
  new (require('node:worker_threads').Worker)('for (;;);', { eval: true });
  process.stdin.resume().once('close', () => process.exit());
`;

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    busy: { type: 'string', default: '6' },
  },
  allowPositionals: true,
});
const runs = parseCount('--runs', values.runs, 1);
const busy = parseCount('--busy', values.busy, 0);
const folder = await mkdtemp(join(tmpdir(), 'public-reviews-repeat-'));
/** The runs in which a test failed, by its name. */
const failedIn = new Map<string, number[]>();

for (let run = 1; run <= runs; run++) {
  const beside = run % 2 === 0 ? busy : 0;
  const beganMs = performance.now();
  const { passed, failed } = await besideBusy(beside, () => runSuite(run));
  const seconds = Math.round((performance.now() - beganMs) / 1_000);
  console.info(
    `run ${run}, beside ${beside} busy processes: ${passed} passed, ${failed.length} failed, ${seconds} s`,
  );
  for (const name of failed) failedIn.set(name, [...(failedIn.get(name) ?? []), run]);
}
for (const [name, red] of failedIn) console.info(`failed in run ${red.join(', ')}: ${name}`);
console.info(
  `${failedIn.size} tests failed in ${runs} runs; logs and reports of the runs: ${folder}`,
);
process.exitCode = failedIn.size === 0 ? 0 : 1;

function parseCount(option: string, text: string, least: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= least) return count;
  throw new Error(`${option}: expected an integer of at least ${least}, got ${text}`);
}

async function besideBusy<T>(count: number, work: () => Promise<T>): Promise<T> {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--eval', BUSY], { stdio: ['pipe', 'ignore', 'inherit'] }),
  );
  try {
    return await work();
  } finally {
    await Promise.all(
      children.map(
        (child) =>
          new Promise((ended) => {
            child.once('close', ended);
            child.kill('SIGKILL');
          }),
      ),
    );
  }
}

/** Runs the suite once; returns the number of tests that passed, and the names of what failed. */
async function runSuite(run: number): Promise<{ passed: number; failed: string[] }> {
  const file = join(folder, `run-${run}.json`);
  const child = spawn(
    resolve('node_modules/.bin/vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...positionals],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const log = createWriteStream(join(folder, `run-${run}.log`));
  child.stderr.on('data', (chunk: Buffer) => log.write(chunk));
  await pipeline(child.stdout, log, { end: false });
  const code = await ended;
  log.end();
  const report = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => null,
  );
  const failed = report === null ? [] : failuresOf(report);
  // An error outside of the tests, or a crash.
  if (code !== 0 && failed.length === 0) failed.push(`the run itself, which ended with ${code}`);
  return { passed: report?.numPassedTests ?? 0, failed };
}

function failuresOf({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const path = relative('.', name);
    const tests = assertionResults.filter((each) => each.status === 'failed');
    if (tests.length > 0) return tests.map(({ fullName }) => `${path} > ${fullName}`);
    // A hook failed, or the file was not loaded.
    return status === 'failed' ? [path] : [];
  });
}
