// Faults of the store under a running server: readers are served throughout, operators get one line, and
// the server recovers by itself.

import { copyFile, rename, rm, truncate } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkStore } from '../../src/commands/doctor/database.ts';
import { parseConfig } from '../../src/config.ts';
import { Database } from '../../src/store/database.ts';
import {
  FaultStore,
  ORIGIN,
  publishHere,
  recordsOf,
  STORED,
  named,
} from '../support/fault-store.ts';
import { LocalServer } from '../support/local-server.ts';
import { until } from '../support/patience.ts';
import { merge, storedReviews } from '../support/store.ts';

let store: FaultStore;
let path: string;
let server: LocalServer;
let servers: LocalServer[];
beforeAll(async () => {
  store = await FaultStore.create();
});
beforeEach(async () => {
  path = await store.copy();
  servers = [];
  server = await startServer();
});
afterEach(() => Promise.all(servers.map((each) => each.close())));
afterAll(() => store.remove());

async function startServer(): Promise<LocalServer> {
  const started = await LocalServer.start({
    DATABASE_URL: `sqlite:${path}`,
    BASE_URL: ORIGIN,
    // Nothing listens there.
    HUB_ALLOW_NETWORKS: '127.0.0.0/8',
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  servers.push(started);
  return started;
}

async function restartServer(): Promise<void> {
  await server.close();
  server = await startServer();
}

/** Asks the hub for a subscription; each time another one. */
let requests = 0;
async function subscribe(at: LocalServer = server): Promise<number> {
  requests += 1;
  const answer = await fetch(`${at.url}/api/websub/hub`, {
    method: 'POST',
    body: new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.topic': `${ORIGIN}/feed.xml`,
      'hub.callback': `https://127.0.0.1:4443/${requests}`,
    }),
  });
  await answer.arrayBuffer();
  if (answer.status === 503) expect(answer.headers.get('retry-after')).toBe('60');
  return answer.status;
}

async function expectReaders(count = STORED): Promise<void> {
  expect((await server.json('/reviews.json')).reviews).toHaveLength(count);
  expect(await server.json('/api/reviews/search?query=boiler')).toMatchObject({ matched: count });
  expect((await server.get('/healthz')).status).toBe(200);
}

async function importAndPublish(count: number): Promise<void> {
  const database = await Database.open(`sqlite:${path}`);
  await merge(database, recordsOf(count));
  await publishHere(database);
  await database.close();
}

const served = (count: number) =>
  server.until('/reviews.json', ({ reviews }) => reviews.length === count);

interface StoreFault {
  readonly fault: string;
  readonly happens: () => Promise<void>;
  /** What /readyz says of the store. */
  readonly detail: RegExp;
  /** Undoes the fault; without it the operator restores a backup. */
  readonly mend?: () => Promise<void>;
}

const FAULTS: readonly StoreFault[] = [
  {
    fault: 'the database file is renamed',
    happens: () => rename(path, `${path}.away`),
    detail: /^the database file .+\.db was removed or replaced while in use;.* put it back, or/,
    mend: () => rename(`${path}.away`, path),
  },
  {
    fault: 'the database file is replaced by a copy',
    happens: async () => {
      await rename(path, `${path}.away`);
      await copyFile(`${path}.away`, path);
    },
    detail: /^the database file .+\.db was removed or replaced while in use;/,
    mend: () => rename(`${path}.away`, path),
  },
  {
    fault: 'the write-ahead log is removed',
    happens: () => rename(`${path}-wal`, `${path}-wal.away`),
    detail: /^the database file .+\.db-wal was removed or replaced while .+: restart the server$/,
    mend: restartServer,
  },
  {
    fault: 'the index of the write-ahead log is removed',
    happens: () => rename(`${path}-shm`, `${path}-shm.away`),
    detail: /^the database file .+\.db-shm was removed or replaced while .+: restart the server$/,
    mend: restartServer,
  },
  {
    fault: 'the database file is cut to nothing',
    happens: async () => {
      await copyFile(path, `${path}.good`);
      await truncate(path, 0);
      // What the server has cached of the file is outdated by this write of another program.
      const other = new DatabaseSync(path);
      try {
        other.exec('update state set example = 0');
      } catch {
        // The file is damaged for it too.
      }
      other.close();
    },
    detail: /./,
  },
];

test.each(named(FAULTS, ({ fault }) => fault))(
  '%s: readers are served, the hub answers 503, one line',
  async (_, row) => {
    await expectReaders();
    // The log exists from the first write on.
    expect(await subscribe()).toBe(202);
    await row.happens();
    const { store: health } = await server.until('/readyz', (body) => body.store.status !== 'ok');
    expect(health.detail).toMatch(row.detail);
    if (row.mend === restartServer) {
      // What looks like damage is none, and no other process may write beside the server.
      await expect(Database.open(`sqlite:${path}`)).rejects.toThrow(row.detail);
      const { findings } = await checkStore(parseConfig({ DATABASE_URL: `sqlite:${path}` }), 0);
      expect(findings.at(-1)?.action).toMatch(/^restart it: it has all/);
    }
    await expectReaders();
    expect(await subscribe()).toBe(503);
    await until(() => server.log.includes('the store failed; readers are served what is loaded'));
    if (row.mend) {
      await row.mend();
      await server.until('/readyz', (body) => body.store.status === 'ok');
    } else {
      await server.close();
      for (const end of ['-wal', '-shm']) await rm(path + end, { force: true });
      await copyFile(`${path}.good`, path);
      server = await startServer();
    }
    expect(await subscribe()).toBe(202);
    await importAndPublish(STORED + 5);
    await served(STORED + 5);
    const lines = server.log.split('\n').filter((line) => line.includes('the store failed'));
    expect(lines.length).toBeLessThanOrEqual(1);
  },
);

test('another process keeps the write lock: readers are served, and requests are accepted when it ends', async () => {
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const subscribed = subscribe();
  for (let reads = 0; reads < 20; reads++) await expectReaders();
  expect(await server.json('/readyz')).toMatchObject({ status: 'ready', store: { status: 'ok' } });
  other.exec('commit');
  other.close();
  expect(await subscribed).toBe(202);
});

test('two servers on one file: both serve what is imported, and one that is gone is not missed', async () => {
  const second = await startServer();
  expect([await subscribe(server), await subscribe(second)]).toEqual([202, 202]);
  await importAndPublish(STORED + 5);
  await served(STORED + 5);
  await second.until('/reviews.json', ({ reviews }) => reviews.length === STORED + 5);
  expect(await (await server.get('/feed.xml')).text()).toBe(
    await (await second.get('/feed.xml')).text(),
  );
  await second.close();
  await importAndPublish(STORED + 6);
  await served(STORED + 6);
  const database = await Database.open(`sqlite:${path}`);
  expect(await storedReviews(database)).toHaveLength(STORED + 6);
  await database.close();
});
