// A thousand subscribers at once, in the numbers and limits that the program has by itself.

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

test('a thousand requests at once are a thousand subscriptions, which all get the next change', async () => {
  await deliverToMany(hub, 1_000);
});

test('of a thousand subscribers those that hang or refuse hold up none of the others', async () => {
  await deliverBesideFailing(hub, 1_000);
});
