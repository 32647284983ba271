// Notifications, also after the connection was lost or hung.

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import type { Listener, StoreNotification } from '../../src/store/engine.ts';
import { requestPublish } from '../../src/store/state.ts';
import { until } from '../support/patience.ts';
import { StallingProxy } from '../support/proxy.ts';
import { merge, record, TestStore } from '../support/store.ts';
import { save } from '../support/subscriptions.ts';
import { Database as OpenDatabase } from '../../src/store/database.ts';

let store: TestStore;
let proxy: StallingProxy;
let writer: Database;
let receiver: Database;
let listener: Listener;
let received: (StoreNotification | null)[];
beforeEach(async () => {
  store = await TestStore.create();
  writer = await store.open();
  proxy = await StallingProxy.open(Number(new URL(inject('postgresUrl')).port));
  const through = new URL(store.url);
  through.port = String(proxy.port);
  receiver = await OpenDatabase.open(through.href, 'server');
  received = [];
  listener = receiver.listen((notification) => received.push(notification));
  await until(() => listener.isConnected);
});
afterEach(async () => {
  await listener.close();
  await receiver.close();
  await proxy.close();
  await store.close();
});

test('an import, a hub request and a requested publish notify listeners', async () => {
  expect(received).toEqual([null]);
  await merge(writer, [record()]);
  await until(() => received.length === 2);
  await save(writer);
  await until(() => received.length === 3);
  await requestPublish(writer);
  await until(() => received.length === 4);
  expect(received).toEqual([null, 'state', 'requests', 'state']);
});

test('a rolled back transaction notifies nobody', async () => {
  await merge(writer, [record()], { dryRun: true });
  await expect(
    writer.write(() => Promise.reject(new Error('thrown')), { notifies: 'state' }),
  ).rejects.toThrow('thrown');
  await save(writer);
  await until(() => received.length > 1);
  expect(received).toEqual([null, 'requests']);
});

test('a lost connection is reconnected, and the listener is notified that it may have missed some', async () => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen %'`.execute(writer.read);
  await until(() => received.length === 2);
  await requestPublish(writer);
  await until(() => received.length === 3);
  expect(received).toEqual([null, null, 'state']);
});

test('a connection that hangs is closed within seconds and reconnected when possible', async () => {
  proxy.stall();
  await until(() => !listener.isConnected);
  proxy.resume();
  await until(() => listener.isConnected);
  received.length = 0;
  await requestPublish(writer);
  await until(() => received.length > 0);
  expect(received).toEqual(['state']);
});

test('closing does not wait for a connection that hangs', async () => {
  proxy.stall();
  await listener.close();
  expect(listener.isConnected).toBe(false);
});
