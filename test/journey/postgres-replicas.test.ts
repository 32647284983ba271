// Three servers on one PostgreSQL, one of which is killed and restarted while reviews are imported.

import { afterEach, test } from 'vitest';
import type { HubProcess } from '../support/hub.ts';
import { importBesideKills, openReplicatedHub } from '../support/replicas.ts';

let hub: HubProcess;
afterEach(() => hub.close());

test('4 imports reach all readers and subscribers while one of three servers is killed and restarted', async () => {
  hub = await openReplicatedHub();
  await importBesideKills(hub, { imports: 4, killEvery: 2, subscribers: 8 });
});
