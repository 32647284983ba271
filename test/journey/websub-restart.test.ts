// Pending requests and deliveries are in the store, and the next server continues with them.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { HubProcess } from '../support/hub.ts';
import { until } from '../support/patience.ts';
import { merge, record } from '../support/store.ts';
import { confirm, hang, status, type Subscriber } from '../support/subscriber.ts';

let hub: HubProcess;
let subscriber: Subscriber;
let callback: string;
beforeAll(async () => {
  hub = await HubProcess.open({
    HUB_TIMEOUT_SECONDS: '60',
    HUB_RETRY_DELAYS_SECONDS: '3600,0',
  });
});
beforeEach(async () => {
  subscriber = await hub.subscriber();
  callback = subscriber.url();
});
afterEach(() => hub.reset());
afterAll(() => hub.close());

const lastBody = () => subscriber.delivered.at(-1)?.body.toString() ?? '';

test('P7: changes imported while no server ran are delivered at the next start', async () => {
  await hub.subscribe(callback);
  expect(await hub.server.stop()).toBe(0);
  const file = await hub.workplace.write('a.json', [record({ text: 'Imported meanwhile.' })]);
  expect((await hub.workplace.importHere(file)).stderr).toBe('');
  await hub.start();
  await subscriber.waitFor('POST', 1);
  expect(lastBody()).toContain('Imported meanwhile.');
});

test('P7: merged but unpublished changes are published and delivered at the next start', async () => {
  await hub.subscribe(callback);
  await hub.server.kill();
  await merge(hub.database, [record({ date: '2024-06-01', text: 'Merged and left.' })]);
  await hub.start();
  await subscriber.waitFor('POST', 1);
  expect(lastBody()).toContain('Merged and left.');
});

test('a change within its coalescing window when the server is killed is delivered once', async () => {
  await hub.server.kill();
  await hub.start({ HUB_COALESCE_SECONDS: '3600' });
  await hub.subscribe(callback);
  await hub.publish({ source_id: 'coalesced', date: '2024-01-01', text: 'The newest.' });
  await hub.server.kill();
  expect(subscriber.delivered).toEqual([]);
  await hub.start();
  await subscriber.waitFor('POST', 1);
  expect(lastBody()).toContain('The newest.');
  await hub.change();
  await subscriber.waitFor('POST', 2);
  expect(subscriber.delivered).toHaveLength(2);
});

test('a pending request is verified at the next start', async () => {
  subscriber.onGet = hang;
  const topic = 'https://reviews.example/feed.xml';
  const fields = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': callback };
  await hub.ask(fields);
  await subscriber.waitFor('GET', 1);
  await hub.server.kill();
  subscriber.onGet = confirm;
  // As if the claim had expired.
  await hub.database.write((transaction) =>
    transaction.updateTable('intents').set({ claimed_until: 0 }).execute(),
  );
  await hub.start();
  await until(async () => (await hub.stored(callback)) !== undefined);
  expect(subscriber.asked).toHaveLength(2);
});

test('retries continue with their count and remaining wait', async () => {
  await hub.subscribe(callback);
  subscriber.onPost = status(500);
  await hub.change();
  await until(async () => (await hub.stored(callback))?.failures === 1);
  const before = await hub.stored(callback);
  expect(await hub.server.stop()).toBe(0);
  expect(await hub.stored(callback)).toEqual(before);
  await hub.start();
  // The dispatcher does all that is due in the turn in which it verifies a request.
  const witness = await hub.subscriber();
  for (const target of ['/1', '/2']) await hub.subscribe(witness.url(target));
  expect(subscriber.delivered).toHaveLength(1);
  // As if the wait had ended.
  await hub.database.write((transaction) =>
    transaction.updateTable('subscriptions').set({ retry_at: 0 }).execute(),
  );
  await subscriber.waitFor('POST', 2);
  await until(() => hub.logged('delivery').length > 0);
  expect(hub.logged('delivery')[0]).toMatchObject({ try: 2, reason: 'answered 500' });
  await until(async () => (await hub.stored(callback)) === undefined);
  expect(subscriber.delivered).toHaveLength(3);
});

test('SIGTERM waits for deliveries in flight and records them, so none is repeated', async () => {
  await hub.subscribe(callback);
  let answer = () => {};
  subscriber.onPost = (_received, response) => (answer = () => response.end());
  await hub.change();
  await subscriber.waitFor('POST', 1);
  const ended = hub.server.stop();
  await until(() => hub.server.log.includes('closing'));
  answer();
  expect(await ended).toBe(0);
  expect(await hub.stored(callback)).toMatchObject({ claimed_by: null, failures: 0 });
  subscriber.onPost = status(200);
  await hub.start();
  await hub.change({ text: 'After the restart.' });
  await subscriber.waitFor('POST', 2);
  expect(lastBody()).toContain('After the restart.');
  expect(subscriber.delivered).toHaveLength(2);
});
