// When a worker counts as hung: by pings without an answer, also before it is ready.

import { expect, test } from 'vitest';
import { Heartbeat } from '../../../src/serving/workers/heartbeat.ts';

/** The number of pings until the worker counts as hung; `onPing` gets the number of each. */
async function pingsUntilMissed(
  onPing: (number: number, heartbeat: Heartbeat) => void,
): Promise<number> {
  const heartbeat = new Heartbeat();
  let pings = 0;
  const ping = () => onPing((pings += 1), heartbeat);
  expect(await heartbeat.isMissed(ping, 0, new AbortController().signal)).toBe(true);
  return pings;
}

test('a worker that hangs while it starts is noticed', async () => {
  expect(await pingsUntilMissed(() => undefined)).toBe(120);
});

test('a worker that is ready is given less time', async () => {
  const readyAtThird = (number: number, heartbeat: Heartbeat) => {
    if (number === 3) heartbeat.ready();
  };
  expect(await pingsUntilMissed(readyAtThird)).toBe(9);
});

test('an answer starts the count anew', async () => {
  const answers = (number: number, heartbeat: Heartbeat) => {
    if (number === 1) heartbeat.ready();
    if (number <= 20) heartbeat.answered();
  };
  expect(await pingsUntilMissed(answers)).toBe(26);
});

test('a worker that has ended is not pinged any more', async () => {
  const ended = new AbortController();
  let pings = 0;
  const ping = () => {
    pings += 1;
    if (pings === 2) ended.abort();
  };
  expect(await new Heartbeat().isMissed(ping, 0, ended.signal)).toBe(false);
  expect(pings).toBe(2);
});
