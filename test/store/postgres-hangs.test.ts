// Connections that hang, and many callers waiting for one. The tests run concurrently, because they wait
// for time limits of the program.

import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { loadState, requestPublish } from '../../src/store/state.ts';
import { holding } from '../support/holding.ts';
import { until } from '../support/patience.ts';
import { StallingProxy } from '../support/proxy.ts';
import { TestStore } from '../support/store.ts';

type Finish = typeof onTestFinished;

async function openStore(finish: Finish): Promise<TestStore> {
  const store = await TestStore.create();
  finish(() => store.close());
  return store;
}

/** Opens a store through a proxy that can stall. */
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
  test('fails its statement, and is replaced by a new one', async ({ onTestFinished: finish }) => {
    const { database, hanging, proxy } = await openThroughProxy(finish);
    await requestPublish(hanging);
    proxy.stall();
    await expect(loadState(hanging.read)).rejects.toThrow('no answer within 11 s');
    // In a transaction, its rollback must not hang too.
    const writing = requestPublish(hanging);
    await expect(writing).rejects.toThrow('timeout');
    proxy.resume();
    await until(() => requestPublish(hanging).then(() => true));
    expect((await loadState(database.read)).contentVersion).toBeGreaterThanOrEqual(3);
    await hanging.close();
  });

  test('fails a transaction with the reason', async ({ onTestFinished: finish }) => {
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

  test('fails a stream with the reason', async ({ onTestFinished: finish }) => {
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

  test('does not block closing the database', async ({ onTestFinished: finish }) => {
    const { hanging, proxy } = await openThroughProxy(finish);
    await loadState(hanging.read);
    proxy.stall();
    await hanging.close();
  });

  test('waiting for a free connection may take longer than connecting', async ({
    onTestFinished: finish,
  }) => {
    const store = await openStore(finish);
    const crowded = await Database.open(store.url, 'server');
    const { on, isDone, commit } = holding(crowded);
    const held = Array.from({ length: 5 }, (_, turn) =>
      on.write((transaction) => transaction.selectFrom('state').selectAll().execute(), {
        lock: { exclusive: `lock ${turn}` },
      }),
    );
    await isDone;
    const others = Array.from({ length: 50 }, () => loadState(crowded.read));
    // Longer than the time limit for connecting.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    commit();
    await Promise.all(held);
    expect(await Promise.all(others)).toHaveLength(50);
    await crowded.close();
  });
});
