// Which snapshot a server starts with, how often it looks for the next, and what it does when publishing fails.

import { createHook } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UnavailableError } from '../../src/errors.ts';
import type { PublishHealth, StoreHealth } from '../../src/model/health.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { preloadSnapshot, type TakePreloaded } from '../../src/publishing/task-threads.ts';
import { PublishAttempts } from '../../src/publishing/run/1-attempts.ts';
import { SnapshotRefresher } from '../../src/serving/refresher.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing, releasePublishing } from '../../src/store/snapshots/snapshots.ts';
import { saveOrigin } from '../../src/store/state.ts';
import { until } from '../support/patience.ts';
import { publishHere } from '../support/publish.ts';
import { merge, record, TestStore } from '../support/store.ts';

const publishPending = vi.fn(publishHere);

const ORIGIN = 'https://reviews.example';
const PUBLISHING = { publisherId: 'p', defaultOrigin: ORIGIN };

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  await saveOrigin(database, ORIGIN);
  await merge(database, [record({ text: 'First.' })]);
});
afterEach(async () => {
  vi.resetAllMocks();
  await store.close();
});

const publishAll = () => publishHere(database, store.url, PUBLISHING);

/** What a refresher changes in a server, and what it logs. */
class Served {
  snapshot: Snapshot | null = null;
  store: StoreHealth = { reachable: true, detail: null };
  health: PublishHealth | null = null;
  readonly logged: { level: string; about: unknown; message: string | undefined }[] = [];

  show(snapshot: Snapshot): void {
    this.snapshot = snapshot;
  }

  get logger() {
    const log = (level: string) => (about: unknown, message?: string) => {
      this.logged.push({ level, about, message });
    };
    return { info: () => undefined, warn: log('warn'), error: log('error') } as never;
  }
}

interface Options {
  readonly databaseUrl?: string;
  readonly preloaded?: TakePreloaded;
  readonly signal?: AbortSignal;
  readonly isLead?: boolean;
}

function refresherOf(served: Served, options: Options = {}): SnapshotRefresher {
  const { databaseUrl = store.url, preloaded = null, isLead = true } = options;
  const { signal = new AbortController().signal } = options;
  const parts = { databaseUrl, database, logger: served.logger, signal };
  const onHealth = (health: PublishHealth) => (served.health = health);
  const attempts = new PublishAttempts({
    ...parts,
    publish: publishPending,
    publishing: PUBLISHING,
    onHealth,
    onStages: () => undefined,
    elapsedMs: () => performance.now(),
  });
  const server = served as unknown as HttpServer;
  return new SnapshotRefresher({
    ...parts,
    server,
    preloaded,
    siteLanguage: null,
    attempts: isLead ? attempts : null,
  });
}

/** What a server serves first that starts with a preloaded snapshot. */
async function servedFirst(
  preloaded: TakePreloaded,
  options: Options = {},
): Promise<Snapshot | null> {
  const served = new Served();
  await refresherOf(served, { preloaded, ...options }).makeReady(false);
  return served.snapshot;
}

/** Runs a refresher until the work is done. */
async function whileRunning(served: Served, work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const running = refresherOf(served, { signal: stop.signal }).run({
    isConnected: () => false,
    onServed: () => undefined,
  });
  try {
    await work();
  } finally {
    stop.abort();
    await running;
  }
}

