// The publish process: how it ends, and what the next one has to do.

import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadSnapshot } from '../../src/publishing/load.ts';
import { WaitingChild } from '../../src/model/child-process.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing } from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';
import { publishPending } from '../../src/publishing/run/2-claim.ts';
import { PublishSwitch } from '../support/break-publish.ts';
import { until } from '../support/patience.ts';
import { finish } from '../support/process.ts';
import { publishHere } from '../support/publish.ts';
import { merge, record, TestStore } from '../support/store.ts';

const PUBLISH_PENDING = fileURLToPath(new URL('../support/publish-pending.ts', import.meta.url));
const PUBLISHING = { publisherId: 'p', defaultOrigin: 'https://reviews.example' };

let store: TestStore;
let database: Database;
/** The processes that were started, in order. */
let children: ChildProcess[];
let publishSwitch: PublishSwitch;
const remember = (message: unknown) => {
  children.push((message as { process: ChildProcess }).process);
};
beforeEach(async () => {
  children = [];
  subscribe('child_process', remember);
  store = await TestStore.create();
  database = await store.open();
  publishSwitch = new PublishSwitch(store.folder);
});
afterEach(async () => {
  unsubscribe('child_process', remember);
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await store.close();
});

const publishAll = (signal?: AbortSignal) =>
  publishPending(database, store.url, PUBLISHING, signal ? { signal } : {});

/** What the next process does, in the process of the test. */
const publishNext = () => publishHere(database, store.url, PUBLISHING);

/** Breaks the publishes of the processes that are started from now on. */
async function breakPublishes(how: Parameters<PublishSwitch['break']>[0]): Promise<void> {
  for (const [name, value] of Object.entries(publishSwitch.environment)) vi.stubEnv(name, value);
  await publishSwitch.break(how);
}

test('a publish process that is stopped is killed, and the next one publishes', async () => {
  await merge(database, [record()]);
  // It cannot end before it is stopped.
  await breakPublishes('wait');
  const publishing = publishPending(database, store.url, PUBLISHING, {
    silence: { maxIntervals: 50, intervalMs: 20 },
  });
  await until(() => children.length > 0);
  children[0]!.kill('SIGSTOP');
  await expect(publishing).rejects.toThrow(/ made no progress for 1 s and was stopped$/);
  expect(children[0]!.signalCode).toBe('SIGKILL');
  expect(await publishNext()).toBe(true);
});

const publishedVersion = async () => (await loadState(database.read)).publishedVersion;
const claimedUntilMs = async () => {
  const { read } = database;
  const state = await read.selectFrom('state').selectAll().executeTakeFirstOrThrow();
  return state.publisher_until;
};
const publishedCount = async () => {
  const loaded = await loadSnapshot(store.url);
  return loaded && new Snapshot(loaded).reviewCount;
};

test('is not started if nothing is pending', async () => {
  await publishNext();
  expect(await publishAll()).toBe(true);
  expect(children).toEqual([]);
});

test('is not started while another process publishes', async () => {
  const now = Date.now();
  await claimPublishing(database, 'other', now, now + 60_000);
  expect(await publishAll()).toBe(false);
  expect(children).toEqual([]);
});

describe('a process that may wait', () => {
  const change = (n: number) => merge(database, [record({ text: `Fixed it ${n} times.` })]);
  const publishWaiting = async (waiting: WaitingChild, signal: AbortSignal) => {
    expect(await publishPending(database, store.url, PUBLISHING, { waiting, signal })).toBe(true);
  };

  test('publishes the next change too, ends with its parent, and is replaced when it was killed', async () => {
    // However large a process is here.
    const waiting = new WaitingChild(Number.MAX_SAFE_INTEGER);
    const stop = new AbortController();
    await change(1);
    await publishWaiting(waiting, stop.signal);
    await change(2);
    await publishWaiting(waiting, stop.signal);
    expect(children).toHaveLength(1);
    children[0]!.kill('SIGKILL');
    await change(3);
    await publishWaiting(waiting, stop.signal);
    expect(children).toHaveLength(2);
    const ended = once(children[1]!, 'close');
    stop.abort();
    await ended;
    expect(children[1]!.signalCode).toBe('SIGKILL');
  });

  test('ends at once if it has become large', async () => {
    await change(1);
    await publishWaiting(new WaitingChild(1), new AbortController().signal);
    expect(children.map(({ exitCode }) => exitCode)).toEqual([0]);
  });
});

test('has ended when an aborted publish rejects, and leaves the publish pending', async () => {
  await merge(database, [record()]);
  await breakPublishes('wait');
  const stop = new AbortController();
  const answer = expect(publishAll(stop.signal)).rejects.toThrow();
  await publishSwitch.reached();
  stop.abort();
  await answer;
  expect(children.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
  expect(await publishedVersion()).toBe(0);
});

test('ends when its parent is killed', async () => {
  await merge(database, [record()]);
  await breakPublishes('wait');
  const parent = spawn(process.execPath, [PUBLISH_PENDING, store.url], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The publish process inherits stderr, which is closed when both have ended.
  const bothEnded = finish(parent);
  await Promise.race([publishSwitch.reached(), bothEnded]);
  expect(parent.exitCode).toBe(null);
  parent.kill('SIGKILL');
  await bothEnded;
  expect(await publishedVersion()).toBe(0);
  await publishSwitch.mend();
  // As if the claim had run out.
  await database.write((transaction) =>
    transaction.updateTable('state').set({ publisher_until: 0 }).execute(),
  );
  expect(await publishNext()).toBe(true);
  expect(await publishedCount()).toBe(1);
});

test('keeps its claim for as long as it runs', async () => {
  await merge(database, [record()]);
  await breakPublishes('wait');
  const publishing = publishAll();
  await publishSwitch.reached();
  const first = await claimedUntilMs();
  await until(async () => (await claimedUntilMs()) > first);
  await publishSwitch.mend();
  expect(await publishing).toBe(true);
});

test('is killed when it hangs, and the next publishes', async () => {
  await merge(database, [record()]);
  await breakPublishes('hang');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const publishing = expect(publishAll()).rejects.toThrow(
    'deriving the insights made no progress for 1800 s and was stopped',
  );
  await publishSwitch.reached();
  vi.advanceTimersByTime(30 * 60_000);
  await publishing;
  expect(children.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
  await publishSwitch.mend();
  expect(await publishNext()).toBe(true);
});

test('rejects with the error that made the publish fail', async () => {
  await merge(database, [record()]);
  await breakPublishes('throw');
  await expect(publishAll()).rejects.toMatchObject({
    name: 'PublishError',
    message: 'deriving the insights failed: TypeError: no sum',
    stack: expect.stringContaining('publish.ts'),
  });
});

test('ignores signals that a terminal or a service manager sends to all processes', async () => {
  await merge(database, [record()]);
  await breakPublishes('wait');
  const answer = publishAll();
  await publishSwitch.reached();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) children[0]?.kill(signal);
  await publishSwitch.mend();
  expect(await answer).toBe(true);
  expect(children.map(({ exitCode }) => exitCode)).toEqual([0]);
  expect(await publishedCount()).toBe(1);
});
