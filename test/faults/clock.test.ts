// The clock of the machine is wrong, or is set while the program runs. Every case decides the time itself.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ExpiryClock } from '../../src/hub/dispatcher.ts';
import { Sessions } from '../../src/mcp/sessions.ts';
import { publish } from '../../src/publishing/publish.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { Database } from '../../src/store/database.ts';
import { deleteExpired } from '../../src/store/hub/deliveries.ts';
import { claimPublishing, loadCurrentManifest } from '../../src/store/snapshots/snapshots.ts';
import { countSubscriptions } from '../../src/store/hub/subscriptions.ts';
import { FaultStore, PUBLISHER, recordsOf } from '../support/fault-store.ts';
import { merge } from '../support/store.ts';
import { storedSubscriptions, subscribe } from '../support/subscriptions.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

let store: FaultStore;
let database: Database;
beforeAll(async () => {
  store = await FaultStore.create();
});
beforeEach(async () => {
  database = await Database.open(`sqlite:${await store.copy()}`);
});
afterEach(() => database.close());
afterAll(() => store.remove());

async function publishAt(nowMs: number): Promise<Manifest> {
  await claimPublishing(database, PUBLISHER.publisherId, nowMs, nowMs + 5_000);
  await publish(database, PUBLISHER, nowMs / 1000);
  return JSON.parse((await loadCurrentManifest(database.read)) as string) as Manifest;
}

test.each([
  ['a year ahead', YEAR_MS],
  ['an hour ahead', HOUR_MS],
  ['ten years back', -10 * YEAR_MS],
])(
  'a publish while the clock is %s: Last-Modified increases with each change',
  async (_, wrongMs) => {
    const times: number[] = [];
    for (const [edition, nowMs] of [NOW_MS, NOW_MS + wrongMs, NOW_MS + 10_000].entries()) {
      await merge(database, recordsOf(5, edition + 2));
      times.push((await publishAt(nowMs)).publishedAt);
    }
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
  },
);

test('a claim to publish made while the clock was a year ahead is void when it is corrected', async () => {
  const ahead = NOW_MS + YEAR_MS;
  expect(await claimPublishing(database, 'ahead', ahead, ahead + 5_000)).toBe(true);
  expect(await claimPublishing(database, 'other', NOW_MS, NOW_MS + 5_000)).toBe(true);
});

test('a claim to publish made before the clock was set back an hour is void', async () => {
  expect(await claimPublishing(database, 'before', NOW_MS, NOW_MS + 5_000)).toBe(true);
  const back = NOW_MS - HOUR_MS;
  expect(await claimPublishing(database, 'after', back, back + 5_000)).toBe(true);
});

test('the clock jumps a year ahead in a lease, and back: the subscription is there again', async () => {
  await subscribe(database, [{ lease_seconds: 864_000 }], NOW_MS);
  let [nowMs, elapsedMs] = [NOW_MS, 0];
  const expiry = new ExpiryClock({ nowMs: () => nowMs, elapsedMs: () => elapsedMs });
  const deleteNow = () => database.write((on) => deleteExpired(on, expiry.nowMs()));
  const active = async () => (await countSubscriptions(database.read, nowMs))[0]?.active ?? 0;
  nowMs += YEAR_MS;
  await deleteNow();
  expect(await active()).toBe(0);
  nowMs -= YEAR_MS;
  await deleteNow();
  expect(await active()).toBe(1);
  // The lease ends on time by a clock that runs as it should.
  for (const passedMs of [864_000_000 - 1, 1]) {
    nowMs += passedMs;
    elapsedMs += passedMs;
    expect(await storedSubscriptions(database)).toHaveLength(1);
    await deleteNow();
  }
  expect(await storedSubscriptions(database)).toEqual([]);
});

test('the clock is set back in a lease: the subscription stays', async () => {
  await subscribe(database, [{ lease_seconds: 864_000 }], NOW_MS);
  const back = NOW_MS - YEAR_MS;
  const expiry = new ExpiryClock({ nowMs: () => back, elapsedMs: () => 0 });
  await database.write((on) => deleteExpired(on, expiry.nowMs()));
  expect((await countSubscriptions(database.read, back))[0]?.active).toBe(1);
});

test('an MCP session issued while the clock was a year ahead is accepted when it is corrected', () => {
  let nowSeconds = (NOW_MS + YEAR_MS) / 1000;
  const sessions = new Sessions(
    'k'.repeat(32),
    () => nowSeconds,
    (bytes) => Buffer.alloc(bytes),
  );
  const id = sessions.issue('2025-11-25');
  nowSeconds = NOW_MS / 1000;
  expect(sessions.parse(id)?.id).toBe(id);
});