describe('a preloaded snapshot', () => {
  test('is served without loading it again', async () => {
    await publishAll();
    const preloaded = preloadSnapshot(store.url, ORIGIN);
    // Nothing can be loaded from this database.
    expect(
      (await servedFirst(preloaded, { databaseUrl: 'sqlite:/dev/null/none' }))?.reviewCount,
    ).toBe(1);
  });

  test('is not served if it is not current any more', async () => {
    await publishAll();
    const loaded = await preloadSnapshot(store.url, ORIGIN)();
    const preloaded = () => Promise.resolve(loaded);
    await merge(database, [record({ source_id: 'another', text: 'Second.' })]);
    await publishAll();
    const first = await servedFirst(preloaded);
    expect(first?.reviewCount).toBe(2);
  });

  test('is discarded before the next is published', async () => {
    await publishAll();
    await saveOrigin(database, 'https://elsewhere.example');
    let isTaken = false;
    const take = preloadSnapshot(store.url, null);
    const preloaded = () => {
      isTaken = true;
      return take();
    };
    const nowMs = Date.now();
    expect(await claimPublishing(database, 'other', nowMs, nowMs + 60_000)).toBe(true);
    const served = servedFirst(preloaded);
    await until(() => isTaken);
    await releasePublishing(database, 'other');
    expect((await served)?.number).toBe(2);
  });

  test('is null before the first publish, and if loading fails', async () => {
    expect(await preloadSnapshot(store.url, ORIGIN)()).toBeNull();
    expect(await preloadSnapshot('sqlite:/dev/null/none', ORIGIN)()).toBeNull();
    const none = () => Promise.resolve(null);
    expect((await servedFirst(none))?.reviewCount).toBe(1);
  });

  test('is null if another version of the program built it', async () => {
    await publishAll();
    expect((await preloadSnapshot(store.url, ORIGIN)())?.manifest.number).toBe(1);
    await setBuilder('public-reviews/8 another');
    expect(await preloadSnapshot(store.url, ORIGIN)()).toBeNull();
  });

  test('is null if it is for another origin, if the origin is known', async () => {
    await publishAll();
    expect(await preloadSnapshot(store.url, 'https://elsewhere.example')()).toBeNull();
    expect((await preloadSnapshot(store.url, null)())?.manifest.number).toBe(1);
  });

  test('can be taken once, so that its memory can be freed', async () => {
    await publishAll();
    const preloaded = preloadSnapshot(store.url, ORIGIN);
    expect(await preloaded()).not.toBeNull();
    expect(await preloaded()).toBeNull();
  });
});

async function setBuilder(builder: string): Promise<void> {
  const { manifest: stored } = await database.read
    .selectFrom('snapshots')
    .select('manifest')
    .executeTakeFirstOrThrow();
  await database.read
    .updateTable('snapshots')
    .set({ manifest: JSON.stringify({ ...JSON.parse(stored), builder }) })
    .execute();
}

test.each([
  ['with notifications of the store', true],
  ['without', false],
])('%s it looks for a new snapshot at least every two seconds', async (_, isConnected) => {
  await publishAll();
  const stop = new AbortController();
  const served = new Served();
  const refresher = refresherOf(served, { signal: stop.signal });
  await refresher.makeReady(false);
  // The pauses that it asks for: the test does not depend on how long they take.
  const pausesMs: number[] = [];
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      // The database's own timers are no pauses between two looks.
      if (type !== 'Timeout' || !new Error('where').stack?.includes('refresher.ts')) return;
      // oxlint-disable-next-line no-underscore-dangle -- Node's own name for how long a timer waits
      pausesMs.push((resource as { _idleTimeout: number })._idleTimeout);
    },
  }).enable();
  const running = refresher.run({ isConnected: () => isConnected, onServed: () => undefined });
  await until(() => pausesMs.length > 0);
  stop.abort();
  await running;
  hook.disable();
  expect(Math.max(...pausesMs)).toBeLessThanOrEqual(2_000);
});

test('a snapshot without reviews is not served first while an import waits to be published', async () => {
  const empty = await TestStore.create();
  try {
    const own = await empty.open();
    await saveOrigin(own, ORIGIN);
    await merge(own, [record({ text: 'Not checked.', verified: false })]);
    await publishHere(own, empty.url, PUBLISHING);
    await merge(own, [record({ text: 'First.' })]);
    database = own;
    const served = new Served();
    await refresherOf(served, { databaseUrl: empty.url }).makeReady(false);
    expect(served.snapshot?.reviewCount).toBe(1);
  } finally {
    await empty.close();
  }
});

