// How a publish that hangs is noticed.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Progress, watchProgress } from '../../src/publishing/progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the current step can be read from the shared memory', () => {
  const progress = new Progress();
  const seen = new Progress(progress.memory);
  expect([seen.count, seen.step]).toEqual([0, '']);
  progress.begin('analysing review 01HZ0000000000000000000001');
  progress.begin('näxt');
  expect([seen.count, seen.step]).toEqual([2, 'näxt']);
  progress.begin('é'.repeat(1_000));
  expect(seen.step).toBe('é'.repeat(100));
});

test('a step that lasts longer than the limit is reported; steps that end in time are not', () => {
  const progress = new Progress();
  const stalled: string[] = [];
  const end = watchProgress(progress, 1_000, (step) => stalled.push(step));
  for (let step = 0; step < 10; step++) {
    progress.begin(`step ${step}`);
    vi.advanceTimersByTime(1_000);
  }
  expect(stalled).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(stalled).toEqual(['step 9']);
  end();
  vi.advanceTimersByTime(10_000);
  expect(stalled).toEqual(['step 9']);
});
