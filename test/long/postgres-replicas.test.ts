// Three servers of one PostgreSQL, of which one is killed and started again while reviews are imported.

import { afterEach, test } from 'vitest';
import type { HubProcess } from '../support/hub.ts';
import { importBesideKills, openReplicatedHub } from '../support/replicas.ts';

let hub: HubProcess;
afterEach(() => hub.close());

test('50 imports reach every reader and subscriber while one of three servers is killed and started', async () => {
  hub = await openReplicatedHub();
  await importBesideKills(hub, { imports: 50, killEvery: 8, subscribers: 48 });
});
