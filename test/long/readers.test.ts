// The fuzzer of all readers with many seeds, and the memory of an import of a million reviews.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzzReaders } from '../support/fuzz-readers.ts';
import { writeTakeout } from '../support/generate.ts';
import { finish } from '../support/process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
});
afterAll(() => rm(folder, { recursive: true }));

const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);

test(`damaged files are read or refused with their names and positions, from seed ${SEED}`, async () => {
  for (let turn = 0; turn < 100; turn++) {
    const { read, refused } = await fuzzReaders(folder, 100, SEED + turn);
    expect(read + refused).toBe(2100);
  }
});

test('a million reviews of Takeout are imported with a heap of 128 MiB, in less than 400 MB', async () => {
  const file = join(folder, 'reviews.json');
  await writeTakeout(file, 1_000_000);
  const script = fileURLToPath(new URL('../support/merge-only.ts', import.meta.url));
  const url = `sqlite:${join(folder, 'reviews.db')}`;
  // Without a limit the heap is as large as V8 finds it worth on this machine at this time.
  const options = ['--max-old-space-size=128', script, url, file, 'auto'];
  const child = spawn(process.execPath, options, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout } = await finish(child);
  expect(code).toBe(0);
  const took = JSON.parse(stdout) as { maxRss: number; readMs: number; mergeMs: number };
  console.info(took);
  expect(took.maxRss * 1024).toBeLessThan(400e6);
});
