// Connections that hang, and crowds that wait for one. All tests run at once, as they wait for limits of
// the program.

import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { loadState, requestPublish } from '../../src/store/snapshots.ts';
import { holding } from '../support/holding.ts';
import { StallingProxy } from '../support/proxy.ts';
import { TestStore, until } from '../support/store.ts';

type Finish = typeof onTestFinished;

async function openStore(finish: Finish): Promise<TestStore> {
  const store = await TestStore.create();
  finish(() => store.close());
  return store;
}

/** A store, opened directly and through a proxy that can stall. */
async function openThroughProxy(finish: Finish) {
  const store = await openStore(finish);
  const proxy = await StallingProxy.open(Number(new URL(inject('postgresUrl')).port));
  finish(() => proxy.close());
  const through = new URL(store.url);
  through.port = String(proxy.port);
  const hanging = await Database.open(through.href, 'server');
  return { database: await store.open(), hanging, proxy };
}

describe.concurrent('a connection that hangs', () => {
  test('fails what waits for it, and the next ones are new', async ({ onTestFinished: finish }) => {
    const { database, hanging, proxy } = await openThroughProxy(finish);
    await requestPublish(hanging);
    proxy.stall();
    await expect(loadState(hanging.read)).rejects.toThrow('no answer within 11 s');
    // In a transaction its rollback does not hang too.
    const writing = requestPublish(hanging);
    await expect(writing).rejects.toThrow('timeout');
    proxy.resume();
    await until(() => requestPublish(hanging).then(() => true));
    expect((await loadState(database.read)).contentVersion).toBeGreaterThanOrEqual(3);
    await hanging.close();
  });

  test('fails a transaction with what happened', async ({ onTestFinished: finish }) => {
    const { database, hanging, proxy } = await openThroughProxy(finish);
    await expect(
      hanging.write(async (transaction) => {
        await transaction.updateTable('state').set({ content_version: 99 }).execute();
        proxy.stall();
        await loadState(transaction);
      }),
    ).rejects.toThrow('no answer within 11 s');
    proxy.resume();
    expect((await loadState(database.read)).contentVersion).toBe(1);
    await hanging.close();
  });

  test('fails a stream with what happened', async ({ onTestFinished: finish }) => {
    const { hanging, proxy } = await openThroughProxy(finish);
    const stream = sql<{ n: number }>`(select * from generate_series(1, 100000) as n)`;
    const read = hanging.readConsistently(async (transaction) => {
      const rows = transaction
        .selectFrom(stream.as('numbers') as never)
        .selectAll()
        .stream(10);
      for await (const _ of rows) proxy.stall();
    });
    await expect(read).rejects.toThrow('no answer within 11 s');
    await hanging.close();
  });

  test('does not hang whoever closes the database', async ({ onTestFinished: finish }) => {
    const { hanging, proxy } = await openThroughProxy(finish);
    await loadState(hanging.read);
    proxy.stall();
    await hanging.close();
  });

  test('does not matter to a crowd that waits longer than a connection may take', async ({
    onTestFinished: finish,
  }) => {
    const store = await openStore(finish);
    const crowded = await Database.open(store.url, 'server');
    const { on, isDone, commit } = holding(crowded);
    const held = Array.from({ length: 5 }, (_, turn) =>
      on.write((transaction) => transaction.selectFrom('state').selectAll().execute(), {
        lock: { exclusive: `place ${turn}` },
      }),
    );
    await isDone;
    const others = Array.from({ length: 50 }, () => loadState(crowded.read));
    // Longer than the limit for a connection: what is waited for here is its time itself.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    commit();
    await Promise.all(held);
    expect(await Promise.all(others)).toHaveLength(50);
    await crowded.close();
  });
});
