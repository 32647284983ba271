// Which jobs the dispatcher claims: limits in total and for each host, and fair shares beside failing callbacks.

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HubConfig, parseConfig } from '../../src/config.ts';
import { CallLimits } from '../../src/hub/call-limits.ts';
import { claimJobs, timeoutMs } from '../../src/hub/claims.ts';
import type { Job } from '../../src/hub/job.ts';
import { Slots } from '../../src/hub/slots.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { removeSubscription } from '../../src/store/hub/subscriptions.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';
import {
  LONGEST,
  publish,
  record,
  save,
  storedIntents,
  storedSubscriptions,
  subscribe,
  takeDeliveries,
} from '../support/subscriptions.ts';

let store: TestStore;
let database: Database;
let snapshot: Snapshot;
beforeAll(async () => {
  snapshot = await snapshotOf([review()]);
});
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const hubOf = (concurrency: number, concurrencyPerHost: number): HubConfig => ({
  ...parseConfig({}).hub,
  concurrency,
  concurrencyPerHost,
});

/** These tests use snapshot 1. */
const READY = { nowMs: 100, pendingBeforeMs: 100, snapshot: 1, ...LONGEST };

function claim(
  hub: HubConfig,
  running: Iterable<Job> = [],
  ownerId = 'w',
  turn = 0,
): Promise<Job[]> {
  const context = { ownerId, turn, hub, criteria: READY, snapshot };
  const calls = new CallLimits(hub, () => 0);
  const inFlight = [...running].map((job) => [job, []] as const);
  return database.write((transaction) =>
    claimJobs(transaction, context, new Slots(hub, calls, inFlight)),
  );
}

const callbacks = (host: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ callback: `https://${host}/${index}` }));

/** Subscriptions with deliveries pending since 50; `failing` of them have failed once and are due again. */
async function addPending(requests: readonly { callback: string }[], failing = 0): Promise<void> {
  await subscribe(database, requests);
  await publish(database, ['/feed.xml'], 1, 50);
  const rows = await takeDeliveries(
    database,
    'before',
    { ...READY, nowMs: 60 },
    { limit: failing },
  );
  const outcomes = rows.map(
    (delivery) => ({ kind: 'not_acknowledged', delivery, error: 'x', waitsMs: [0, 0] }) as const,
  );
  await record(database, 'before', outcomes, 60);
}

