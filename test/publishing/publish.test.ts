// Publishing turns the content of the store into the current snapshot, even if publish processes are killed or slow.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { load } from '../../src/publishing/load.ts';
import { publish } from '../../src/publishing/publish.ts';
import { type Manifest, partsOf } from '../../src/snapshot/manifest.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import {
  claimPublishing,
  ClaimLost,
  loadCurrentManifest,
} from '../../src/store/snapshots/snapshots.ts';
import { loadState, requestPublish, saveOrigin } from '../../src/store/state.ts';
import { publishPending } from '../../src/publishing/run/2-claim.ts';
import { runInThread } from '../../src/publishing/task-threads.ts';
import { until } from '../support/patience.ts';
import { BUSINESS } from '../support/reviews.ts';
import { merge, record, TestStore } from '../support/store.ts';

const ORIGIN = 'https://reviews.example';
const NOW = 1_700_000_000;

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(async () => {
  await store.close();
});

let clock = 0;

/** Claims, whoever held the claim before, and publishes in this thread. */
async function publishAs(publisher: string, on: Database = database): Promise<void> {
  clock += 10_000;
  expect(await claimPublishing(database, publisher, clock, clock + 5000)).toBe(true);
  const publishing = { publisherId: publisher, defaultOrigin: ORIGIN };
  await publish(on, publishing, NOW + clock / 1000);
}

/** The same store, with a callback before each write; writes are numbered from 1. */
function withHook(before: (write: number) => Promise<void> | void): Database {
  let count = 0;
  return Object.create(database, {
    readConsistently: { value: database.readConsistently.bind(database) },
    fileBeside: { value: database.fileBeside.bind(database) },
    write: {
      value: async (work: Parameters<Database['write']>[0]) => {
        count += 1;
        await before(count);
        return database.write(work);
      },
    },
  }) as Database;
}

/** The number of writes of the next publish. */
async function countWrites(): Promise<number> {
  let writes = 0;
  await publishAs(
    'counter',
    withHook((write) => void (writes = write)),
  );
  return writes;
}

async function texts(): Promise<(string | null)[]> {
  const loaded = await load(database);
  if (!loaded) throw new Error('nothing was published');
  const snapshot = new Snapshot(loaded);
  return Array.from(
    { length: snapshot.reviewCount },
    (_, position) => (JSON.parse(snapshot.reviewAt(position).toString()) as { text: string }).text,
  );
}

async function storedParts(): Promise<string[]> {
  const rows = await database.read.selectFrom('snapshot_parts').select('name').execute();
  return rows.map(({ name }) => name).toSorted();
}

async function manifest(): Promise<Manifest> {
  return JSON.parse((await loadCurrentManifest(database.read)) as string) as Manifest;
}

/** Changes the text of the only review. */
function say(text: string): Promise<unknown> {
  return merge(database, [record({ source_id: 'a', text })]);
}

describe('publishing', () => {
  test('of an empty store gives a snapshot without reviews', async () => {
    await publishAs('p');
    expect(await texts()).toEqual([]);
    expect(await loadState(database.read)).toMatchObject({
      contentVersion: 1,
      publishedVersion: 1,
      snapshotNumber: 1,
    });
  });

  test('publishes only verified reviews', async () => {
    await merge(database, [
      record({ source_id: 'a', text: 'proven' }),
      record({ source_id: 'b', text: 'said', verified: undefined }),
      record({ source_id: 'c', text: 'disproved', verified: false }),
    ]);
    await publishAs('p');
    expect(await texts()).toEqual(['proven']);
  });

  test('of unchanged content keeps the snapshot, and none is pending afterwards', async () => {
    await say('first');
    await publishAs('p');
    const [before, parts] = [await manifest(), await storedParts()];
    await requestPublish(database);
    await publishAs('p');
    expect(await manifest()).toEqual(before);
    expect(await storedParts()).toEqual(parts);
    expect(await loadState(database.read)).toMatchObject({
      contentVersion: 3,
      publishedVersion: 3,
      snapshotNumber: 1,
    });
  });

  test('stores only changed parts, and deletes the replaced ones', async () => {
    await merge(database, [record()], { business: BUSINESS });
    await publishAs('p');
    await saveOrigin(database, 'https://elsewhere.example');
    await publishAs('p');
    expect(await storedParts()).toEqual([
      '/api/feed.json@2.br',
      '/api/feed.json@2.gzip',
      '/api/feed.json@2.zstd',
      '/feed.xml@2.br',
      '/feed.xml@2.gzip',
      '/feed.xml@2.zstd',
      '/insights.json@1.br',
      '/insights.json@1.gzip',
      '/insights.json@1.zstd',
      '/reviews.json@1.br',
      '/reviews.json@1.gzip',
      '/reviews.json@1.zstd',
      // It does not depend on the origin, and has the pictures, which take longest.
      'index@1.zstd',
      'log@2.zstd',
      'results@2.zstd',
    ]);
  });

  test('writes the origin that a server recorded, or else the default', async () => {
    await publishAs('p');
    expect((await manifest()).origin).toBe(ORIGIN);
    await saveOrigin(database, 'https://recorded.example');
    await publishAs('p');
    expect((await manifest()).origin).toBe('https://recorded.example');
  });
});

