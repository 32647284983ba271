// A server is killed during a fan-out: nothing is lost, and only deliveries in flight are repeated. With many
// more kills: test/long/websub-kill.test.ts.

import { afterEach, test } from 'vitest';
import { killDuringFanOut, KILL_SETTINGS, seedOf } from '../support/fan-out.ts';
import { HubProcess } from '../support/hub.ts';

let hub: HubProcess;
afterEach(() => hub.close());

test('a server killed during a fan-out delivers to all subscribers, and to none too often', async () => {
  hub = await HubProcess.open(KILL_SETTINGS);
  await killDuringFanOut(hub, { count: 150, kills: 2, seed: seedOf() });
});
