// A thousand subscribers at once, with the default limits of the program.

import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { deliverBesideFailing, deliverToMany } from '../support/fan-out.ts';
import { HubProcess } from '../support/hub.ts';

let hub: HubProcess;
beforeAll(async () => {
  hub = await HubProcess.open({
    HUB_MAX_SUBSCRIPTIONS_PER_HOST: '0',
    HUB_RETRY_DELAYS_SECONDS: '60,1800',
    HUB_TIMEOUT_SECONDS: '600',
  });
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

test('a thousand concurrent requests result in a thousand subscriptions, which all get the next change', async () => {
  await deliverToMany(hub, 1_000);
});

test('of a thousand subscribers, those that hang or refuse connections do not delay the others', async () => {
  await deliverBesideFailing(hub, 1_000);
});
