// A server that is killed at any moment of a fan-out: nothing is lost, and nothing is repeated but
// what was under way.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, onTestFailed, test } from 'vitest';
import { callbackAt, HubProcess } from '../support/hub.ts';
import { randomFrom } from '../support/random.ts';
import { until } from '../support/store.ts';

const SUBSCRIBERS = 500;
const KILLS = 3;
const IN_FLIGHT = 32;

let hub: HubProcess;
afterEach(() => hub.close());

test('a server killed during a fan-out has delivered to all in the end, and to none too often', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  onTestFailed(() => console.info(`SEED=${seed}`));
  const random = randomFrom(seed);
  hub = await HubProcess.open({
    HUB_CONCURRENCY: String(IN_FLIGHT),
    HUB_MAX_SUBSCRIPTIONS_PER_HOST: '0',
    // What a killed server has claimed is free again ten seconds later.
    HUB_TIMEOUT_SECONDS: '5',
    // A subscriber that is slow for once is not what this is about.
    HUB_RETRY_DELAYS_SECONDS: '0,0',
  });
  const subscriber = await hub.subscriber({ address: '0.0.0.0' });
  const targets = Array.from({ length: SUBSCRIBERS }, (_, place) => `/${place}`);
  await hub.subscribeAll(targets.map((target, place) => callbackAt(subscriber, place, target)));

  // How often a subscriber may have the content: once, and once more for each time that its
  // delivery was under way when the server was killed.
  const allowed = new Map(targets.map((target) => [target, 1]));
  const moments: string[] = [];
  /** Those that were killed. */
  const workers = new Set<string>();
  await hub.publish({ source_id: 'newest', date: '2024-01-01', text: 'The newest.' });
  for (let kill = 0; kill < KILLS; kill++) {
    // Each in its own part of the fan-out.
    const count = Math.floor(((kill + random()) / KILLS) * SUBSCRIBERS);
    const afterMs = Math.floor(random() * 30);
    await until(() => subscriber.delivered.length >= count, 60_000);
    await sleep(afterMs);
    await hub.server.kill();
    const claimed = (await hub.subscriptions()).filter(
      (row) => row.claimed_by !== null && !workers.has(row.claimed_by),
    );
    for (const row of claimed) {
      workers.add(row.claimed_by as string);
      const target = new URL(row.callback).pathname;
      allowed.set(target, (allowed.get(target) as number) + 1);
    }
    moments.push(`after ${count} and ${afterMs} ms, ${claimed.length} under way`);
    expect(claimed.length, moments.join('; ')).toBeLessThanOrEqual(IN_FLIGHT);
    await hub.start();
  }
  await until(async () => (await hub.counts()).owed === 0, 60_000);

  const counts = new Map(targets.map((target) => [target, 0]));
  for (const { target, body } of subscriber.delivered) {
    expect(body.includes('The newest.')).toBe(true);
    counts.set(target, (counts.get(target) as number) + 1);
  }
  const what = `SEED=${seed}: killed ${moments.join('; ')}`;
  expect(
    targets.filter((target) => counts.get(target) === 0),
    what,
  ).toEqual([]);
  const tooOften = targets.filter(
    (target) => (counts.get(target) as number) > (allowed.get(target) as number),
  );
  expect(tooOften, what).toEqual([]);
  const repeated = subscriber.delivered.length - SUBSCRIBERS;
  expect(repeated, what).toBeLessThanOrEqual(IN_FLIGHT * KILLS);
  expect(await hub.counts()).toEqual({ active: SUBSCRIBERS, owed: 0 });
}, 180_000);
