// The publish process fails, dies or runs out of memory: readers keep what was published before, the reason
// is one line, and the next publish has everything.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { pino } from 'pino';
import type { PublishHealth } from '../../src/model/health.ts';
import { load } from '../../src/publishing/load.ts';
import { publishPending } from '../../src/publishing/run/2-claim.ts';
import { PublishAttempts } from '../../src/publishing/run/1-attempts.ts';
import { Database } from '../../src/store/database.ts';
import { claimPublishing } from '../../src/store/snapshots/snapshots.ts';
import { PublishSwitch } from '../support/break-publish.ts';
import {
  FaultStore,
  isPublished,
  PUBLISHER,
  recordsOf,
  STORED,
  named,
} from '../support/fault-store.ts';
import { publishHere } from '../support/publish.ts';
import { merge, storedReviews } from '../support/store.ts';

let store: FaultStore;
let database: Database;
let url: string;
let publishSwitch: PublishSwitch;
beforeAll(async () => {
  store = await FaultStore.create();
});
beforeEach(async () => {
  url = `sqlite:${await store.copy()}`;
  database = await Database.open(url);
  publishSwitch = new PublishSwitch(store.folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await database.close();
});
afterAll(() => store.remove());

interface ProcessFault {
  readonly fault: string;
  readonly how: 'throw' | 'die' | 'eat';
  /** Further options of Node. */
  readonly node?: string;
  readonly becomes: RegExp;
}

/** `publishing/publish-attempts.test.ts` shows how the pauses grow. */
const FIRST_PAUSE_MS = 2_000;

const FAULTS: readonly ProcessFault[] = [
  {
    fault: 'a step of the publish throws',
    how: 'throw',
    becomes: /^deriving the insights failed: TypeError: no sum$/,
  },
  {
    fault: 'the system kills the process',
    how: 'die',
    becomes: /^the publish process ended with SIGKILL: the system may have run out of memory$/,
  },
  {
    fault: 'the process uses up the memory that Node allows',
    how: 'eat',
    node: '--max-old-space-size=60',
    becomes: /memory/,
  },
];

test.each(named(FAULTS, ({ fault }) => fault))('%s: one line, nothing lost', async (_, row) => {
  const environment = publishSwitch.environment;
  const nodeOptions = `${environment['NODE_OPTIONS']} ${row.node ?? ''}`;
  for (const [name, value] of Object.entries({ ...environment, NODE_OPTIONS: nodeOptions })) {
    vi.stubEnv(name, value);
  }
  const lines: string[] = [];
  const health: PublishHealth[] = [];
  let elapsedMs = 0;
  let isMended = false;
  const attempts = new PublishAttempts({
    database,
    databaseUrl: url,
    publishing: PUBLISHER,
    publish: (on, at, publishing, options) => {
      if (!isMended) return publishPending(on, at, publishing, options);
      // The process of the next publish is a new one, whatever the fault was: one fault shows it.
      const publish = row.how === 'throw' ? publishPending : publishHere;
      return publish(on, at, publishing, options);
    },
    logger: pino({}, { write: (line) => void lines.push(line) }),
    onStages: () => undefined,
    onHealth: (each) => health.push(each),
    elapsedMs: () => elapsedMs,
    signal: new AbortController().signal,
  });
  await merge(database, recordsOf(STORED + 5));
  await publishSwitch.break(row.how);
  expect((await attempts.next()).kind).toBe('failed');
  expect(health.at(-1)).toMatchObject({ status: 'failing' });
  expect(health.at(-1)?.detail).toMatch(row.becomes);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      retryInMs: FIRST_PAUSE_MS,
      msg: 'publishing failed; readers are served what was published before',
    },
  ]);
  elapsedMs += FIRST_PAUSE_MS;
  expect((await load(database))?.manifest.number).toBe(1);
  await publishSwitch.mend();
  isMended = true;
  expect((await attempts.next()).kind).toBe('done');
  expect(health.at(-1)).toEqual({ status: 'ok', detail: null });
  expect(await isPublished(database)).toBe(true);
  expect(await storedReviews(database)).toHaveLength(STORED + 5);
});

test('a process that died with the claim to publish: the next waits until it ends, and publishes', async () => {
  await merge(database, recordsOf(STORED + 5));
  const nowMs = Date.now();
  expect(await claimPublishing(database, 'dead', nowMs, nowMs + 60_000)).toBe(true);
  expect(await publishHere(database, url, PUBLISHER)).toBe(false);
  await database.write((transaction) =>
    transaction
      .updateTable('state')
      .set({ publisher_until: nowMs - 1 })
      .execute(),
  );
  expect(await publishHere(database, url, PUBLISHER)).toBe(true);
});
