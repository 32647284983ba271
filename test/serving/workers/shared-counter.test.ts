// Limits of clients over all workers, while the supervisor answers and while it does not.

import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MemoryCounter } from '../../../src/http/admission/rate-limit.ts';
import type { ClientMinute } from '../../../src/model/http-seam.ts';
import { SharedCounter } from '../../../src/serving/workers/shared-counter.ts';
import { PATIENCE_MS } from '../../support/patience.ts';

/** A supervisor that answers at once, or keeps the questions until it continues. */
class FakeSupervisor {
  readonly counter = new MemoryCounter();
  asked = 0;
  #questions: (() => void)[] | null = null;

  stop(): void {
    this.#questions = [];
  }

  continue(): void {
    for (const answer of this.#questions ?? []) answer();
    this.#questions = null;
  }

  ask(client: string): Promise<ClientMinute> {
    this.asked += 1;
    const questions = this.#questions;
    if (!questions) return Promise.resolve(this.counter.count(client));
    return new Promise((resolve) => {
      questions.push(() => resolve(this.counter.count(client)));
    });
  }
}

function start(waitMs: number) {
  const supervisor = new FakeSupervisor();
  const logger = { info: vi.fn(), warn: vi.fn() };
  const counter = new SharedCounter({
    ask: (client) => supervisor.ask(client),
    logger,
    waitMs,
  });
  const count = async (client: string) => (await counter.count(client)).count;
  return { supervisor, logger, count };
}

test('a supervisor that answers counts the requests of all workers', async () => {
  const { supervisor, logger, count } = start(PATIENCE_MS);
  supervisor.counter.count('a');
  expect(await count('a')).toBe(2);
  expect(await count('b')).toBe(1);
  expect(logger.warn).not.toHaveBeenCalled();
});

test('without an answer in time, the worker counts by itself and says so once', async () => {
  const { supervisor, logger, count } = start(20);
  expect(await count('a')).toBe(1);
  supervisor.stop();
  // Those that wait are answered together.
  expect(await Promise.all([count('a'), count('a'), count('b')])).toEqual([1, 2, 1]);
  // Later ones do not wait, and leave no further questions.
  const { asked } = supervisor;
  expect(await Promise.all(Array.from({ length: 100 }, () => count('a')))).toHaveLength(100);
  expect(await count('a')).toBe(103);
  expect(supervisor.asked).toBe(asked);
  expect(logger.warn).toHaveBeenCalledTimes(1);
  expect(logger.info).not.toHaveBeenCalled();
});

test('when the supervisor answers again, it is asked again', async () => {
  const { supervisor, logger, count } = start(20);
  supervisor.stop();
  await Promise.all([count('a'), count('a')]);
  supervisor.continue();
  await vi.waitFor(() => expect(logger.info).toHaveBeenCalledTimes(1), { timeout: PATIENCE_MS });
  // It has counted the questions that it answered late.
  expect(await count('a')).toBe(3);
  supervisor.stop();
  await count('a');
  expect(logger.warn).toHaveBeenCalledTimes(2);
});

test('an answer that waits to be read while the worker is busy is no silence', async () => {
  const { port1, port2 } = new MessageChannel();
  const logger = { info: vi.fn(), warn: vi.fn() };
  const answered = Promise.withResolvers<ClientMinute>();
  port1.on('message', answered.resolve);
  const counter = new SharedCounter({ ask: () => answered.promise, logger, waitMs: 5 });
  // After this, the event loop calls timers before it reads.
  await new Promise((resolve) => void setImmediate(resolve));
  const counted = counter.count('a');
  port2.postMessage({ count: 7, untilMs: 1 });
  const until = performance.now() + 20;
  while (performance.now() < until);
  expect((await counted).count).toBe(7);
  expect(logger.warn).not.toHaveBeenCalled();
  port1.close();
});

test('a question that fails is a fault of the request, and no silence', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const counter = new SharedCounter({
    ask: () => Promise.reject(new Error('no channel')),
    logger: { info: vi.fn(), warn: vi.fn() },
  });
  await expect(counter.count('192.0.2.1')).rejects.toThrow('no channel');
  expect(vi.getTimerCount()).toBe(0);
});
