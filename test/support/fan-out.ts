// Changes that go to many subscribers at once. The gate runs these with few of them, and
// `npm run test:long` with many.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { reportOnFailure } from './failure-report.ts';
import { callbackAt, type Hub, type HubProcess } from './hub.ts';
import type { RunningServer } from './process.ts';
import { randomFrom } from './random.ts';
import { until } from './store.ts';
import { status } from './subscriber.ts';

/** So many requests at once are so many subscriptions, which all get the next change once. */
export async function deliverToMany(hub: Hub<RunningServer>, count: number): Promise<void> {
  const subscriber = await hub.subscriber({ address: '0.0.0.0' });
  const targets = Array.from({ length: count }, (_, place) => `/${place}`);
  await hub.subscribeAll(targets.map((target, place) => callbackAt(subscriber, place, target)));
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
 * All healthy subscribers get a change while those that hang still do. Each host has several callbacks,
 * of which one or two may hang; one in a hundred refuses connections.
 */
export async function deliverBesideBad(hub: Hub<RunningServer>, count: number): Promise<void> {
  const subscriber = await hub.subscriber({ address: '0.0.0.0' });
  const gone = await hub.subscriber({ address: '0.0.0.0' });
  const kinds = Array.from({ length: count }, (_, place): Kind => {
    if (place % 100 === 50) return 'refuses';
    return place % 20 === 0 ? 'hangs' : 'healthy';
  });
  const numberOf = (wanted: Kind) => kinds.filter((kind) => kind === wanted).length;
  await hub.subscribeAll(
    kinds.map((kind, place) =>
      callbackAt(kind === 'refuses' ? gone : subscriber, place, `/${kind}/${place}`),
    ),
  );
  subscriber.onPost = (received, response) => {
    if (received.target.startsWith('/healthy/')) status(204)(received, response);
  };
  await gone.close();
  await hub.change({ text: 'While some are bad.' });
  const of = (kind: Kind) =>
    subscriber.delivered.filter(({ target }) => target.startsWith(`/${kind}/`));
  await until(() => of('healthy').length === numberOf('healthy'));
  expect(of('healthy').filter(({ body }) => !body.includes('While some are bad.'))).toEqual([]);
  await until(() => of('hangs').length === numberOf('hangs'));
  await until(async () => {
    const failed = (await hub.subscriptions()).filter(({ failures }) => failures === 1);
    return failed.length === numberOf('refuses');
  });
  await until(async () => (await hub.counts()).pending === numberOf('hangs') + numberOf('refuses'));
  const targets = subscriber.delivered.map(({ target }) => target);
  expect(new Set(targets).size).toBe(targets.length);
}

/** Settings of a hub that is killed. */
export const KILLED = {
  HUB_CONCURRENCY: '32',
  HUB_MAX_SUBSCRIPTIONS_PER_HOST: '0',
  HUB_TIMEOUT_SECONDS: '600',
};
const IN_FLIGHT = Number(KILLED.HUB_CONCURRENCY);

/** Kills the server at random moments of a fan-out: in the end all have the content, and none has it more
 * often than once and once more for each time that its delivery was under way when the server died. */
export async function killDuringFanOut(
  hub: HubProcess,
  { count, kills, seed }: { count: number; kills: number; seed: number },
): Promise<void> {
  // Until the test ends.
  reportOnFailure('seed', () => `SEED=${seed}`)();
  const random = randomFrom(seed);
  const subscriber = await hub.subscriber({ address: '0.0.0.0' });
  const targets = Array.from({ length: count }, (_, place) => `/${place}`);
  await hub.subscribeAll(targets.map((target, place) => callbackAt(subscriber, place, target)));
  const allowed = new Map(targets.map((target) => [target, 1]));
  const moments: string[] = [];
  /** Those that were killed. */
  const workers = new Set<string>();
  await hub.publish({ source_id: 'newest', date: '2024-01-01', text: 'The newest.' });
  for (let kill = 0; kill < kills; kill++) {
    // Each in its own part of the fan-out.
    const killAfter = Math.floor(((kill + random()) / kills) * count);
    const afterMs = Math.floor(random() * 30);
    await until(() => subscriber.delivered.length >= killAfter);
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
    moments.push(`after ${killAfter} and ${afterMs} ms, ${claimed.length} under way`);
    expect(claimed.length, moments.join('; ')).toBeLessThanOrEqual(IN_FLIGHT);
    await hub.expireClaims([...workers]);
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

/** The seed of a test: SEED in the environment, or another one each time. */
export function seedOf(): number {
  return Number(process.env['SEED'] ?? Date.now() % 1_000_000);
}
