// Many subscribers at once, some of which do not respond. With a thousand of them:
// test/long/websub-many.test.ts.

import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { deliverBesideFailing, deliverToMany } from '../support/fan-out.ts';
import { LocalHub } from '../support/local-hub.ts';

let hub: LocalHub;
beforeAll(async () => {
  hub = await LocalHub.open({
    HUB_CONCURRENCY: '16',
    HUB_CONCURRENCY_PER_HOST: '4',
    HUB_MAX_SUBSCRIPTIONS_PER_HOST: '0',
    HUB_RETRY_DELAYS_SECONDS: '60,1800',
  });
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

test('concurrent requests result in as many subscriptions, which all get the next change', async () => {
  await deliverToMany(hub, 100);
});

test('subscribers that hang or refuse connections do not delay the others', async () => {
  await deliverBesideFailing(hub, 100);
});
