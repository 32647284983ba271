// Asking a language model: what is sent, what is kept, and what happens when it answers badly or not at all.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { proposerOf } from '../../src/insights/proposals/prompt.ts';
import { Proposer, type Turn } from '../../src/publishing/proposer.ts';
import type { Database } from '../../src/store/database.ts';
import {
  keepProposer,
  loadProposals,
  PROPOSAL_CLAIM_MS,
} from '../../src/store/reviews/proposals.ts';
import { loadState } from '../../src/store/state.ts';
import { claiming, FakeModel } from '../support/fake-model.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { review } from '../support/reviews.ts';
import { TestStore } from '../support/store.ts';

const VERTICAL = 'home_services';
const BILL = 'came to 480 not 300';

let store: TestStore;
let database: Database;
let model: FakeModel;
let stop: AbortController;
let nowMs: number;
let warnings: string[];
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  model = await FakeModel.open();
  stop = new AbortController();
  nowMs = Date.UTC(2026, 0, 1);
  warnings = [];
});
afterEach(async () => {
  await store.close();
  await model.close();
});

function propose(owner = 'one', url = model.url): Proposer {
  return new Proposer({
    model: { url, model: 'small', key: 'secret-key' },
    owner,
    database,
    logger: {
      warn: (fields: unknown) => void warnings.push((fields as { reason: string }).reason),
    },
    signal: stop.signal,
    nowMs: () => nowMs,
  });
}

const reviews = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    review({ rating: 1, text: `The bill of job ${index} ${BILL}.` }),
  );
const asked = (count: number) => ({ vertical: VERTICAL, reviews: reviews(count) });
const version = async () => (await loadState(database.read)).contentVersion;
const claims = async () => [...(await loadProposals(database.read)).claims.values()];

/** Takes turns until nothing is left to ask. */
async function finish(proposer: Proposer, count: number): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (let limit = 0; limit < 50; limit++) {
    const turn = await proposer.takeTurn(asked(count));
    turns.push(turn);
    if (turn.waitMs === null) return turns;
    nowMs += turn.waitMs;
  }
  throw new Error('expected an end');
}

test('reviews are asked about in batches, answers are kept, and one publish is requested', async () => {
  model.answer = claiming('transparency', 'negative', BILL);
  const before = await version();
  const turns = await finish(propose(), 12);
  expect(turns.map(({ outcome, waiting }) => [outcome, waiting])).toEqual([
    ['answered', 7],
    ['answered', 2],
    ['answered', 0],
    [null, 0],
  ]);
  expect(model.requests.map(({ reviews: each }) => each.length)).toEqual([5, 5, 2]);
  expect(model.requests[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer secret-key' },
    model: 'small',
  });
  expect(await claims()).toHaveLength(12);
  expect(JSON.parse((await claims())[0] ?? '')).toMatchObject([{ aspect: 'transparency' }]);
  expect(await version()).toBe(before + 1);
  // Another process, or the same after a restart, asks nothing again.
  expect(await finish(propose('two'), 12)).toEqual([{ outcome: null, waiting: 0, waitMs: null }]);
  expect(model.requests).toHaveLength(3);
  expect(await version()).toBe(before + 1);
});

test('the store holds no text of a review', async () => {
  model.answer = claiming('transparency', 'negative', BILL);
  await finish(propose(), 1);
  const rows = await database.read.selectFrom('proposals').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('480');
});

test('answers without claims request no publish', async () => {
  model.answer = claiming('transparency', 'negative', 'is not there');
  const before = await version();
  await finish(propose(), 2);
  expect(await claims()).toEqual(['[]', '[]']);
  expect(await version()).toBe(before);
});

test('what is answered is published every ten minutes while more is asked', async () => {
  model.answer = claiming('transparency', 'negative', BILL);
  const proposer = propose();
  const before = await version();
  await proposer.takeTurn(asked(20));
  nowMs += 600_000;
  await proposer.takeTurn(asked(20));
  expect(await version()).toBe(before + 1);
});

test('a review that spoils its batch is asked about alone, and left to the rules after three answers', async () => {
  model.answer = (request, response) =>
    request.body.includes('job 3 ')
      ? 'Ignore the rules!'
      : claiming('transparency', 'negative', BILL)(request, response);
  const turns = await finish(propose(), 5);
  expect(turns.map(({ outcome }) => outcome).toSorted()).toEqual(
    [...Array(4).fill('answered'), ...Array(3).fill('unusable'), null].toSorted(),
  );
  const bodies = model.requests.filter(({ body }) => body.includes('job 3 '));
  expect(bodies.map((one) => one.reviews.length)).toEqual([5, 1, 1]);
  expect((await claims()).filter((one) => one !== null)).toHaveLength(4);
  expect(warnings).toEqual(Array(3).fill('expected JSON'));
});

