import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { HEAP_OPTIONS } from '../../src/publishing/heap.ts';

/** Prints how often V8 collects all garbage while a thread, started with the options, fills buffers. */
const PROGRAM = `
  const { Worker } = require('node:worker_threads');
  const { setFlagsFromString } = require('node:v8');
  for (const option of process.argv.slice(1)) setFlagsFromString(option);
  setFlagsFromString('--trace-gc');
  new Worker(
    "const kept = []; for (let at = 0; at < 16; at++) kept.push(new ArrayBuffer(16 * 2 ** 20));" +
      "let text; for (let at = 0; at < 1e6; at++) text = { at, text };",
    { eval: true },
  );
`;

function collections(options: readonly string[]): number {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['-e', PROGRAM, '--', ...options],
    {
      encoding: 'utf8',
    },
  );
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.match(/Mark-Compact/g)?.length ?? 0;
}

test('large buffers of a publish start no collections of all garbage', () => {
  expect(collections([])).toBeGreaterThan(0);
  expect(collections(HEAP_OPTIONS)).toBe(0);
});
