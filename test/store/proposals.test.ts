// Which process asks a language model about which reviews.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import {
  claimProposals,
  loadProposals,
  loadProposalStates,
  PROPOSAL_CLAIM_MS,
  publishProposals,
  releaseProposals,
} from '../../src/store/reviews/proposals.ts';
import { loadState } from '../../src/store/state.ts';
import { TestStore } from '../support/store.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const KEYS = ['a', 'b', 'c'];

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const claim = (owner: string, { at = database, nowMs = NOW_MS, keys = KEYS } = {}) =>
  claimProposals(at, owner, 'small', keys, nowMs);
const answer = (...answers: readonly [string, string][]) =>
  releaseProposals(database, 'one', [], new Map(answers));
const states = async (nowMs = NOW_MS) => {
  const found = Array.from(await loadProposalStates(database.read, nowMs), ([key, state]) => ({
    key,
    ...state,
  }));
  return found.toSorted((one, other) => (one.key < other.key ? -1 : 1));
};

test('of many processes one claims a review', async () => {
  const other = await store.open();
  const claims = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      claim(`process ${index}`, { at: index % 2 === 0 ? database : other }),
    ),
  );
  expect(claims.flat().toSorted()).toEqual(KEYS);
  expect(await states()).toEqual(
    KEYS.map((key) => ({ key, attempts: 1, isAnswered: false, isClaimed: true })),
  );
});

test('a claim ends by itself, by its release, or with the answer', async () => {
  await claim('one');
  await answer(['a', '[]'], ['b', '[1]']);
  await releaseProposals(database, 'two', KEYS, new Map(), true);
  const answered = { attempts: 1, isAnswered: true, isClaimed: false };
  const waiting = { key: 'c', attempts: 1, isAnswered: false };
  const first = [
    { key: 'a', ...answered },
    { key: 'b', ...answered },
  ];
  expect(await states()).toEqual([...first, { ...waiting, isClaimed: true }]);
  expect((await states(NOW_MS + PROPOSAL_CLAIM_MS)).at(-1)).toEqual({
    ...waiting,
    isClaimed: false,
  });
  // A clock that ran ahead has claimed.
  expect((await states(NOW_MS - 365 * 86_400_000)).at(-1)?.isClaimed).toBe(false);
  await releaseProposals(database, 'one', KEYS, new Map(), true);
  expect((await states()).at(-1)).toEqual({ ...waiting, attempts: 0, isClaimed: false });
  // What is answered is neither claimed nor answered again.
  expect(await claim('two')).toEqual(['c']);
  await answer(['b', '[2]']);
  expect(await loadProposals(database.read)).toEqual({
    proposer: 'small',
    claims: new Map([
      ['a', '[]'],
      ['b', '[1]'],
      ['c', null],
    ]),
  });
});

test('of many processes one requests a publish of new claims', async () => {
  await claim('one');
  const version = async () => (await loadState(database.read)).contentVersion;
  const before = await version();
  expect(await publishProposals(database)).toBe(false);
  await answer(['a', '[]']);
  expect(await publishProposals(database)).toBe(false);
  await answer(['b', '[1]']);
  const other = await store.open();
  const requested = await Promise.all([database, other].map((each) => publishProposals(each)));
  expect(requested.filter(Boolean)).toHaveLength(1);
  expect(await version()).toBe(before + 1);
});
