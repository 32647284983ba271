// A publish that is killed with SIGKILL at one of its writes. test/long/log-kill.test.ts kills it at every write, on
// both databases.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutsOf, PendingPublish } from '../support/kill-publish.ts';
import { randomFrom } from '../support/random.ts';

let pending: PendingPublish;
let writes: string[];
beforeAll(async () => {
  pending = await PendingPublish.create({ isLater: true, hasKeyFile: false });
  writes = await pending.writes();
});
afterAll(() => pending.close());

/** The numbers of the commit of the last transaction that writes to a table, and of the write after it. */
function aroundCommitOf(write: string): number[] {
  expect(writes).toContain(write);
  const commit = writes.indexOf('commit', writes.lastIndexOf(write)) + 1;
  return [commit, commit + 1];
}

test('a publish killed at a write leaves a log and a snapshot that agree', async () => {
  expect(writes.filter((write) => write === 'commit').length).toBeGreaterThan(20);
  const random = randomFrom(Date.now());
  const anyWrite = () => 1 + Math.floor(random() * writes.length);
  const chosen = new Set([
    1,
    ...aroundCommitOf('insert log_reviews'),
    ...aroundCommitOf('insert secrets'),
    ...aroundCommitOf('insert snapshots'),
    ...aroundCommitOf('update state'),
    anyWrite(),
    anyWrite(),
    writes.length,
  ]);
  await pending.killAll(chosen, writes);
});

test('so does one that is killed while SQLite writes its write-ahead log', async () => {
  const log = await pending.writeAheadLog();
  const cuts = cutsOf(log);
  expect(cuts.length).toBeGreaterThan(100);
  for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    await pending.cut(log, cuts[Math.floor(part * cuts.length)] as number);
  }
});