test('a review that an answer leaves out is asked about again', async () => {
  model.answer = ({ reviews: each }) =>
    JSON.stringify({
      reviews: each.slice(0, 1).map(({ review: number }) => ({ review: number, claims: [] })),
    });
  await finish(propose(), 3);
  expect(model.requests.map(({ reviews: each }) => each.length)).toEqual([3, 1, 1]);
  expect(await claims()).toEqual(['[]', '[]', '[]']);
});

test('a model that fails is asked again later and later, for as long as it takes', async () => {
  model.answer = (_, response) => {
    response.writeHead(500).end();
    return null;
  };
  const proposer = propose();
  const waits: (number | null)[] = [];
  for (let turn = 0; turn < 12; turn++) {
    const { outcome, waitMs } = await proposer.takeTurn(asked(1));
    expect(outcome).toBe('failed');
    waits.push(waitMs);
    nowMs += waitMs ?? 0;
  }
  expect(waits.slice(0, 3)).toEqual([10_000, 20_000, 40_000]);
  expect(waits.at(-1)).toBe(3_600_000);
  model.answer = claiming('transparency', 'negative', BILL);
  expect(await proposer.takeTurn(asked(1))).toMatchObject({ outcome: 'answered', waitMs: 0 });
});

test.each<[string, FakeModel['answer'], RegExp]>([
  [
    'asks to wait',
    (_, response) => (response.writeHead(429, { 'retry-after': '90' }).end(), null),
    /got 429/,
  ],
  ['refuses the key', (_, response) => (response.writeHead(401).end(BILL), null), /got 401/],
  ['closes the connection', (_, response) => (response.destroy(), null), /fetch failed/],
  ['sends no JSON', (_, response) => (response.end('<html>'), null), /expected JSON/],
  [
    'sends another form',
    (_, response) => (response.end('{"choices":[]}'), null),
    /a chat completion/,
  ],
  [
    'sends too much',
    (_, response) => (response.end('x'.repeat(2 ** 20 + 1)), null),
    /larger than 1048576/,
  ],
])('a server that %s is no answer, and counts no attempt', async (_, answer, reason) => {
  model.answer = answer;
  const turn = await propose().takeTurn(asked(2));
  expect(turn).toMatchObject({ outcome: 'failed', waiting: 2 });
  expect(turn.waitMs).toBe(reason.source.includes('429') ? 90_000 : 10_000);
  expect(warnings).toEqual([expect.stringMatching(reason)]);
  expect(warnings.join('')).not.toContain(BILL);
  const rows = await database.read.selectFrom('proposals').selectAll().execute();
  expect(rows.map(({ attempts, claimed_until: until }) => [attempts, until])).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test('the key and the reviews follow no redirect', async () => {
  const elsewhere = await FakeModel.open();
  model.answer = (_, response) => {
    response.writeHead(307, { location: `${elsewhere.url}/chat/completions` }).end();
    return null;
  };
  expect(await propose().takeTurn(asked(1))).toMatchObject({ outcome: 'failed' });
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.close();
});

test('a killed process leaves a claim that ends by itself', async () => {
  model.answer = () => null;
  const killed = propose().takeTurn(asked(2));
  await expect.poll(() => model.requests.length, { timeout: PATIENCE_MS }).toBe(1);
  const other = propose('two');
  expect(await other.takeTurn(asked(2))).toEqual({ outcome: null, waiting: 2, waitMs: 10_000 });
  nowMs += PROPOSAL_CLAIM_MS;
  model.answer = claiming('transparency', 'negative', BILL);
  expect(await finish(other, 2)).toHaveLength(3);
  stop.abort();
  await killed;
  expect((await claims()).every((one) => one !== null)).toBe(true);
  expect(warnings).toEqual([]);
});

test('another model starts anew, and none takes its claims back', async () => {
  model.answer = claiming('transparency', 'negative', BILL);
  await finish(propose(), 2);
  const before = await version();
  await keepProposer(database, proposerOf('small'));
  expect(await claims()).toHaveLength(2);
  await keepProposer(database, null);
  expect(await claims()).toEqual([]);
  expect(await version()).toBe(before + 1);
  model.answer = claiming('transparency', 'negative', 'is not there');
  await finish(propose(), 1);
  await keepProposer(database, null);
  expect(await version()).toBe(before + 1);
});
