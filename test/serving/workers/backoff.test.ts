// The wait before a worker is replaced.

import { expect, test } from 'vitest';
import { Backoff } from '../../../src/serving/workers/backoff.ts';

test('the wait doubles with each failure, up to 30 seconds', () => {
  const backoff = new Backoff();
  const waits = Array.from({ length: 11 }, () => backoff.next(0));
  expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
});

test('a worker that was ready for a minute resets the wait', () => {
  const backoff = new Backoff();
  backoff.next(0);
  backoff.next(59_999);
  expect(backoff.next(59_999)).toBe(400);
  expect(backoff.next(60_000)).toBe(100);
});
