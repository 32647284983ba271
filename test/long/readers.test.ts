// The fuzzer of all readers with many seeds, and the memory of an import of a million reviews.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzzReaders } from '../support/fuzz-readers.ts';

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
