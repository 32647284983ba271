// Messages are limited in nesting and size before the SDK sees them, and errors are short.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MCP_LIMITS } from '../../src/mcp/limits.ts';
import { parseBody } from '../../src/mcp/message-body.ts';
import { REVIEWS } from '../support/by-hand.ts';
import { TestServer } from '../support/http.ts';
import { ENVELOPE, INITIALIZE, post, requestOf } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const LEVELS = MCP_LIMITS.messageLevels;
const MEMBERS = MCP_LIMITS.messageMembers;
const VALUES = MCP_LIMITS.messageValues;
const MODERN = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' };
const BATCH = { 'MCP-Protocol-Version': '2025-03-26' };

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS));
});
afterAll(() => server.close());

const initialize = (changes: object) => ({
  ...INITIALIZE,
  params: { ...INITIALIZE.params, ...changes },
});
const withIcons = (icons: number, sizes: number) =>
  initialize({
    clientInfo: {
      name: 'test',
      version: '1.0.0',
      icons: Array.from({ length: icons }, () => ({ src: 'x', sizes: Array(sizes).fill(1) })),
    },
  });
const numbers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`a${number}`, number]));
/** The JSON of `body` with nested objects or arrays in place of the string "NESTED". */
const nested = (body: unknown, levels: number, [open, close]: readonly [string, string]) =>
  JSON.stringify(body).replace('"NESTED"', `${open.repeat(levels)}0${close.repeat(levels)}`);
const OBJECTS = ['{"a":', '}'] as const;
const ARRAYS = ['[', ']'] as const;

const deepCapability = initialize({ capabilities: { experimental: { x: 'NESTED' } } });
const deepMeta = {
  jsonrpc: '2.0',
  id: 0,
  method: 'server/discover',
  params: { _meta: { ...ENVELOPE, x: 'NESTED' } },
};
const prompt = (count: number) => ({
  ...requestOf('legacy', 'prompts/get', { name: 'summarize_reviews', arguments: numbers(count) })
    .body,
  id: 0,
});
const completion = (count: number) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'completion/complete',
  params: {
    ref: { type: 'ref/prompt', name: 'summarize_reviews' },
    argument: { name: 'audience', value: '' },
    context: { arguments: numbers(count) },
  },
});
const call = (count: number) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'tools/call',
  params: { name: 'search_reviews', arguments: numbers(count) },
});

const TOO_DEEP = `expected at most ${LEVELS} levels of nesting in a message`;
const TOO_LONG = `expected at most ${MEMBERS} elements in an array`;
const TOO_WIDE = `expected at most ${MEMBERS} members in an object`;
const TOO_MANY = `expected at most ${VALUES} values in a message`;

describe('a message beyond the limits is refused before the SDK sees it', () => {
  test.each<[string, unknown, Record<string, string>, string, id?: null]>([
    ['32,000 invalid sizes of an icon', withIcons(1, 32_000), {}, `${TOO_LONG}, got 32000`],
    ['4,096 invalid sizes of 64 icons', withIcons(64, 64), {}, TOO_MANY],
    ['a capability nested 3,000 levels', nested(deepCapability, 3_000, OBJECTS), {}, TOO_DEEP],
    ['_meta nested 8,000 levels', nested(deepMeta, 8_000, OBJECTS), MODERN, TOO_DEEP],
    ['_meta nested 30,000 levels', nested(deepMeta, 30_000, ARRAYS), MODERN, TOO_DEEP],
    ['5,000 arguments of a prompt', prompt(5_000), {}, `${TOO_WIDE}, got 5000`],
    ['5,000 arguments of a completion', completion(5_000), {}, TOO_WIDE],
    ['1,000 arguments of a tool', call(1_000), {}, TOO_WIDE],
    ['5,000 members beside the method', { ...call(1), ...numbers(5_000) }, {}, TOO_WIDE],
    ['a batch with one such message', [call(1), call(1_000)], BATCH, TOO_WIDE, null],
    ['a batch nested 30,000 levels', nested('NESTED', 30_000, ARRAYS), BATCH, TOO_DEEP, null],
  ])('%s', async (_what, body, headers, reason, id) => {
    const answer = await post(server, body, headers);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        error: { code: -32600, message: expect.stringContaining(`Invalid Request: ${reason}`) },
        id: id === undefined ? 0 : id,
      },
    ]);
    expect(answer.text.length).toBeLessThan(300);
  });
});

describe('a message at the limits is accepted', () => {
  const isAccepted = (body: unknown) =>
    parseBody(typeof body === 'string' ? body : JSON.stringify(body)).ok;

  test.each([
    ['levels', (levels: number) => nested('NESTED', levels, OBJECTS), LEVELS],
    ['elements', (count: number) => ({ params: Array(count).fill(1) }), MEMBERS],
    ['members', (count: number) => ({ params: numbers(count) }), MEMBERS],
    [
      'values',
      (count: number) =>
        Object.fromEntries(
          Array.from({ length: 16 }, (_, at) => [`a${at}`, Array(at ? 31 : count - 481).fill(1)]),
        ),
      VALUES,
    ],
  ] as const)('%s', (_what, bodyOf, limit) => {
    expect([isAccepted(bodyOf(limit)), isAccepted(bodyOf(limit + 1))]).toEqual([true, false]);
  });

  test('each message of a batch has the limits of its own', () => {
    const batch = Array.from({ length: MEMBERS + 1 }, () => ({ params: numbers(MEMBERS) }));
    expect(isAccepted(batch)).toBe(true);
  });

  test('and answered', async () => {
    const answer = await post(server, nested(deepCapability, LEVELS - 4, OBJECTS));
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([200, undefined]);
  });
});

describe('an error names at most ten malformed values', () => {
  test.each<[string, object, count: number]>([
    ['initialize', withIcons(7, 60), 420],
    ['prompts/get', prompt(64), 64],
    ['completion/complete', completion(64), 64],
  ])('%s', async (_method, body, count) => {
    const answer = await post(server, body);
    const { error } = JSON.parse(answer.text);
    const issues = error.message.replace('Invalid params: ', '').split('; ');
    expect([error.code, issues.length]).toEqual([-32602, 11]);
    expect(issues[9]).toMatch(/^params\.\S+: Invalid input/);
    expect(issues[10]).toBe(`and ${count - 10} more`);
  });

  test('and all of fewer', async () => {
    const { error } = JSON.parse((await post(server, prompt(2))).text);
    expect(error.message).toMatch(/^Invalid params: params\.\S+a0: [^;]+; params\.\S+a1: [^;]+$/);
  });
});
