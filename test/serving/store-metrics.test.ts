// Metrics of the store: when it was filled, published and backed up, how large it is, and how much room it has.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBackup } from '../../src/commands/store/backup.ts';
import { parseConfig } from '../../src/config.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { Workplace } from '../support/process.ts';
import { capture } from '../support/run-command.ts';
import { record } from '../support/store.ts';

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(() => place.close());

test('they are those of the store when they are read', async () => {
  const server = await place.serveHere();
  const values = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const value = (name: string) =>
      Number(new RegExp(`^public_reviews_${name}(?:\\{.*\\})? (.*)$`, 'm').exec(text)?.[1]);
    const times = ['import', 'publish', 'backup'].map((what) =>
      value(`last_${what}_timestamp_seconds`),
    );
    expect([value('build_info'), value('store_bytes') > 10_000]).toEqual([1, true]);
    // PostgreSQL has its disk elsewhere.
    expect(value('disk_free_bytes') > 0).toBe(place.databaseUrl.startsWith('sqlite:'));
    expect(value('last_import_refused')).toBe(refused);
    return times;
  };
  let refused = 0;
  const isRecent = (seconds: number) => Math.abs(Date.now() / 1000 - seconds) < 600;
  expect((await values()).map(isRecent)).toEqual([false, true, false]);
  await place.importHere(await place.write('reviews.json', [record()]));
  expect((await values()).map(isRecent)).toEqual([true, true, false]);
  const time = await values();
  // An import that changes nothing is none; one that fails or refuses rows is told.
  const half = await place.write('half.json', [record(), record({ rating: 9 })]);
  await place.importHere(half);
  refused = 1;
  expect(await values()).toEqual(time);
  await place.importHere(join(place.folder, 'none.json')).catch(() => undefined);
  expect(await values()).toEqual(time);
  refused = 0;
  await place.importHere(await place.write('reviews.json', [record()]));
  expect(await values()).toEqual(time);
  const config = parseConfig(place.environment);
  await capture(() => runBackup(config, join(place.folder, 'backup.db')));
  expect((await values()).map(isRecent)).toEqual([true, true, true]);
});

test('with METRICS=off nothing of Node is measured', async () => {
  const text = await new Metrics(undefined, false).render();
  expect(text).not.toMatch(/nodejs_|process_/);
});
