// A publish that is killed at every write of SQLite to its write-ahead log: within and after each frame.

import { afterEach, expect, test } from 'vitest';
import { cutsOf, PendingPublish } from '../support/kill-publish.ts';

let pending: PendingPublish;
afterEach(() => pending.close());

test.each([false, true])('after another publish: %j', async (isLater) => {
  pending = await PendingPublish.create({ isLater, hasKeyFile: false });
  const log = await pending.writeAheadLog();
  const cuts = cutsOf(log);
  expect(cuts.length).toBeGreaterThan(100);
  for (const bytes of cuts) await pending.cut(log, bytes);
  console.info(`cut at ${cuts.length} places`);
});
