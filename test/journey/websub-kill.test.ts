// A server that is killed during a fan-out: nothing is lost, and nothing is repeated but what was under way.
// With many more kills: test/long/websub-kill.test.ts.

import { afterEach, test } from 'vitest';
import { killDuringFanOut, KILL_SETTINGS, seedOf } from '../support/fan-out.ts';
import { HubProcess } from '../support/hub.ts';

let hub: HubProcess;
afterEach(() => hub.close());

test('a server killed during a fan-out has delivered to all in the end, and to none too often', async () => {
  hub = await HubProcess.open(KILL_SETTINGS);
  await killDuringFanOut(hub, { count: 150, kills: 2, seed: seedOf() });
});
