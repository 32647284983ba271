// A publish that ends at one of its writes: what its files have then, and a SIGKILL. test/long/log-kill.test.ts kills it
// at every write, on both databases.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutsOf, PendingPublish } from '../support/kill-publish.ts';
import { randomFrom } from '../support/random.ts';

let pending: PendingPublish;
beforeAll(async () => {
  pending = await PendingPublish.create({ isLater: true, hasKeyFile: false });
});
afterAll(() => pending.close());

/** The numbers of the commit of the last transaction that writes to a table, and of the write after it. */
function aroundCommitOf(write: string, writes: readonly string[]): number[] {
  expect(writes).toContain(write);
  const commit = writes.indexOf('commit', writes.lastIndexOf(write)) + 1;
  return [commit, commit + 1];
}

test('a publish that ends at a write leaves a log and a snapshot that agree', async () => {
  const random = randomFrom(Date.now());
  const writes = await pending.checkBefore((all) => {
    const anyWrite = () => 1 + Math.floor(random() * all.length);
    return new Set([
      1,
      ...aroundCommitOf('insert log_reviews', all),
      ...aroundCommitOf('insert secrets', all),
      ...aroundCommitOf('insert snapshots', all),
      ...aroundCommitOf('update state', all),
      anyWrite(),
      anyWrite(),
      all.length,
    ]);
  });
  expect(writes.filter((write) => write === 'commit').length).toBeGreaterThan(20);
  // The kill itself: before and after the commit that publishes.
  await pending.killAll(aroundCommitOf('insert snapshots', writes), writes);
});

test('so does one that is killed while SQLite writes its write-ahead log', async () => {
  const log = await pending.writeAheadLog();
  const cuts = cutsOf(log);
  expect(cuts.length).toBeGreaterThan(100);
  for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    await pending.cut(log, cuts[Math.floor(part * cuts.length)] as number);
  }
});
