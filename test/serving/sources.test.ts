// Sources that take long do not delay the others.

import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { runSources, type syncInProcess } from '../../src/serving/sources.ts';
import type { Database } from '../../src/store/database.ts';
import { until } from '../support/patience.ts';
import { Workplace } from '../support/process.ts';
import { TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
let place: Workplace;
let stop: AbortController;
let loop: Promise<void>;
let nowMs: number;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  place = await Workplace.open();
  stop = new AbortController();
  nowMs = 0;
});
afterEach(async () => {
  stop.abort();
  await loop;
  await store.close();
  await place.close();
});

/** Looks at sources until the test ends; each is always due. */
async function start(names: readonly string[], sync: typeof syncInProcess): Promise<void> {
  const sources = names.map((name) => ({ name, url: `http://${name}.example/` }));
  const file = await place.write('settings.json', { sources });
  const config = loadConfig({ ...place.environment, PUBLIC_REVIEWS_CONFIG: file });
  loop = runSources({
    ...config,
    database,
    logger: pino({ enabled: false }),
    isLead: true,
    signal: stop.signal,
    sync,
    elapsedMs: () => nowMs,
    pollMs: 1,
  });
}

test('two sources that drip their answers hold both slots once, and then one', async () => {
  /** Ends the looks at sources that drip. */
  const dripping = new Map<string, () => void>();
  let looks = 0;
  stop.signal.addEventListener('abort', () => dripping.forEach((end) => end()));
  await start(['drip-a', 'drip-b', 'drip-c', 'quick'], async ({ source: { name } }) => {
    if (name === 'quick') looks += 1;
    else if (!stop.signal.aborted) {
      await new Promise<void>((resolve) => dripping.set(name, resolve));
    }
    return { outcome: 'unchanged', leftOut: [] };
  });
  await until(() => dripping.size === 2);
  expect(looks).toBe(0);
  for (let round = 0; round < 3; round++) {
    nowMs += 600_000;
    const ends = [...dripping.values()];
    dripping.clear();
    for (const end of ends) end();
    // The third is not known yet: it takes a slot once too.
    const before = looks;
    if (round === 0) await until(() => dripping.size === 2);
    else await until(() => looks > before + 20);
  }
  expect(dripping.size).toBe(1);
});

test('a source that was slow once is as the others a day later', async () => {
  const running = new Set<string>();
  const ends: (() => void)[] = [];
  stop.signal.addEventListener('abort', () => ends.forEach((end) => end()));
  await start(['a', 'b'], async ({ source: { name } }) => {
    running.add(name);
    if (!stop.signal.aborted) await new Promise<void>((resolve) => ends.push(resolve));
    running.delete(name);
    return { outcome: 'unchanged', leftOut: [] };
  });
  await until(() => running.size === 2);
  nowMs += 31_000;
  for (const end of ends.splice(0)) end();
  await until(() => running.size === 1);
  nowMs += 24 * 3_600_000;
  await until(() => running.size === 2);
});
