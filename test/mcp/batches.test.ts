// Batches of 2025-03-26: limited in size, counted against the rate limit, and never blocking the server.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { answerBatch } from '../../src/mcp/batches.ts';
import { MCP_LIMITS } from '../../src/mcp/limits.ts';
import type { SnapshotQueries } from '../../src/snapshot/queries.ts';
import { type Json, TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { INITIALIZE, post } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const MARKER = 'review text in a result';
/** A result with a hundred of these exceeds half of the limit of a batch. */
const TEXT = `${MARKER} ${'x'.repeat(6_000)}`;

let server: TestServer;
beforeAll(async () => {
  const reviews = Array.from({ length: 100 }, (_, number) =>
    review({ id: ulidOf(number), text: TEXT }),
  );
  // Every request takes more time than a turn has.
  let ms = 0;
  const parts = { nowMs: () => (ms += 1) };
  server = await TestServer.open(await snapshotOf(reviews), { parts });
});
afterAll(() => server.close());

const search = (id: number, limit: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'search_reviews', arguments: { limit, detail: 'full' } },
});
const searches = (count: number, limit = 1) =>
  Array.from({ length: count }, (_, id) => search(id, limit));
const send = (batch: readonly unknown[], target = server) =>
  post(target, batch, { 'MCP-Protocol-Version': '2025-03-26' });

/** Runs `during` and counts the searches that it causes. */
async function searchesOf<T>(
  during: () => Promise<T>,
  onSearch: () => void = () => undefined,
): Promise<[T, number]> {
  const queries: SnapshotQueries = server.mcp.queries;
  const real = queries.search.bind(queries);
  const spy = vi.spyOn(queries, 'search').mockImplementation((filter, agent) => {
    onSearch();
    const answer = real(filter, agent);
    // Answers have a budget of their own, which keeps a batch small.
    return filter.limit < 100 ? answer : answer.replace('{', `{"more":"${'x'.repeat(600_000)}",`);
  });
  try {
    return [await during(), spy.mock.calls.length];
  } finally {
    spy.mockRestore();
  }
}

test('ten messages are answered in order', async () => {
  const answer = await send(searches(10));
  const answers: Json[] = JSON.parse(answer.text);
  expect([answer.status, answers.map(({ id }) => id)]).toEqual([
    200,
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  ]);
  const alone = JSON.parse((await post(server, search(4, 1))).text);
  expect(answers[4]).toEqual(alone);
});

test('a batch of eleven messages is rejected and none is run', async () => {
  const [answer, run] = await searchesOf(() => send(searches(11)));
  expect([answer.status, JSON.parse(answer.text).error, run]).toEqual([
    400,
    {
      code: -32600,
      message: 'Invalid Request: expected at most 10 messages in a batch, got 11',
    },
    0,
  ]);
});

test('notifications count as messages; a batch of notifications gets 202 without a body', async () => {
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const accepted = await send(Array.from({ length: 10 }, () => note));
  expect([accepted.status, accepted.text]).toEqual([202, '']);
  expect((await send([...searches(1), ...Array.from({ length: 10 }, () => note)])).status).toBe(
    400,
  );
});

test('the event loop turns between two requests, so other clients are served', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  await searchesOf(
    () => send(searches(10)),
    () => turns.push(turn),
  );
  isOver = true;
  expect(turns).toHaveLength(10);
  expect(new Set(turns).size).toBe(10);
});

test('results stop at the size limit, and no request is run beyond it', async () => {
  const [answer, run] = await searchesOf(() => send(searches(10, 100)));
  const answers: Json[] = JSON.parse(answer.text);
  expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(answers.map(({ error }) => error?.code)).toEqual([undefined, ...Array(9).fill(-32000)]);
  expect(answers[9].error.message).toBe(
    'The answers of this batch exceed 2 MiB; send this request alone',
  );
  expect(run).toBe(2);
  expect(answer.body.length).toBeLessThan(MCP_LIMITS.batchBytes + 10 * 200);
});

test('answers are neither parsed nor serialized a second time', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  const stringify = vi.spyOn(JSON, 'stringify');
  await send(searches(2, 50));
  const hasMarker = (value: unknown) => typeof value === 'string' && value.includes(MARKER);
  const parsed = parse.mock.calls.filter(([text]) => hasMarker(text));
  const serialized = stringify.mock.results.filter(({ value }) => hasMarker(value));
  parse.mockRestore();
  stringify.mockRestore();
  // Once for each result, as its text content.
  expect([parsed.length, serialized.length]).toEqual([0, 2]);
});

const TURN = { end: () => undefined };

test('each request of a batch takes a turn, after the end of the one before', async () => {
  const events: string[] = [];
  const turn = (name: string) => ({ end: () => void events.push(`end ${name}`) });
  await answerBatch(
    [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }) as const),
    {
      call: ({ id }) => {
        events.push(`call ${id}`);
        return Promise.resolve('1');
      },
      first: turn('first'),
      takeTurn: () => Promise.resolve(turn('second')),
    },
  );
  expect(events).toEqual(['call 1', 'end first', 'call 2', 'end second']);
});

test('no more requests are run after the client disconnects', async () => {
  let run = 0;
  const request = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
  const call = () => Promise.resolve(`${(run += 1)}`);
  const answers = await answerBatch([request, request, request], {
    call,
    first: TURN,
    takeTurn: () => Promise.resolve(run === 2 ? null : TURN),
  });
  expect([answers, run]).toEqual(['[1,2]', 2]);
});

describe('a request in a batch', () => {
  test('gets the same response as alone, also for errors', async () => {
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 'a', method: 'tools/burn' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'burn' } },
      { jsonrpc: '2.0', id: 3, method: 'resources/read', params: {} },
      { jsonrpc: '2.0', id: 4, method: 'tools/list' },
    ];
    const answers: Json[] = JSON.parse((await send(messages)).text);
    for (const [at, message] of messages.entries()) {
      expect(answers[at]).toEqual(JSON.parse((await post(server, message)).text));
    }
  });

  test('must not be initialize', async () => {
    const [started, listed]: Json[] = JSON.parse(
      (await send([INITIALIZE, { jsonrpc: '2.0', id: 4, method: 'tools/list' }])).text,
    );
    expect([started.id, started.error.code, listed.id, listed.error]).toEqual([
      0,
      -32600,
      4,
      undefined,
    ]);
  });
});

describe('with a rate limit', () => {
  test.each([{}, { TRUST_PROXY: '1' }])('each message of a batch counts (%j)', async (proxy) => {
    const environment = { RATE_LIMIT_PER_MINUTE: '12', ...proxy };
    const limited = await TestServer.open(server.http.snapshot, { environment });
    expect((await send(searches(10), limited)).status).toBe(200);
    const rejected = await send(searches(3), limited);
    expect([rejected.status, JSON.parse(rejected.text).error.code]).toEqual([429, -32000]);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect((await post(limited, search(1, 1))).status).toBe(429);
    await limited.close();
  });
});