test('a start does not wait long for a publish while there is a snapshot for another origin', async () => {
  await publishAll();
  await saveOrigin(database, 'https://elsewhere.example');
  let publish: () => void = () => undefined;
  publishPending.mockImplementation(async (...given) => {
    await new Promise<void>((resolve) => (publish = resolve));
    return publishHere(...given);
  });
  const served = new Served();
  const stop = new AbortController();
  const refresher = refresherOf(served, { signal: stop.signal });
  await refresher.makeReady(false, 0);
  expect(served.snapshot?.number).toBe(1);
  const running = refresher.run({ isConnected: () => false, onServed: () => undefined });
  publish();
  await until(() => served.snapshot?.number === 2);
  expect(publishPending).toHaveBeenCalledTimes(1);
  stop.abort();
  await running;
});

describe('a publish that fails', () => {
  const failWith = (error: Error) => publishPending.mockRejectedValue(error);

  test('first leaves the server without a snapshot, and it serves the one of a later publish', async () => {
    failWith(new Error('no sum'));
    const served = new Served();
    await refresherOf(served).makeReady(false);
    expect(served).toMatchObject({
      snapshot: null,
      store: { reachable: true },
      health: { status: 'failing', detail: 'no sum' },
    });
    publishPending.mockReset();
    await whileRunning(served, async () => {
      await until(() => served.snapshot !== null);
    });
    expect(served.health).toEqual({ status: 'ok', detail: null });
  });

  test('first leaves the server with the current snapshot, though for another origin', async () => {
    await publishAll();
    await saveOrigin(database, 'https://elsewhere.example');
    failWith(new Error('no sum'));
    const served = new Served();
    await refresherOf(served).makeReady(false);
    expect(served.snapshot?.number).toBe(1);
    expect(served.health).toEqual({ status: 'failing', detail: 'no sum' });
  });

  test('first leaves it without a snapshot that another version made in another format', async () => {
    await publishAll();
    await setBuilder('public-reviews/1 another');
    failWith(new Error('no sum'));
    const served = new Served();
    await refresherOf(served).makeReady(false);
    expect(served.snapshot).toBeNull();
    await whileRunning(served, () => until(() => served.store.detail !== null));
    expect(served.store).toEqual({
      reachable: true,
      detail:
        'snapshot 1 is not served: another version of this program made it (public-reviews/1 another)',
    });
  });

  test('first ends the server if the current snapshot must not be served', async () => {
    await publishAll();
    await merge(database, [record({ source_id: 'another', text: 'Second.' })]);
    failWith(new Error('no sum'));
    const served = new Served();
    await expect(refresherOf(served).makeReady(true)).rejects.toThrow('no sum');
    expect(served.snapshot).toBeNull();
  });

  test('does not keep the server from loading what another process published', async () => {
    await publishAll();
    await merge(database, [record({ source_id: 'another', text: 'Second.' })]);
    failWith(new Error('no sum'));
    const served = new Served();
    await whileRunning(served, () => until(() => served.snapshot !== null));
    expect(served).toMatchObject({
      snapshot: { number: 1 },
      store: { reachable: true, detail: null },
      health: { status: 'failing', detail: 'no sum' },
    });
    expect(served.logged).toEqual([
      {
        level: 'error',
        about: { err: new Error('no sum'), retryInMs: 2_000 },
        message: 'publishing failed; readers are served what was published before',
      },
    ]);
  });

  test('with a store that is away counts as a store that is away', async () => {
    await publishAll();
    const served = new Served();
    await refresherOf(served).makeReady(false);
    await merge(database, [record({ source_id: 'another', text: 'Second.' })]);
    const away = new UnavailableError('cannot be reached');
    failWith(away);
    await whileRunning(served, async () => {
      vi.spyOn(database, 'read', 'get').mockImplementation(() => {
        throw away;
      });
      await until(() => !served.store.reachable);
    });
    vi.restoreAllMocks();
    expect(served.store).toEqual({ reachable: false, detail: 'cannot be reached' });
    expect(served.logged.map(({ message }) => message)).toEqual([
      'the store failed; readers are served what is loaded',
    ]);
  });
});

test('a worker that does not publish starts without a snapshot, and serves the first', async () => {
  const served = new Served();
  await refresherOf(served, { isLead: false }).makeReady(false);
  expect(served.snapshot).toBeNull();
  await publishAll();
  await refresherOf(served, { isLead: false }).makeReady(false);
  expect(served.snapshot?.number).toBe(1);
});
