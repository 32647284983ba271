// A publish that is killed with SIGKILL at every one of its writes: statements, commits, and those to the file with the
// keys. test/publishing/log-kill.test.ts has a choice of them.

import { afterEach, expect, test } from 'vitest';
import { PendingPublish, type Scenario } from '../support/kill-publish.ts';

let pending: PendingPublish;
afterEach(() => pending.close());

test.each([
  { isLater: false, hasKeyFile: false },
  { isLater: false, hasKeyFile: true },
  { isLater: true, hasKeyFile: false },
  { isLater: true, hasKeyFile: true },
] satisfies Scenario[])('killed at every write: %j', async (scenario) => {
  pending = await PendingPublish.create(scenario);
  const writes = await pending.writes();
  expect(writes.length).toBeGreaterThan(40);
  await pending.killAll(
    writes.map((_, index) => index + 1),
    writes,
  );
  console.info(`killed at ${writes.length} writes`);
});