/** Jobs by kind and host; retried deliveries are "again". */
function tally(jobs: readonly Job[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const job of jobs) {
    const isAgain = job.kind === 'deliver' && job.row.failures > 0;
    const name = `${isAgain ? 'again' : job.kind} ${job.row.domain}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe('a turn', () => {
  test('claims everything if there are enough slots', async () => {
    await addPending(callbacks('a.example', 3), 1);
    const [first] = await storedSubscriptions(database);
    await removeSubscription(database, first?.id as string, 'over', 0);
    await save(database, { callback: 'https://b.example/' });
    const jobs = await claim(hubOf(100, 100));
    expect(jobs).toHaveLength(4);
    expect(jobs.map(({ kind }) => kind).toSorted()).toEqual([
      'deliver',
      'deliver',
      'deny',
      'verify',
    ]);
    expect(await claim(hubOf(100, 100), jobs)).toEqual([]);
  });

  test('claims no more than there are free slots, and the rest in the next turns', async () => {
    await addPending(
      Array.from({ length: 10 }, (_, index) => callbacks(`${index}.example`, 1)).flat(),
    );
    const hub = hubOf(4, 1);
    const first = await claim(hub);
    expect(first).toHaveLength(4);
    expect(await claim(hub, first)).toEqual([]);
    const second = await claim(hub, first.slice(0, 1));
    expect(second).toHaveLength(3);
    const hosts = [...first, ...second].map(({ row: { domain } }) => domain);
    expect(new Set(hosts).size).toBe(7);
  });

  test('claims no more than its share for a host, however long its queue', async () => {
    await addPending(callbacks('greedy.example', 50));
    await subscribe(database, callbacks('modest.example', 1));
    await publish(database, ['/feed.xml'], 1, 70);
    const hub = hubOf(20, 3);
    const jobs = await claim(hub);
    expect(tally(jobs)).toEqual({ 'deliver greedy.example': 3, 'deliver modest.example': 1 });
    expect(await claim(hub, jobs)).toEqual([]);
    // Verifications and deliveries of a host share its limit.
    await save(database, { callback: 'https://greedy.example/new' });
    expect(await claim(hub, jobs)).toEqual([]);
    expect(tally(await claim(hub, jobs.slice(1)))).toEqual({ 'verify greedy.example': 1 });
  });

  test('skips any number of hosts at their limit', async () => {
    const greedy = Array.from({ length: 5 }, (_, index) =>
      callbacks(`greedy-${index}.example`, 40),
    );
    await addPending(greedy.flat());
    await subscribe(database, callbacks('modest.example', 2));
    await publish(database, ['/feed.xml'], 1, 70);
    const counts = tally(await claim(hubOf(16, 2)));
    expect(counts['deliver modest.example']).toBe(2);
    expect(Object.values(counts)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  test('keeps half of all slots for deliveries, however many verifications wait', async () => {
    await addPending(callbacks('well.example', 1));
    for (let index = 0; index < 9; index++) {
      await save(database, { callback: `https://v${index}.example/` });
    }
    const jobs = await claim(hubOf(6, 1));
    const kinds = jobs.map(({ kind }) => kind);
    expect(kinds).toEqual(['verify', 'verify', 'verify', 'deliver']);
  });

  test('keeps half of the slots of a host for deliveries, however many verifications wait', async () => {
    await addPending(callbacks('shared.example', 1));
    for (let index = 0; index < 9; index++) {
      await save(database, { callback: `https://shared.example/v${index}` });
    }
    const hub = hubOf(20, 4);
    const jobs = await claim(hub);
    expect(tally(jobs)).toEqual({ 'verify shared.example': 2, 'deliver shared.example': 1 });
    expect(await claim(hub, jobs)).toEqual([]);
  });

  test('skips topics that only another version has', async () => {
    await addPending(callbacks('well.example', 1));
    await subscribe(database, [{ topic: '/other.xml', callback: 'https://other.example/' }]);
    await publish(database, ['/other.xml'], 1, 40);
    expect(tally(await claim(hubOf(20, 4)))).toEqual({ 'deliver well.example': 1 });
  });

  test('does not claim a job in flight again, even if its claim has expired', async () => {
    await addPending(callbacks('slow.example', 2));
    const hub = hubOf(4, 4);
    const jobs = await claim(hub);
    expect(jobs).toHaveLength(2);
    await database.write(async (transaction) => {
      await transaction.updateTable('subscriptions').set({ claimed_until: 0 }).execute();
    });
    expect(await claim(hub, jobs)).toEqual([]);
    expect(await claim(hub, [])).toHaveLength(2);
  });

  test('keeps half of all slots for callbacks that have not failed', async () => {
    const failing = Array.from({ length: 20 }, (_, index) => callbacks(`f${index}.example`, 1));
    await addPending(failing.flat(), 20);
    const hub = hubOf(7, 1);
    const first = await claim(hub);
    expect(first).toHaveLength(4);
    expect(first.every((job) => job.kind === 'deliver' && job.row.failures === 1)).toBe(true);
    expect(await claim(hub, first)).toEqual([]);
    await subscribe(database, callbacks('well.example', 1));
    await publish(database, ['/feed.xml'], 1, 70);
    expect(tally(await claim(hub, first))).toEqual({ 'deliver well.example': 1 });
  });

  test('gives first tries all slots, and retries the rest', async () => {
    const failing = Array.from({ length: 4 }, (_, index) =>
      callbacks(`f${index}.example`, 1),
    ).flat();
    await addPending(failing, 4);
    const well = Array.from({ length: 5 }, (_, index) => callbacks(`w${index}.example`, 1)).flat();
    await subscribe(database, well);
    await publish(database, ['/feed.xml'], 1, 70);
    const isFirst = (job: Job) => job.kind === 'deliver' && job.row.failures === 0;
    const jobs = await claim(hubOf(6, 1));
    expect([jobs.length, jobs.filter(isFirst).length]).toEqual([6, 5]);
  });

  test('claims retries before verifications every second turn', async () => {
    const failing = Array.from({ length: 20 }, (_, index) => callbacks(`f${index}.example`, 1));
    await addPending(failing.flat(), 20);
    for (let index = 0; index < 20; index++) {
      await save(database, { callback: `https://v${index}.example/` });
    }
    const kindsOf = async (turn: number) =>
      new Set((await claim(hubOf(8, 1), [], 'w', turn)).map(({ kind }) => kind));
    expect(await kindsOf(0)).toEqual(new Set(['verify']));
    expect(await kindsOf(1)).toEqual(new Set(['deliver']));
  });

  test('skips jobs that wait for a busy network', async () => {
    await addPending(
      Array.from({ length: 6 }, (_, index) => callbacks(`${index}.example`, 1)).flat(),
    );
    await database.write(async (transaction) => {
      await transaction
        .updateTable('subscriptions')
        .set({ network: '192.0.2.1' })
        .where('host', '!=', '5.example')
        .execute();
    });
    // One slot for a domain, four for a network.
    const jobs = await claim(hubOf(100, 1));
    expect(jobs).toHaveLength(5);
    expect(jobs.map(({ row: { domain } }) => domain)).toContain('5.example');
  });

  test('works with a single slot', async () => {
    await addPending(callbacks('a.example', 1), 1);
    expect(tally(await claim(hubOf(1, 1)))).toEqual({ 'again a.example': 1 });
  });
});

