// Two servers that publish at once, each taking the claim away from the other: no two trees of one size are
// ever signed.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { LogPublication } from '../../src/publishing/log.ts';
import { publish } from '../../src/publishing/publish.ts';
import type { Database } from '../../src/store/database.ts';
import { loadLogState } from '../../src/store/log/log.ts';
import { requestPublish } from '../../src/store/state.ts';
import { expectHolds, LOG_ORIGIN, logOf, publishLog } from '../support/log.ts';
import { merge, record, TestStore } from '../support/store.ts';

const ROUNDS = 5;

let store: TestStore;
let databases: [Database, Database];
beforeEach(async () => {
  store = await TestStore.create();
  databases = [await store.open(), await store.open()];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
});

/** Takes the claim, whoever has it, and publishes; another publisher may take it away meanwhile. */
async function publishAs(database: Database, publisherId: string): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.updateTable('state').set({ publisher: publisherId }).execute();
  });
  await publish(database, { publisherId, defaultOrigin: LOG_ORIGIN }, 1_700_000_000);
}

test('two publishers sign one tree of each size', async () => {
  // oxlint-disable-next-line typescript/unbound-method -- called with its publication below
  const { append } = LogPublication.prototype;
  const signed: string[] = [];
  vi.spyOn(LogPublication.prototype, 'append').mockImplementation(async function (
    this: LogPublication,
    publisherId: string,
  ) {
    const result = await append.call(this, publisherId);
    const { size, root } = parseCheckpoint(result.checkpoint)!;
    signed.push(`${size} ${Buffer.from(root).toString('hex')}`);
    return result;
  });
  const failures: unknown[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await merge(databases[0], [record({ source_id: `review ${round}` })]);
    const outcomes = await Promise.allSettled([
      publishAs(databases[0], 'a'),
      publishAs(databases[1], 'b'),
    ]);
    failures.push(...outcomes.flatMap((each) => (each.status === 'rejected' ? each.reason : [])));
  }
  // One of the two lost the claim, or its keys were saved by the other first.
  const names = failures.map((failure) => (failure as Error).name);
  expect(new Set(names).difference(new Set(['ClaimLost']))).toEqual(new Set());
  const sizes = [...new Set(signed)].map((each) => each.split(' ')[0]);
  expect(new Set(sizes).size).toBe(sizes.length);

  await requestPublish(databases[0]);
  const last = await publishLog(databases[0]);
  expectHolds(last);
  expect(last.reviewCount).toBe(ROUNDS);
  expect(logOf(last).size).toBe((await loadLogState(databases[0].read)).size);
});
