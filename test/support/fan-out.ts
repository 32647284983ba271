// Changes that are delivered to many subscribers. `npm test` runs these with few of them, and
// `npm run test:long` with many.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { reportOnFailure } from './failure-logs.ts';
import { callbackAt, type Hub, type HubProcess } from './hub.ts';
import { until } from './patience.ts';
import type { RunningServer } from './running-server.ts';
import { randomFrom } from './random.ts';
import { status } from './subscriber.ts';

/** Concurrent requests result in as many subscriptions, and each gets the next change once. */
export async function deliverToMany(hub: Hub<RunningServer>, count: number): Promise<void> {
  const subscriber = await hub.subscriber({ address: '0.0.0.0' });
  const targets = Array.from({ length: count }, (_, index) => `/${index}`);
  await hub.subscribeAll(targets.map((target, index) => callbackAt(subscriber, index, target)));
  expect(subscriber.asked).toHaveLength(count);
  await hub.change({ text: 'To all.' });
  const delivered = await subscriber.waitFor('POST', count);
  expect(new Set(delivered.map(({ target }) => target))).toEqual(new Set(targets));
  expect(delivered.filter(({ body }) => !body.includes('To all.'))).toEqual([]);
  await until(async () => (await hub.counts()).pending === 0);
  expect(subscriber.delivered).toHaveLength(count);
  expect(await hub.counts()).toEqual({ active: count, pending: 0 });
}

type Kind = 'healthy' | 'hangs' | 'refuses';

/**
 * All healthy subscribers get a change while others hang. Each host has several callbacks, of which one or
 * two may hang; one in a hundred refuses connections.
 */
export async function deliverBesideFailing(hub: Hub<RunningServer>, count: number): Promise<void> {
  const subscriber = await hub.subscriber({ address: '0.0.0.0' });
  const gone = await hub.subscriber({ address: '0.0.0.0' });
  const kinds = Array.from({ length: count }, (_, index): Kind => {
    if (index % 100 === 50) return 'refuses';
    return index % 20 === 0 ? 'hangs' : 'healthy';
  });
  const numberOf = (wanted: Kind) => kinds.filter((kind) => kind === wanted).length;
  await hub.subscribeAll(
    kinds.map((kind, index) =>
      callbackAt(kind === 'refuses' ? gone : subscriber, index, `/${kind}/${index}`),
    ),
  );
  subscriber.onPost = (received, response) => {
    if (received.target.startsWith('/healthy/')) status(204)(received, response);
  };
  await gone.close();
  await hub.change({ text: 'While some fail.' });
  const of = (kind: Kind) =>
    subscriber.delivered.filter(({ target }) => target.startsWith(`/${kind}/`));
  await until(() => of('healthy').length === numberOf('healthy'));
  expect(of('healthy').filter(({ body }) => !body.includes('While some fail.'))).toEqual([]);
  await until(() => of('hangs').length === numberOf('hangs'));
  await until(async () => {
    const failed = (await hub.subscriptions()).filter(({ failures }) => failures === 1);
    return failed.length === numberOf('refuses');
  });
  await until(async () => (await hub.counts()).pending === numberOf('hangs') + numberOf('refuses'));
  const targets = subscriber.delivered.map(({ target }) => target);
  expect(new Set(targets).size).toBe(targets.length);
}

/** Settings of the hub in `killDuringFanOut`. */
export const KILL_SETTINGS = {
  HUB_CONCURRENCY: '32',
  HUB_MAX_SUBSCRIPTIONS_PER_HOST: '0',
  HUB_TIMEOUT_SECONDS: '600',
};
const IN_FLIGHT = Number(KILL_SETTINGS.HUB_CONCURRENCY);

/**
 * Kills the server at random moments of a fan-out. In the end all subscribers have the content, each at most
 * once plus once for each kill during its delivery.
 */
export async function killDuringFanOut(
  hub: HubProcess,
  { count, kills, seed }: { count: number; kills: number; seed: number },
): Promise<void> {
  // Reported until the test ends.
  reportOnFailure('seed', () => `SEED=${seed}`)();
  const random = randomFrom(seed);
  const subscriber = await hub.subscriber({ address: '0.0.0.0' });
  const targets = Array.from({ length: count }, (_, index) => `/${index}`);
  await hub.subscribeAll(targets.map((target, index) => callbackAt(subscriber, index, target)));
  const allowed = new Map(targets.map((target) => [target, 1]));
  const moments: string[] = [];
  /** Owners of claims that were killed. */
  const killedIds = new Set<string>();
  await hub.publish({ source_id: 'newest', date: '2024-01-01', text: 'The newest.' });
  for (let kill = 0; kill < kills; kill++) {
    // Each kill has its own part of the fan-out.
    const killAfter = Math.floor(((kill + random()) / kills) * count);
    const afterMs = Math.floor(random() * 30);
    await until(() => subscriber.delivered.length >= killAfter);
    await sleep(afterMs);
    await hub.server.kill();
    const claimed = (await hub.subscriptions()).filter(
      (row) => row.claimed_by !== null && !killedIds.has(row.claimed_by),
    );
    for (const row of claimed) {
      killedIds.add(row.claimed_by as string);
      const target = new URL(row.callback).pathname;
      allowed.set(target, (allowed.get(target) as number) + 1);
    }
    moments.push(`after ${killAfter} and ${afterMs} ms, ${claimed.length} in flight`);
    expect(claimed.length, moments.join('; ')).toBeLessThanOrEqual(IN_FLIGHT);
    await hub.expireClaims([...killedIds]);
    await hub.start();
  }
  await until(async () => (await hub.counts()).pending === 0);

  const what = `SEED=${seed}: killed ${moments.join('; ')}`;
  expect(subscriber.delivered.filter(({ body }) => !body.includes('The newest.'))).toEqual([]);
  const counts = Map.groupBy(subscriber.delivered, ({ target }) => target);
  const timesOf = (target: string) => counts.get(target)?.length ?? 0;
  expect(
    targets.filter((target) => timesOf(target) === 0),
    what,
  ).toEqual([]);
  const tooOften = targets.filter((target) => timesOf(target) > (allowed.get(target) as number));
  expect(tooOften, what).toEqual([]);
  expect(subscriber.delivered.length - count, what).toBeLessThanOrEqual(IN_FLIGHT * kills);
  expect(await hub.counts()).toEqual({ active: count, pending: 0 });
}

/** The seed of a test: SEED of the environment, or a different one in each run. */
export function seedOf(): number {
  return Number(process.env['SEED'] ?? Date.now() % 1_000_000);
}
