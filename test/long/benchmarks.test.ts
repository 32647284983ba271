// Each benchmark still runs: `npm run bench -- NAME --quick` ends with 0 and prints a table. No figure is checked.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BENCHMARKS } from '../../bench/benchmarks.ts';

const run = promisify(execFile);

test.each(Object.keys(BENCHMARKS))('%s', async (name) => {
  const { stdout } = await run(process.execPath, ['bench/main.ts', name, '--quick']);
  expect(stdout).toContain(`## ${name}: `);
  expect(stdout).toMatch(/^\| -+/m);
});
