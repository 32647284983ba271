// When a process counts as hung.

import { ChildProcess } from 'node:child_process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { killIfSilent } from '../../src/model/signs-of-life.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a process is killed after intervals without a message; each message starts them again', () => {
  const child = Object.assign(new ChildProcess(), { kill: vi.fn(() => true) });
  const { wasSilent } = killIfSilent(child, { maxIntervals: 3, intervalMs: 10 });
  for (let round = 0; round < 5; round++) {
    vi.advanceTimersByTime(20);
    expect(child.kill).not.toHaveBeenCalled();
    child.emit('message', { kind: 'alive' });
  }
  vi.advanceTimersByTime(30);
  expect(child.kill).toHaveBeenCalledWith('SIGKILL');
  // It was on its way.
  child.emit('message', { kind: 'alive' });
  expect(wasSilent()).toBe(true);
  child.emit('close', null, 'SIGKILL');
  expect(vi.getTimerCount()).toBe(0);
});
