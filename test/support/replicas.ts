// Three servers of one store, one of which is killed repeatedly while reviews are imported: readers of the
// others are not affected, and every subscriber gets the newest content.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { loadState } from '../../src/store/state.ts';
import { fingerprint } from './fingerprint.ts';
import { callbackAt, HubProcess } from './hub.ts';
import { until } from './patience.ts';
import type { Server } from './process.ts';
import { merge, record } from './store.ts';

/** How long a subscriber takes to answer. */
const ANSWER_MS = 100;
/** The pause of a reader between two reads. */
const READ_EVERY_MS = 100;
const PATHS = ['/api/feed.json', '/reviews.json', '/api/reviews/search?limit=5', '/feed.xml'];

export interface ReplicasOptions {
  readonly imports: number;
  readonly killEvery: number;
  readonly subscribers: number;
}

/** Opens a hub for `importBesideKills`, which the caller closes. */
export function openReplicatedHub(): Promise<HubProcess> {
  return HubProcess.open({
    HUB_MAX_SUBSCRIPTIONS_PER_HOST: '0',
    HUB_RETRY_DELAYS_SECONDS: '0,0',
    // Claims of a killed server expire five seconds after this.
    HUB_TIMEOUT_SECONDS: '10',
    LOG_LEVEL: 'warn',
  });
}

/** Reads from a server until stopped, each path once at least. Every answer must be 200, and none older than the one before. */
class Reader {
  count = 0;
  #isStopped = false;
  readonly #ended: Promise<void>;

  constructor(server: Server) {
    this.#ended = this.#run(server);
    this.#ended.catch(() => undefined);
  }

  async #run(server: Server): Promise<void> {
    let [snapshot, updatedAt] = [0, ''];
    while (!this.#isStopped || this.count < PATHS.length) {
      const path = PATHS[this.count % PATHS.length] as string;
      const response = await server.get(path);
      expect([path, response.status]).toEqual([path, 200]);
      const body = await response.text();
      if (path === '/reviews.json') {
        const { updated_at: now } = JSON.parse(body) as { updated_at: string };
        expect(now >= updatedAt, `${now} after ${updatedAt}`).toBe(true);
        updatedAt = now;
      }
      const ready = await server.json('/readyz');
      expect(ready.snapshot).toBeGreaterThanOrEqual(snapshot);
      snapshot = ready.snapshot as number;
      this.count += 1;
      await sleep(READ_EVERY_MS);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }
}

/** Imports while two more servers of the hub run, one of which is killed and restarted repeatedly. */
export async function importBesideKills(
  hub: HubProcess,
  { imports, killEvery, subscribers }: ReplicasOptions,
): Promise<void> {
  const living = [hub.server, await hub.replica()];
  let third = await hub.replica();
  const subscriber = await hub.subscriber({ address: '0.0.0.0' });
  subscriber.onPost = (_, response) => setTimeout(() => response.writeHead(204).end(), ANSWER_MS);
  const targets = Array.from({ length: subscribers }, (_, place) => `/${place}`);
  await hub.subscribeAll(targets.map((target, place) => callbackAt(subscriber, place, target)));

  const readers = living.map((server) => new Reader(server));
  /** Deliveries that were in flight when their server was killed, by subscriber. */
  const interrupted = new Map<string, number>();
  for (let turn = 1; turn <= imports; turn++) {
    const delivered = subscriber.delivered.length;
    await merge(hub.database, [
      record({ source_id: `import-${turn}`, date: '2024-01-01', text: `Import ${turn}.` }),
    ]);
    if (turn % killEvery === 0) {
      // Alternately during deliveries and during a publish.
      if (turn % (2 * killEvery) === 0) await until(() => subscriber.delivered.length > delivered);
      await third.kill();
      for (const { claimed_by: by, callback } of await hub.subscriptions()) {
        const { pathname } = new URL(callback);
        if (by !== null) interrupted.set(pathname, (interrupted.get(pathname) ?? 0) + 1);
      }
      third = await hub.replica();
    }
    // Some server publishes, even if the publishing one was killed.
    await until(async () => {
      const { contentVersion, publishedVersion } = await loadState(hub.database.read);
      return publishedVersion === contentVersion;
    });
  }
  const { snapshotNumber } = await loadState(hub.database.read);
  for (const server of [...living, third]) {
    await server.until('/readyz', ({ snapshot }) => snapshot === snapshotNumber);
  }
  await until(async () => (await hub.counts()).pending === 0);
  for (const reader of readers) await reader.stop();

  const [first, ...others] = await Promise.all(
    [...living, third].map((server) => fingerprint(server.url)),
  );
  for (const other of others) expect(other).toEqual(first);

  const newest = await (await third.get('/feed.xml')).text();
  expect(newest).toContain(`Import ${imports}.`);
  for (const target of targets) {
    const bodies = subscriber.delivered
      .filter((each) => each.target === target)
      .map(({ body }) => body.toString());
    expect(bodies.at(-1) === newest, `${target} has the newest`).toBe(true);
    const repeated = bodies.length - new Set(bodies).size;
    expect(repeated, `${target} was delivered to again`).toBeLessThanOrEqual(
      interrupted.get(target) ?? 0,
    );
  }
  expect(await hub.counts()).toEqual({ active: subscribers, pending: 0 });
  const reads = readers.map(({ count }) => count);
  console.info({ reads, deliveries: subscriber.delivered.length, interrupted: interrupted.size });
}