describe('a publish that is killed', () => {
  test('before any of its writes is repeated by the next one, and leaves no part behind', async () => {
    await say('at first');
    await publishAs('p');
    await say('counted');
    const writes = await countWrites();
    expect(writes).toBeGreaterThan(20);
    for (let last = 1; last <= writes; last++) {
      const before = await texts();
      const after = `words of round ${last}`;
      await say(after);
      const killed = withHook((write) => {
        if (write === last) throw new Error('killed');
      });
      await expect(publishAs('killed', killed)).rejects.toThrow('killed');
      expect([before, [after]]).toContainEqual(await texts());
      await publishAs('next');
      expect(await texts()).toEqual([after]);
      expect(await storedParts()).toEqual(partsOf(await manifest()).toSorted());
    }
  });
});

describe('a publish that is too slow', () => {
  /** Another publish takes over before a write of a slow one, which continues before a write of the
   * other. Returns how the slow one ended. */
  async function race(
    slowWrite: number,
    isMoment: (write: number) => boolean | Promise<boolean>,
  ): Promise<unknown> {
    let outcome: unknown = 'never stopped';
    let goOn = () => {};
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    let stopped = () => {};
    const isStopped = new Promise<void>((resolve) => (stopped = resolve));
    const slow = publishAs(
      'slow',
      withHook(async (write) => {
        if (write !== slowWrite) return;
        stopped();
        await mayGoOn;
      }),
    ).then(
      () => (outcome = 'finished'),
      (error: unknown) => (outcome = error),
    );
    await isStopped;
    let isOver = false;
    await publishAs(
      'other',
      withHook(async (write) => {
        if (isOver || !(await isMoment(write))) return;
        isOver = true;
        goOn();
        await slow;
      }),
    );
    expect(isOver).toBe(true);
    return outcome;
  }

  test('stops with ClaimLost before any write, and the other publishes a complete snapshot', async () => {
    await say('at first');
    await publishAs('p');
    await say('counted');
    const writes = await countWrites();
    const isBeforeSwitch = async () => {
      const rows = await database.read.selectFrom('snapshots').select('number').execute();
      const { snapshotNumber } = await loadState(database.read);
      return rows.some(({ number }) => number > (snapshotNumber as number));
    };
    for (let slowWrite = 1; slowWrite <= writes; slowWrite++) {
      const words = `words of round ${slowWrite}`;
      await say(words);
      const { snapshotNumber } = await loadState(database.read);
      // If the slow one has switched already, the other has nothing to store.
      const outcome = await race(slowWrite, async (write) => {
        const now = (await loadState(database.read)).snapshotNumber;
        return now === snapshotNumber ? isBeforeSwitch() : write === 1;
      });
      expect(outcome).toBeInstanceOf(ClaimLost);
      expect(await texts()).toEqual([words]);
      const stored = await storedParts();
      expect(stored).toEqual(expect.arrayContaining(partsOf(await manifest())));
    }
  });
});

describe('publishing what is pending', () => {
  const publishing = { publisherId: 'p', defaultOrigin: ORIGIN };

  test('publishes, releases the claim, and returns true', async () => {
    await say('hello');
    expect(await publishPending(database, store.url, publishing)).toBe(true);
    expect(await texts()).toEqual(['hello']);
    const loaded = await runInThread({ kind: 'load', databaseUrl: store.url, wanted: null });
    expect(loaded?.manifest).toEqual(await manifest());
    const state = await database.read.selectFrom('state').selectAll().execute();
    expect(state).toMatchObject([{ publisher: null, publisher_until: 0 }]);
  });

  test('does nothing if nothing is pending', async () => {
    expect(await publishPending(database, store.url, publishing)).toBe(true);
    const before = await manifest();
    expect(await publishPending(database, store.url, publishing)).toBe(true);
    expect(await manifest()).toEqual(before);
  });

  test('leaves it pending after an abort, and free to claim at once', async () => {
    await merge(database, [record()]);
    const stop = new AbortController();
    const aborted = publishPending(database, store.url, publishing, { signal: stop.signal });
    stop.abort();
    await expect(aborted).rejects.toThrow();
    expect(await loadState(database.read)).toMatchObject({ publishedVersion: 0 });
    const next = { publisherId: 'b', defaultOrigin: ORIGIN };
    expect(await publishPending(database, store.url, next)).toBe(true);
  });

  test('returns false while another process publishes', async () => {
    await claimPublishing(database, 'other', Date.now(), Date.now() + 60_000);
    expect(await publishPending(database, store.url, publishing)).toBe(false);
    expect(await loadState(database.read)).toMatchObject({ publishedVersion: 0 });
  });

  test('returns false, without an error, if another process took over', async () => {
    const answer = publishPending(database, store.url, publishing);
    const holder = async () =>
      (await database.read.selectFrom('state').select('publisher').executeTakeFirstOrThrow())
        .publisher;
    await until(async () => (await holder()) === 'p');
    await database.write((transaction) =>
      transaction
        .updateTable('state')
        .set({ publisher: 'other', publisher_until: Date.now() + 60_000 })
        .execute(),
    );
    expect(await answer).toBe(false);
    expect(await holder()).toBe('other');
    expect(await loadState(database.read)).toMatchObject({ snapshotNumber: null });
  });
});
