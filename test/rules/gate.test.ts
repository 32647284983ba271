// The test command fails whenever something in a run goes wrong: mistakes are planted in a copy of the
// project, where the real `npm test` finds them.

import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import standard from '../../vitest.config.ts';
import long from '../../vitest.long.config.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OWN = ['package.json', 'vitest.config.ts', 'tsconfig.json', 'test/support', '.ci'];
const LINKED = ['node_modules', 'src', 'examples'];

const PASSES = `import { expect, test } from 'vitest';
test('passes', () => expect(1).toBe(1));`;
const FAILS = `import { expect, test } from 'vitest';
test('fails', () => expect(1).toBe(2));`;

interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs a command in a copy of the project whose only tests are the planted files. */
async function runWith(
  planted: Readonly<Record<string, string>>,
  [program, ...args]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-gate-'));
  try {
    await mkdir(join(folder, 'test'));
    for (const path of OWN) await cp(join(ROOT, path), join(folder, path), { recursive: true });
    for (const path of LINKED) await symlink(join(ROOT, path), join(folder, path));
    for (const [path, code] of Object.entries(planted)) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), code);
    }
    const env = { ...withoutRunner(process.env), NO_COLOR: '1', ...environment };
    return await new Promise((resolve) => {
      execFile(program, args, { cwd: folder, env }, (error, stdout, stderr) => {
        const code = error ? Number(error.code ?? -1) : 0;
        resolve({ code, output: stdout + stderr });
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The environment of a shell: what this runner has set for its workers changes how another one runs. */
function withoutRunner(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) =>
        !/^(VITEST|NODE_OPTIONS$|TEST$|NODE_ENV$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/.test(name),
    ),
  );
}

const npmTest = (...args: string[]) => ['npm', 'test', '--', ...args] as const;
/** What `npm test` runs, which starts faster without npm. */
const runTests = (...args: string[]) =>
  [join(ROOT, 'node_modules/.bin/vitest'), 'run', ...args] as const;

test('a failed assertion beside tests that start PostgreSQL fails the run', async () => {
  const { code, output } = await runWith(
    { 'test/planted.test.ts': PASSES, 'test/store/postgres-planted.test.ts': FAILS },
    npmTest(),
  );
  expect(output).toMatch(/Tests +1 failed \| 1 passed/);
  expect(code).toBe(1);
});

test('a run whose tests pass ends with 0', async () => {
  const { code, output } = await runWith(
    { 'test/planted.test.ts': PASSES, 'test/store/planted.test.ts': PASSES },
    npmTest(),
  );
  expect(output).toMatch(/Tests +3 passed/);
  expect(code).toBe(0);
});

/** Files that fail in the report. A failed file fails the run, as the tests above show. */
const FAILING = {
  'a failed assertion': FAILS,
  'a time limit': `${PASSES}
test('hangs', () => new Promise(() => undefined), 1);`,
  'a hook that fails before the first test': `import { beforeAll, expect, test } from 'vitest';
import { reportOnFailure } from './support/failure-logs.ts';
beforeAll(() => {
  reportOnFailure('log of the server', () => 'what the server said')();
  throw new Error('planted');
});
test('passes', () => expect(1).toBe(1));`,
  'a file that cannot be loaded': "import './missing.ts';",
  'a file without a test': 'export {};',
  'an exit of a worker': `${PASSES}
test('exits', () => process.exit(0));`,
  'a forgotten `.only`': `${PASSES}
test.only('alone', () => undefined);`,
};

describe('in a run with several mistakes', () => {
  const planted = Object.entries(FAILING).map(([what, code], number) => ({
    what,
    code,
    path: `test/planted-${number}.test.ts`,
  }));
  const pathOf = (name: keyof typeof FAILING) => planted.find(({ what }) => what === name)!.path;
  let run: Run;
  beforeAll(async () => {
    run = await runWith(
      {
        ...Object.fromEntries(planted.map(({ path, code }) => [path, code])),
        'test/passes.test.ts': PASSES,
      },
      runTests('--project', 'sqlite'),
    );
  });

  test.each(planted)('$what fails its file', ({ path }) => {
    expect(run.output).toContain(` FAIL  |sqlite| ${path}`);
  });

  test('nothing else fails, and the run does', () => {
    expect(run.output).not.toContain(' FAIL  |sqlite| test/passes.test.ts');
    expect(run.output).toContain(`Test Files  ${planted.length} failed | 1 passed`);
    expect(run.code).toBe(1);
  });

  test('a failing test prints how to run it alone', () => {
    expect(run.output).toContain(
      `npm test -- --project sqlite ${pathOf('a failed assertion')} -t "fails"`,
    );
  });

  test('a hook that fails before the first test prints the logs so far', () => {
    expect(run.output).toContain('--- log of the server\nwhat the server said\n');
    expect(run.output).toContain(
      `npm test -- --project sqlite ${pathOf('a hook that fails before the first test')}\n`,
    );
  });
});

test('an unhandled rejection and an exception outside of every test fail the run', async () => {
  const rejects = `test('rejects', () => void Promise.reject(new Error('planted rejection')));`;
  const throws = `test('throws later', () => new Promise((resolve) => setTimeout(() => {
  setTimeout(resolve, 10);
  throw new Error('planted exception');
}, 1)));`;
  const { code, output } = await runWith(
    {
      'test/rejects.test.ts': `${PASSES}\n${rejects}`,
      'test/throws.test.ts': `${PASSES}\n${throws}`,
    },
    runTests('--project', 'sqlite'),
  );
  expect(output).toContain('Error: planted rejection');
  expect(output).toContain('Error: planted exception');
  // Each alone would fail it.
  expect(output).toMatch(/Errors +2 errors/);
  expect(code).toBe(1);
});

test('a crash of a worker fails the run', async () => {
  const crashes = `test('crashes', () => process.kill(process.pid, 'SIGKILL'));`;
  const { code, output } = await runWith(
    { 'test/planted.test.ts': `${PASSES}\n${crashes}` },
    runTests('--project', 'sqlite'),
  );
  expect(code).toBe(1);
  expect(output).toContain('Worker exited unexpectedly');
});

test('a global set-up that fails fails the run', async () => {
  // Nothing listens on port 1 of this machine.
  const { code, output } = await runWith({ 'test/store/planted.test.ts': PASSES }, runTests(), {
    TEST_DATABASE_URL: 'postgres://postgres@127.0.0.1:1/postgres',
  });
  expect(output).toContain('ECONNREFUSED');
  expect(code).toBe(1);
});

test('repeated runs name the tests that failed in any of them', async () => {
  const second = `import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
test('fails later', () => {
  const isFirst = !existsSync('first');
  writeFileSync('first', '');
  expect(isFirst).toBe(true);
});`;
  const script = [process.execPath, join(ROOT, 'test/long/repeat.ts')] as const;
  const { code, output } = await runWith(
    { 'test/passes.test.ts': PASSES, 'test/later.test.ts': second },
    [...script, '--runs', '2', '--busy', '1', '--', '--project', 'sqlite'],
  );
  expect(output).toMatch(
    /^run 1, beside 0 busy processes: 2 passed, 0 failed, \d+ s\nrun 2, beside 1 busy processes: 1 passed, 1 failed, \d+ s\nfailed in run 2: test\/later\.test\.ts > fails later\n1 tests failed in 2 runs; /,
  );
  expect(code).toBe(1);
});

test('a run that finds no test fails', async () => {
  const { code, output } = await runWith(
    { 'test/planted.test.ts': PASSES },
    runTests('nothing-is-called-this'),
  );
  expect(output).toContain('No test files found');
  expect(code).toBe(1);
});

test('every pattern of the configuration names files that exist', () => {
  const patterns = [standard, long].flatMap(({ test: { projects = [] } = {} }) =>
    projects.flatMap((project) => {
      const { include = [], exclude = [] } = (project as { test: TestLists }).test;
      return [...include, ...exclude];
    }),
  );
  const missing = patterns
    .flatMap((pattern) => alternativesOf(pattern))
    .filter((pattern) => globSync(pattern, { cwd: ROOT }).length === 0);
  expect(missing).toEqual([]);
});

interface TestLists {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
function alternativesOf(pattern: string): string[] {
  const [, before, names, after] = /^(.*?)\{(.*?)\}(.*)$/.exec(pattern) ?? [];
  if (names === undefined) return [pattern];
  return names.split(',').flatMap((name) => alternativesOf(`${before}${name}${after}`));
}

const SUMMARY = (files: string, tests: string) => ` Test Files  ${files}\n      Tests  ${tests}\n`;

test.each([
  ['passes when everything passed', SUMMARY('2 passed (2)', '3 passed (3)'), 0],
  ['refuses failed tests', SUMMARY('1 failed | 1 passed (2)', '1 failed | 2 passed (3)'), 1],
  ['refuses skipped tests', SUMMARY('2 passed (2)', '2 passed | 1 skipped (3)'), 1],
  ['refuses errors', `${SUMMARY('2 passed (2)', '3 passed (3)')}     Errors  1 error\n`, 1],
  ['refuses fewer files than there are', SUMMARY('1 passed (1)', '3 passed (3)'), 1],
  ['refuses a log without a summary', 'all is well\n', 1],
])('CI %s', async (_what, log, code) => {
  const run = await runWith({ 'run.log': log }, ['.ci/check-summary', 'run.log', '2']);
  expect(run).toMatchObject({ code });
});
