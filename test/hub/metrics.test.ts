// How often subscriptions are counted for /metrics.

import { expect, test } from 'vitest';
import { RecentCounts } from '../../src/hub/metrics.ts';

test('counting takes at most a fiftieth of the time, however often the counts are read', async () => {
  let nowMs = 0;
  let counted = 0;
  const recent = new RecentCounts(
    () => {
      counted += 1;
      nowMs += 200;
      return Promise.resolve([{ topic: '/feed.xml', active: counted, pending: 0 }]);
    },
    () => nowMs,
  );
  const [first, second] = await Promise.all([recent.get(), recent.get()]);
  expect([first, second]).toEqual([first, [{ topic: '/feed.xml', active: 1, pending: 0 }]]);
  nowMs = 200 + 9_999;
  await recent.get();
  expect(counted).toBe(1);
  nowMs = 200 + 10_000;
  expect(await recent.get()).toMatchObject([{ active: 2 }]);
  expect(counted).toBe(2);
});

test('an unavailable store has no counts, and is tried again', async () => {
  let isAway = true;
  const recent = new RecentCounts(
    () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve([])),
    () => 0,
  );
  expect(await recent.get()).toEqual([]);
  isAway = false;
  expect(await recent.get()).toEqual([]);
});
