// A server is killed repeatedly during a large fan-out.

import { afterEach, test } from 'vitest';
import { killDuringFanOut, KILL_SETTINGS, seedOf } from '../support/fan-out.ts';
import { HubProcess } from '../support/hub.ts';

let hub: HubProcess;
afterEach(() => hub.close());

test('a server killed ten times during a fan-out delivers to all subscribers, and to none too often', async () => {
  hub = await HubProcess.open(KILL_SETTINGS);
  await killDuringFanOut(hub, { count: 2_000, kills: 10, seed: seedOf() });
});
