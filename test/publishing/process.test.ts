// The publish process: how it ends, and what the next one has to do.

import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing, loadState } from '../../src/store/snapshots.ts';
import { publishPending } from '../../src/publishing/publish-pending.ts';
import { loadInThread } from '../../src/publishing/task-threads.ts';
import { PublishSwitch } from '../support/break-publish.ts';
import { finish } from '../support/process.ts';
import { merge, record, TestStore, until } from '../support/store.ts';

const PUBLISH_PENDING = fileURLToPath(new URL('../support/publish-pending.ts', import.meta.url));
const PUBLISHING = { publisherId: 'p', defaultOrigin: 'https://reviews.example' };

let store: TestStore;
let database: Database;
/** The processes that were started, in order. */
let children: ChildProcess[];
const remember = (message: unknown) => {
  children.push((message as { process: ChildProcess }).process);
};
beforeEach(async () => {
  children = [];
  subscribe('child_process', remember);
  store = await TestStore.create();
  database = await store.open();
});
afterEach(async () => {
  unsubscribe('child_process', remember);
  vi.unstubAllEnvs();
  await store.close();
});

/** Merges many times more reviews than are analysed before the first analyses are stored. */
async function mergeMany(): Promise<number> {
  const records = Array.from({ length: 8_000 }, (_, number) =>
    record({ source_id: `${number}`, text: `Visit ${number}. Came on time and fixed the boiler.` }),
  );
  await merge(database, records);
  return records.length;
}

/** Waits until some reviews are analysed; most are not. */
async function untilUnderWay(): Promise<void> {
  const analysed = () => database.read.selectFrom('analyses').select('key').limit(1).execute();
  await until(async () => (await analysed()).length > 0);
}

const publishAll = (signal?: AbortSignal) =>
  publishPending(database, store.url, PUBLISHING, signal ? { signal } : {});
const publishedVersion = async () => (await loadState(database.read)).publishedVersion;
const claimedUntilMs = async () => {
  const { read } = database;
  const state = await read.selectFrom('state').selectAll().executeTakeFirstOrThrow();
  return state.publisher_until;
};
const publishedCount = async () => {
  const loaded = await loadInThread(store.url);
  return loaded && new Snapshot(loaded).reviewCount;
};

test('is a child process, which has ended when the publish is done', async () => {
  await merge(database, [record()]);
  expect(await publishAll()).toBe(true);
  expect(children.map(({ exitCode }) => exitCode)).toEqual([0]);
});

test('is not started if nothing is pending', async () => {
  await publishAll();
  await publishAll();
  expect(children).toHaveLength(1);
});

test('is not started while another process publishes', async () => {
  const now = Date.now();
  await claimPublishing(database, 'other', now, now + 60_000);
  expect(await publishAll()).toBe(false);
  expect(children).toEqual([]);
});

test('a kill is an error, and the next process publishes', async () => {
  await merge(database, [record()]);
  const answer = expect(publishAll()).rejects.toThrow('the publish process ended with SIGKILL');
  await until(() => children[0]?.pid !== undefined);
  children[0]?.kill('SIGKILL');
  await answer;
  expect(await publishedVersion()).toBe(0);
  expect(await publishAll()).toBe(true);
  expect(await publishedCount()).toBe(1);
});

test('has ended when an aborted publish rejects, and leaves the publish pending', async () => {
  await mergeMany();
  const stop = new AbortController();
  const answer = expect(publishAll(stop.signal)).rejects.toThrow();
  await untilUnderWay();
  stop.abort();
  await answer;
  expect(children.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
  expect(await publishedVersion()).toBe(0);
});

test('ends when its parent is killed', async () => {
  const count = await mergeMany();
  const parent = spawn(process.execPath, [PUBLISH_PENDING, store.url], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The publish process inherits stderr, which is closed when both have ended.
  const bothEnded = finish(parent);
  await Promise.race([untilUnderWay(), bothEnded]);
  expect(parent.exitCode).toBe(null);
  parent.kill('SIGKILL');
  await bothEnded;
  expect(await publishedVersion()).toBe(0);
  // Possible when the claim has run out.
  await until(() => publishAll());
  expect(await publishedCount()).toBe(count);
});

test('keeps its claim for as long as it runs', async () => {
  await mergeMany();
  const publishing = publishAll();
  await untilUnderWay();
  children[0]?.kill('SIGSTOP');
  try {
    const first = await claimedUntilMs();
    await until(async () => (await claimedUntilMs()) > first);
  } finally {
    children[0]?.kill('SIGCONT');
  }
  expect(await publishing).toBe(true);
});

test('is killed when it hangs, and the next publishes', async () => {
  await merge(database, [record()]);
  const publishSwitch = new PublishSwitch(store.folder);
  for (const [name, value] of Object.entries(publishSwitch.environment)) vi.stubEnv(name, value);
  await publishSwitch.break('hang');
  await expect(
    publishPending(database, store.url, PUBLISHING, { stallLimitMs: 2_000 }),
  ).rejects.toThrow(/^.+ made no progress for 2 s and was stopped$/);
  expect(children.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
  await publishSwitch.mend();
  expect(await publishAll()).toBe(true);
});

test('rejects with the error that made the publish fail', async () => {
  await merge(database, [record()]);
  const publishSwitch = new PublishSwitch(store.folder);
  for (const [name, value] of Object.entries(publishSwitch.environment)) vi.stubEnv(name, value);
  await publishSwitch.break('throw');
  await expect(publishAll()).rejects.toMatchObject({
    name: 'PublishError',
    message: 'deriving the insights failed: TypeError: no sum',
    stack: expect.stringContaining('publish.ts'),
  });
});

test('ignores signals that a terminal or a service manager sends to all processes', async () => {
  const count = await mergeMany();
  const answer = publishAll();
  await untilUnderWay();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) children[0]?.kill(signal);
  expect(await answer).toBe(true);
  expect(await publishedCount()).toBe(count);
});
