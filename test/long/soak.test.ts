// Two minutes of mixed work, on the database of the project: nothing fails, and nothing grows. `npm run soak`
// runs for longer.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { growing, soak } from '../../bench/soak/run.ts';
import { createDatabase, type TestDatabase } from '../support/databases.ts';

const SOAK_MS = 120_000;

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-soak-'));
  database = await createDatabase(folder);
});
afterAll(async () => {
  await database.remove();
  await rm(folder, { recursive: true, force: true });
});

test('mixed work for two minutes leaves no faults and no growth', async () => {
  const result = await soak({
    title: 'two minutes',
    databaseUrl: database.url,
    forMs: SOAK_MS,
    log: () => undefined,
  });
  const { done, deliveries } = result;
  expect(done.faults).toEqual([]);
  expect(deliveries).toBeGreaterThan(0);
  expect(done.counts.get('import')).toBeGreaterThan(2);
  expect(growing(result)).toEqual([]);
});
