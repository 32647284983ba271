// How often a pending publish is tried, and what is reported about it.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UnavailableError } from '../../src/errors.ts';
import type { PublishHealth } from '../../src/model/health.ts';
import { PublishAttempts } from '../../src/publishing/run/1-attempts.ts';
import type { Database } from '../../src/store/database.ts';
import { publishHere } from '../support/publish.ts';
import { merge, record, TestStore } from '../support/store.ts';

const publishPending = vi.fn(publishHere);

const FAILING = { status: 'failing', detail: 'no sum' };

let store: TestStore;
let database: Database;
let nowMs: number;
let health: PublishHealth | null;
let warnings: unknown[];
let failures: { retryInMs: number }[];
let stop: AbortController;
let attempts: PublishAttempts;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  await merge(database, [record()]);
  nowMs = 1_000;
  health = null;
  warnings = [];
  failures = [];
  stop = new AbortController();
  attempts = new PublishAttempts({
    database,
    databaseUrl: store.url,
    publish: publishPending,
    publishing: { publisherId: 'p', defaultOrigin: 'https://reviews.example' },
    logger: {
      warn: (message: string) => warnings.push(message),
      error: (about: { retryInMs: number }) => failures.push(about),
    } as never,
    onStages: () => undefined,
    onHealth: (each) => (health = each),
    elapsedMs: () => nowMs,
    signal: stop.signal,
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.resetAllMocks();
  await store.close();
});

const kindOfNext = async () => (await attempts.next()).kind;

test('what is pending is published, and nothing is done if nothing is', async () => {
  expect(await kindOfNext()).toBe('done');
  expect(await kindOfNext()).toBe('done');
  expect(publishPending).toHaveBeenCalledTimes(1);
  expect(health).toEqual({ status: 'ok', detail: null });
});

test('a publish that fails is logged each time, and tried again after 2 s, doubling to 5 min', async () => {
  publishPending.mockRejectedValue(new Error('no sum'));
  for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
    expect(await kindOfNext()).toBe('failed');
    expect(failures.at(-1)).toEqual({ err: new Error('no sum'), retryInMs: seconds * 1000 });
    const { length } = failures;
    nowMs += seconds * 1000 - 1;
    expect(await attempts.next()).toEqual({ kind: 'failed', error: new Error('no sum') });
    expect(failures).toHaveLength(length);
    nowMs += 1;
  }
  expect(publishPending).toHaveBeenCalledTimes(10);
  expect(health).toEqual(FAILING);
  publishPending.mockReset();
  expect(await kindOfNext()).toBe('done');
  expect(health).toEqual({ status: 'ok', detail: null });
});

test('an import ends the pause after a failure', async () => {
  publishPending.mockRejectedValue(new Error('no sum'));
  await attempts.next();
  nowMs += 2_000;
  await attempts.next();
  await attempts.next();
  expect(failures.map(({ retryInMs }) => retryInMs)).toEqual([2_000, 4_000]);
  await merge(database, [record({ source_id: 'another' })]);
  await attempts.next();
  expect(failures.map(({ retryInMs }) => retryInMs)).toEqual([2_000, 4_000, 2_000]);
});

test('a full disk is a failure of the publish while the store can be read', async () => {
  publishPending.mockRejectedValue(new UnavailableError('the disk is full'));
  expect(await kindOfNext()).toBe('failed');
  expect(health).toEqual({ status: 'failing', detail: 'the disk is full' });
});

test('a store that cannot be read is no failure of the publish', async () => {
  const away = new UnavailableError('cannot be reached');
  publishPending.mockImplementation(() => {
    vi.spyOn(database, 'read', 'get').mockImplementation(() => {
      throw away;
    });
    return Promise.reject(away);
  });
  await expect(attempts.next()).rejects.toBe(away);
  expect([health, failures]).toEqual([null, []]);
});

test('an abort is no failure of the publish', async () => {
  publishPending.mockImplementation(() => {
    stop.abort();
    return Promise.reject(new Error('aborted'));
  });
  await expect(attempts.next()).rejects.toThrow('aborted');
  expect([health, failures]).toEqual([null, []]);
});

test('changes that wait a minute for another process are logged, once', async () => {
  publishPending.mockResolvedValue(false);
  expect(await kindOfNext()).toBe('waiting');
  nowMs += 59_999;
  expect(await kindOfNext()).toBe('waiting');
  expect([health, warnings]).toEqual([null, []]);
  nowMs += 1_001;
  await attempts.next();
  const detail = 'changes have waited 61 s for another process that holds the claim to publish';
  expect([health, warnings]).toEqual([{ status: 'waiting', detail }, [detail]]);
  nowMs += 1_000;
  await attempts.next();
  expect(health).toMatchObject({ detail: expect.stringContaining('62 s') });
  expect(warnings).toHaveLength(1);
  publishPending.mockReset();
  expect(await kindOfNext()).toBe('done');
  expect(health).toEqual({ status: 'ok', detail: null });
});