describe('a claim', () => {
  test('outlasts the time limit of its request, also for a large body', async () => {
    await subscribe(database, [{ topic: '/feed.xml' }]);
    await publish(database, ['/feed.xml'], 1, 50);
    await save(database, { callback: 'https://b.example/' });
    await claim(hubOf(10, 10));
    expect(await storedSubscriptions(database)).toMatchObject([
      { claimed_by: 'w', claimed_until: 15_100, claimed_snapshot: 1 },
    ]);
    expect(await storedIntents(database)).toMatchObject([
      { claimed_by: 'w', claimed_until: 15_100 },
    ]);
  });

  test('of a delivery includes the document of its topic', async () => {
    await subscribe(database, [{ topic: '/feed.xml' }, { topic: '/reviews.json' }]);
    await publish(database, ['/feed.xml', '/reviews.json'], 1, 50);
    const jobs = await claim(hubOf(10, 10));
    for (const job of jobs) {
      if (job.kind !== 'deliver') throw new Error(job.kind);
      expect(job.document.path).toBe(job.row.topic);
      expect(job.document).toBe(snapshot.documents.get(job.document.path));
    }
    expect(jobs).toHaveLength(2);
  });

  test('goes to one of ten dispatchers', async () => {
    await addPending(callbacks('a.example', 30));
    const rounds = await Promise.all(
      Array.from({ length: 10 }, (_, index) => claim(hubOf(5, 5), [], `dispatcher ${index}`)),
    );
    const ids = rounds.flat().map((job) => (job.kind === 'deliver' ? job.row.id : ''));
    expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
  });
});

test('the time limit is 10 seconds, and one more for each whole MiB of the body', () => {
  const { hub } = parseConfig({});
  expect([0, 2 ** 20 - 1, 2 ** 20, 60 * 2 ** 20].map((bytes) => timeoutMs(hub, bytes))).toEqual([
    10_000, 10_000, 11_000, 70_000,
  ]);
});
