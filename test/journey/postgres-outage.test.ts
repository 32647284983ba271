// The database is unavailable, or its connections hang: reads are answered from memory, imports report what
// they did not do, and everything continues by itself when it is back. The tests run concurrently, because they wait
// for time limits of the program.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { HubProcess } from '../support/hub.ts';
import { createPostgresDatabase, type TestDatabase } from '../support/databases.ts';
import { until } from '../support/patience.ts';
import { startPostgres, type PostgresServer } from '../support/postgres.ts';
import { type Server, Workplace } from '../support/process.ts';
import { StallingProxy } from '../support/proxy.ts';
import { record } from '../support/store.ts';

/** A database on a server that the test can stop. */
function onlyDatabaseOf({ url }: PostgresServer): TestDatabase {
  return {
    url,
    copy: () => Promise.reject(new Error('nobody needs a copy')),
    settled: () => Promise.resolve(),
    remove: () => Promise.resolve(),
  };
}

/** The connections that listen for notifications. */
async function listeners(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_stat_activity
      where application_name = 'public-reviews listener' and query not ilike 'listen%'
      or application_name = 'public-reviews listener' and state = 'idle'`,
  );
  await client.end();
  return Number(rows[0]?.count);
}

const PATHS = ['/reviews.json', '/api/reviews/search?limit=3', '/readyz'];
/** How often each path is read while the database is unavailable. */
const READS = 20;
const READ_EVERY_MS = 200;
/** Changes while a server cannot hear of them. */
const MISSED = 4;

/** Reads all paths repeatedly until all servers have noticed that the database is unavailable. */
async function readUntilUnreachable(servers: readonly Server[]): Promise<void> {
  const isUnreachable = async (server: Server) =>
    (await server.json('/readyz')).store.status === 'unreachable';
  let reads = 0;
  await until(async () => {
    for (const server of servers) {
      for (const path of PATHS) {
        const response = await server.get(path);
        await response.arrayBuffer();
        expect([path, response.status]).toEqual([path, 200]);
      }
    }
    reads += 1;
    // The servers notice when a time limit ends, seconds later.
    await sleep(READ_EVERY_MS);
    return reads >= READS && (await Promise.all(servers.map(isUnreachable))).every(Boolean);
  });
}

test.concurrent('PostgreSQL is stopped and restarted', async ({ onTestFinished: finish }) => {
  const postgres = await startPostgres();
  finish(() => postgres.remove());
  const hub = await HubProcess.openIn(
    await Workplace.open(() => Promise.resolve(onlyDatabaseOf(postgres))),
    { LOG_LEVEL: 'warn', HUB_TIMEOUT_SECONDS: '60' },
  );
  finish(() => hub.close());
  const servers = [hub.server, await hub.replica()];
  const subscriber = await hub.subscriber();
  await hub.subscribe(subscriber.url());
  await until(async () => (await listeners(postgres.url)) === 2);

  await postgres.stop();
  const file = await hub.workplace.write('lost.json', [
    record({ source_id: 'lost', text: 'Lost?' }),
  ]);
  const importing = hub.workplace.run('import', file);
  await readUntilUnreachable(servers);
  const refused = await importing;
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^the database postgres at 127\.0\.0\.1 cannot be reached: .*ECONNREFUSED[^\n]*\n$/,
  );
  for (const server of servers) {
    const { status, store } = await server.json('/readyz');
    expect(status).toBe('ready');
    expect(store.status).toBe('unreachable');
    expect(store.detail).toContain('cannot be reached');
  }

  await postgres.start();
  for (const server of servers) {
    await server.until('/readyz', ({ store }) => store.status === 'ok');
  }
  await until(async () => (await listeners(postgres.url)) === 2);
  expect(await hub.workplace.run('import', file)).toMatchObject({ code: 0 });
  for (const server of servers) {
    await server.until('/api/reviews/search?query=Lost', ({ matched }) => matched === 1);
  }
  await until(() => subscriber.delivered.length > 0);
  await until(async () => (await hub.counts()).pending === 0);
  expect(subscriber.delivered).toHaveLength(1);
});

test.concurrent('a server whose connections hang keeps answering, and becomes current again afterwards', async ({
  onTestFinished: finish,
}) => {
  const database = await createPostgresDatabase();
  const proxy = await StallingProxy.open(Number(new URL(inject('postgresUrl')).port));
  finish(() => database.remove());
  finish(() => proxy.close());
  const hub = await HubProcess.openIn(await Workplace.open(() => Promise.resolve(database)), {
    LOG_LEVEL: 'warn',
    HUB_TIMEOUT_SECONDS: '60',
  });
  finish(() => hub.close());
  const through = new URL(database.url);
  through.port = String(proxy.port);
  const hanging = await hub.replica({ DATABASE_URL: through.href });

  proxy.stall();
  // Published over working connections.
  for (let turn = 1; turn <= MISSED; turn++) {
    await hub.publish({ source_id: `missed-${turn}`, text: `Missed ${turn}.` });
    await hub.server.until(
      `/api/reviews/search?query=Missed+${turn}.`,
      ({ matched }) => matched === 1,
    );
  }
  // It notices within the time limit of a statement.
  await readUntilUnreachable([hanging]);
  expect(await hanging.json('/api/reviews/search?query=Missed')).toMatchObject({ matched: 0 });

  proxy.resume();
  await hanging.until('/readyz', ({ store }) => store.status === 'ok');
  await hanging.until('/api/reviews/search?query=Missed', ({ matched }) => matched === MISSED);
  const numbers = await Promise.all(
    [hub.server, hanging].map(async (server) => (await server.json('/readyz')).snapshot as number),
  );
  expect(numbers[0]).toBe(numbers[1]);
});
