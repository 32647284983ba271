// Responses to invalid requests, in both eras where both apply.

import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer } from '../support/http.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import {
  ask,
  BOTH,
  callTool,
  ENVELOPE,
  INITIALIZE,
  openSession,
  post,
  requestOf,
} from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

let server: TestServer;
let strict: TestServer;
beforeAll(async () => {
  const snapshot = await snapshotOf(REVIEWS, { insights: INSIGHTS });
  server = await TestServer.open(snapshot);
  strict = await TestServer.open(snapshot, { environment: { MCP_REQUIRE_SESSION: 'true' } });
});
afterAll(() => Promise.all([server.close(), strict.close()]));

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
const MODERN = { 'MCP-Protocol-Version': '2026-07-28' };
const modern = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params: { ...params, _meta: ENVELOPE },
});

interface InvalidRequest {
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly code: number;
  /** The id of the response. */
  readonly id?: string | number | null;
  readonly message?: RegExp;
}

const ROWS: Readonly<Record<string, InvalidRequest>> = {
  'text that is not JSON': { body: '{', status: 400, code: -32700, id: null },
  'an empty body': { body: '', status: 400, code: -32700, id: null },
  'JSON that is not a request': { body: '"hello"', status: 400, code: -32600, id: null },
  'a request without jsonrpc': {
    body: { id: 7, method: 'tools/list' },
    status: 400,
    code: -32600,
    id: 7,
  },
  'a request of JSON-RPC 1.0': {
    body: { ...LIST, jsonrpc: '1.0' },
    status: 400,
    code: -32600,
    id: 7,
  },
  'a null id': { body: { ...LIST, id: null }, status: 400, code: -32600, id: null },
  'a fractional id': { body: { ...LIST, id: 1.5 }, status: 400, code: -32600 },
  'array params': { body: { ...LIST, params: [1] }, status: 400, code: -32600, id: 7 },
  'an unknown method': {
    body: { ...LIST, method: 'tools/burn' },
    status: 200,
    code: -32601,
    id: 7,
  },
  'an unknown method, 2026-07-28': {
    body: modern('tools/burn'),
    headers: { ...MODERN, 'Mcp-Method': 'tools/burn' },
    status: 404,
    code: -32601,
    id: 7,
  },
  'a method that 2026-07-28 removed': {
    body: modern('ping'),
    headers: { ...MODERN, 'Mcp-Method': 'ping' },
    status: 404,
    code: -32601,
    id: 7,
  },
  'an unknown tool': {
    body: { ...LIST, method: 'tools/call', params: { name: 'burn', arguments: {} } },
    status: 200,
    code: -32602,
    id: 7,
    message: /^Tool burn not found: see tools\/list$/,
  },
  'a tool named like a member of Object.prototype': {
    body: { ...LIST, method: 'tools/call', params: { name: 'constructor' } },
    status: 200,
    code: -32602,
    id: 7,
  },
  'arguments beside "arguments"': {
    body: { ...LIST, method: 'tools/call', params: { name: 'search_reviews', words: 'boiler' } },
    status: 400,
    code: -32602,
    id: 7,
    message: /^Invalid params: expected "arguments" with words in it$/,
  },
  'an unknown tool, 2026-07-28': {
    body: modern('tools/call', { name: 'burn', arguments: {} }),
    headers: { ...MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'burn' },
    status: 200,
    code: -32602,
    id: 7,
  },
  'tools/call without params': {
    body: { ...LIST, method: 'tools/call' },
    status: 200,
    code: -32602,
    message: /^Invalid params: params: /,
  },
  'tools/call with array arguments': {
    body: { ...LIST, method: 'tools/call', params: { name: 'get_faq', arguments: [] } },
    status: 200,
    code: -32602,
    message: /^Invalid params: params\.arguments: [^[{]+$/,
  },
  'a resource without a URI': {
    body: { ...LIST, method: 'resources/read', params: {} },
    status: 200,
    code: -32602,
    message: /^Invalid params: params\.uri: [^[{]+$/,
  },
  'a resource without a URI, 2026-07-28': {
    body: modern('resources/read'),
    headers: { ...MODERN, 'Mcp-Method': 'resources/read' },
    status: 200,
    code: -32602,
    message: /^Invalid params: params\.uri: [^[{]+$/,
  },
  'initialize without params': {
    body: { ...INITIALIZE, params: {} },
    status: 200,
    code: -32602,
    id: 0,
    message: /^Invalid params: .*params\.protocolVersion: [^[{]+/,
  },
  'a numeric cursor': {
    body: { ...LIST, params: { cursor: 1 } },
    status: 200,
    code: -32602,
    message: /^Invalid params: params\.cursor: /,
  },
  'an unknown resource': {
    body: { ...LIST, method: 'resources/read', params: { uri: 'reviews://nothing' } },
    status: 200,
    code: -32602,
    message: /reviews:\/\/nothing/,
  },
  'an unsupported revision': {
    body: LIST,
    headers: { 'MCP-Protocol-Version': '2024-11-05' },
    status: 400,
    code: -32000,
    message: /2025-11-25, 2025-06-18, 2025-03-26/,
  },
  'a later revision, in the body': {
    body: {
      ...LIST,
      params: { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } },
    },
    headers: { 'MCP-Protocol-Version': '2027-01-01', 'Mcp-Method': 'tools/list' },
    status: 400,
    code: -32022,
    id: 7,
  },
  'the header of 2026-07-28 without its _meta': {
    body: LIST,
    headers: { ...MODERN, 'Mcp-Method': 'tools/list' },
    status: 400,
    code: -32602,
    id: 7,
  },
  'a method header that differs from the body': {
    body: modern('tools/list'),
    headers: { ...MODERN, 'Mcp-Method': 'prompts/list' },
    status: 400,
    code: -32020,
    id: 7,
  },
  'a missing method header': {
    body: modern('tools/list'),
    headers: MODERN,
    status: 400,
    code: -32020,
    id: 7,
  },
  'a missing name header': {
    body: modern('tools/call', { name: 'get_business', arguments: {} }),
    headers: { ...MODERN, 'Mcp-Method': 'tools/call' },
    status: 400,
    code: -32020,
    id: 7,
  },
  'a name header that differs from the body': {
    body: modern('tools/call', { name: 'get_business', arguments: {} }),
    headers: { ...MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'get_faq' },
    status: 400,
    code: -32020,
    id: 7,
  },
  'an Accept header with JSON only': {
    body: LIST,
    headers: { Accept: 'application/json' },
    status: 406,
    code: -32000,
  },
  'an Accept header with a wildcard': {
    body: LIST,
    headers: { Accept: '*/*' },
    status: 406,
    code: -32000,
  },
  'a form body': {
    body: 'a=b',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    status: 415,
    code: -32000,
  },
  'JSON with the content type text/plain': {
    body: LIST,
    headers: { 'Content-Type': 'text/plain' },
    status: 415,
    code: -32000,
  },
  'an empty batch': { body: [], status: 400, code: -32600, id: null },
  'a batch with a request of 2026-07-28': {
    body: [LIST, modern('tools/list')],
    headers: { 'MCP-Protocol-Version': '2025-03-26' },
    status: 400,
    code: -32600,
    id: null,
  },
  'a batch with an invalid message': {
    body: [LIST, 5],
    headers: { 'MCP-Protocol-Version': '2025-03-26' },
    status: 400,
    code: -32600,
    id: null,
  },
  'a batch of 2025-06-18, which does not support batches': {
    body: [LIST],
    headers: { 'MCP-Protocol-Version': '2025-06-18' },
    status: 400,
    code: -32600,
    id: null,
  },
  'a batch without a revision': { body: [LIST], status: 400, code: -32600, id: null },
  'an untrusted Host': {
    body: LIST,
    headers: { Host: 'evil.example' },
    status: 403,
    code: -32000,
    id: null,
  },
  'an untrusted Origin': {
    body: LIST,
    headers: { Origin: 'https://evil.example' },
    status: 403,
    code: -32000,
    id: null,
  },
  'an unknown session': {
    body: LIST,
    headers: { 'Mcp-Session-Id': 'made-up' },
    status: 404,
    code: -32001,
    id: 7,
    message: /^Session not found: send initialize again$/,
  },
};

describe.each(Object.entries(ROWS))('%s', (_what, { body, headers, status, code, id, message }) => {
  test(`is answered ${status} and ${code}`, async () => {
    const answer = await post(server, body, headers);
    const { error, id: answered, jsonrpc, ...rest } = JSON.parse(answer.text);
    expect([answer.status, error.code, jsonrpc, rest]).toEqual([status, code, '2.0', {}]);
    if (id !== undefined) expect(answered).toBe(id);
    expect(error.message).toMatch(message ?? /\S/);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });
});

test('an unsupported revision in the body is answered with the supported ones', async () => {
  const row = ROWS['a later revision, in the body']!;
  const { error } = JSON.parse((await post(server, row.body, row.headers)).text);
  expect(error.data).toEqual({ supported: ['2026-07-28'], requested: '2027-01-01' });
});

test('the error data names an unknown resource, in both eras', async () => {
  for (const era of ['legacy', 'modern'] as const) {
    for (const uri of ['reviews://nothing', 'reviews://review/01HN00000000000000000000AA']) {
      const { error } = await ask(server, era, 'resources/read', { uri });
      expect([era, error.code, error.data]).toEqual([era, -32602, { uri }]);
    }
  }
});

describe('invalid arguments', () => {
  const wrong = {
    rating: 9,
    min_rating: 'x',
    since: '2025-02-30',
    limit: 0,
    cursor: 'x',
    stars: 5,
  };

  test.each(['legacy', 'modern'] as const)(
    'are all reported in the tool result, with corrections (%s)',
    async (era) => {
      const result = await callTool(server, 'search_reviews', wrong, era);
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      expect(result.content).toEqual([
        {
          type: 'text',
          text:
            'search_reviews was not called: 6 arguments must be corrected.\n' +
            '- rating: expected an integer from 1 to 5, got 9\n' +
            '- min_rating: expected a number from 1 to 5, got "x"\n' +
            '- since: expected a date that exists, written YYYY-MM-DD, got "2025-02-30"\n' +
            '- limit: expected an integer from 1 to 100, got 0\n' +
            '- cursor: expected a next_cursor of an earlier answer, got "x"\n' +
            '- stars: expected only the arguments rating, min_rating, max_rating, since, until, query, ' +
            'mentions_technician, mentions_service, author, source, in, words, strict, aspect, problem, service_area, ' +
            'topic, sentiment, has_reply, has_text, language, location, attributes, min_ratings, sort, facets, highlight, limit, cursor, detail\n' +
            'Call search_reviews again with that corrected.',
        },
      ]);
    },
  );

  test.each([
    ['get_summary', { x: 1 }, '- x: expected no arguments'],
    ['get_review', {}, '- id: expected the id of a review, got nothing'],
    [
      'get_review',
      { id: 'x' },
      '- id: expected the id of a review, 26 letters and digits, got "x"',
    ],
    ['get_technician', { name: '' }, '- name: expected the name of a technician, got ""'],
    ['get_technician', { name: 5 }, '- name: expected the name of a technician, got 5'],
    ['get_service', {}, '- service: expected the id or label of a service, got nothing'],
    ['get_aspect_sentiment', { aspect: null }, 'expected the id or label of an aspect, got null'],
    ['list_reviews_since', { date: '2024' }, 'expected a date that exists, written YYYY-MM-DD'],
    ['list_reviews_since', {}, '- date: expected a date such as "2026-01-31", got nothing'],
    [
      'search_reviews',
      { words: '\ufdfa'.repeat(20_000) },
      '- words: expected at most 1000 characters, got "ﷺ',
    ],
    ['get_faq', { query: 1 }, '- query: expected text, got 1'],
  ])('%s with %j reports %s', async (name, args, line) => {
    const { isError, content } = await callTool(server, name, args);
    expect([isError, content[0].text.split('\n')[0]]).toEqual([
      true,
      `${name} was not called: an argument must be corrected.`,
    ]);
    expect(content[0].text).toContain(line);
  });

  test('nested to the maximum depth of a body do not crash the server', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_faq","arguments":{"query":${deep}}}}`;
    const answer = await post(server, body);
    expect(answer.status).toBe(400);
    expect((await callTool(server, 'get_business')).isError).toBeUndefined();
  });
});

describe('a body over 64 KiB', () => {
  const large = JSON.stringify({ ...LIST, params: { x: 'x'.repeat(64 * 1024) } });

  test('is rejected by its Content-Length', async () => {
    const answer = await post(server, large);
    expect([answer.status, answer.headers.connection]).toEqual([413, 'close']);
    expect(JSON.parse(answer.text).error.code).toBe(-32000);
  });

  test('is rejected once the limit is exceeded if it has no Content-Length', async () => {
    const head =
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
      'Transfer-Encoding: chunked\r\n\r\n';
    const chunk = `2000\r\n${'x'.repeat(0x2000)}\r\n`;
    const received = await new Promise<string>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(head + chunk.repeat(9)));
      let text = '';
      socket.on('data', (data) => (text += data.toString()));
      socket.once('error', () => resolve(text));
      socket.once('close', () => resolve(text));
    });
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('is served up to the limit', async () => {
    const body = { ...LIST, params: { _meta: { x: 'x'.repeat(65_000) } } };
    expect(JSON.stringify(body).length).toBeLessThan(64 * 1024);
    expect((await post(server, body)).status).toBe(200);
  });
});

describe('a media type', () => {
  test.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'of %s is JSON',
    async (type) => {
      expect((await post(server, LIST, { 'Content-Type': type })).status).toBe(200);
    },
  );
});

describe('a notification or a response', () => {
  test.each([
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'notifications/made-up' },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  ])('is accepted with 202 and no body: %j', async (body) => {
    const answer = await post(server, body);
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  test('of 2026-07-28 is accepted with 202', async () => {
    const method = 'notifications/cancelled';
    const body = { jsonrpc: '2.0', method, params: { requestId: 1, _meta: ENVELOPE } };
    const answer = await post(server, body, { ...MODERN, 'Mcp-Method': method });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });
});

describe('sessions', () => {
  test('start with the requested revision, or the newest with sessions', async () => {
    for (const [requested, negotiated] of [
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2024-11-05', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      ['x', '2025-11-25'],
    ] as const) {
      const params = { ...INITIALIZE.params, protocolVersion: requested };
      const answer = await post(server, { ...INITIALIZE, params });
      expect([requested, JSON.parse(answer.text).result.protocolVersion]).toEqual([
        requested,
        negotiated,
      ]);
      expect(answer.headers['mcp-session-id']).toMatch(/^[\w-]{43}$/);
    }
  });

  test('are optional', async () => {
    expect((await post(server, LIST)).status).toBe(200);
  });

  test('are required if configured, except for initialize', async () => {
    for (const body of [LIST, { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
      const answer = await post(strict, body);
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([400, -32000]);
    }
    const id = await openSession(strict);
    expect((await post(strict, LIST, { 'Mcp-Session-Id': id })).status).toBe(200);
    const { body, headers } = requestOf('modern', 'tools/list');
    expect((await post(strict, body, headers)).status).toBe(200);
  });

  test('end with DELETE and are then not found', async () => {
    const headers = { 'Mcp-Session-Id': await openSession(server) };
    expect((await post(server, LIST, headers)).status).toBe(200);
    const ended = await server.ask('/mcp', { method: 'DELETE', headers });
    expect([ended.status, ended.text]).toEqual([204, '']);
    expect((await post(server, LIST, headers)).status).toBe(404);
    expect((await server.ask('/mcp', { method: 'DELETE', headers })).status).toBe(404);
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await post(server, notification, headers)).status).toBe(404);
  });

  test('that have ended do not prevent a new initialize', async () => {
    const headers = { 'Mcp-Session-Id': await openSession(server) };
    await server.ask('/mcp', { method: 'DELETE', headers });
    const answer = await post(server, INITIALIZE, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers['mcp-session-id']).not.toBe(headers['Mcp-Session-Id']);
  });

  test('are ignored by 2026-07-28', async () => {
    const { body, headers } = requestOf('modern', 'tools/list');
    const answer = await post(server, body, { ...headers, 'Mcp-Session-Id': 'made-up' });
    expect([answer.status, answer.headers['mcp-session-id']]).toEqual([200, undefined]);
  });

  test('must be named by DELETE', async () => {
    const none = await server.ask('/mcp', { method: 'DELETE' });
    expect([none.status, JSON.parse(none.text).error.code]).toEqual([400, -32000]);
    const headers = { 'Mcp-Session-Id': 'made-up' };
    expect((await server.ask('/mcp', { method: 'DELETE', headers })).status).toBe(404);
    const evil = { Host: 'evil.example', 'Mcp-Session-Id': await openSession(server) };
    expect((await server.ask('/mcp', { method: 'DELETE', headers: evil })).status).toBe(403);
  });

  test('of 2025-03-26 may send batches, with or without the version header', async () => {
    const batch = [
      LIST,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'get_business' } },
      { jsonrpc: '2.0', id: 'c', method: 'resources/read', params: {} },
    ];
    const old = { 'Mcp-Session-Id': await openSession(server, '2025-03-26') };
    for (const headers of [old, { 'MCP-Protocol-Version': '2025-03-26' }]) {
      const answers = JSON.parse((await post(server, batch, headers)).text);
      const ids = answers.map(({ id }: { id: unknown }) => id);
      expect(ids.toSorted()).toEqual([7, 'b', 'c']);
      const bad = answers.find(({ id }: { id: unknown }) => id === 'c');
      expect([bad.error.code, bad.error.message]).toEqual([
        -32602,
        expect.stringMatching(/^Invalid params: params\.uri: /),
      ]);
    }
    const later = { 'Mcp-Session-Id': await openSession(server, '2025-06-18') };
    expect((await post(server, batch, later)).status).toBe(400);
  });
});

describe('a method other than POST and DELETE', () => {
  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'PROPFIND'])('%s is 405 with Allow', async (method) => {
    const answer = await server.ask('/mcp', { method, headers: { Accept: BOTH } });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, DELETE, OPTIONS']);
  });

  test('OPTIONS allows cross-origin pages the headers of clients', async () => {
    const { status, headers } = await server.ask('/mcp', { method: 'OPTIONS' });
    expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(headers['access-control-allow-methods']).toBe('POST, DELETE, OPTIONS');
    const allowed = headers['access-control-allow-headers']!.toLowerCase().split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'accept',
        'authorization',
        'content-type',
        'last-event-id',
        'mcp-method',
        'mcp-name',
        'mcp-protocol-version',
        'mcp-session-id',
      ]),
    );
  });

  test('the session id is exposed to cross-origin pages', async () => {
    const { headers } = await post(server, INITIALIZE, { Origin: 'http://localhost:6274' });
    expect(headers['access-control-expose-headers']).toContain('Mcp-Session-Id');
  });
});

test('every request gets 503 with Retry-After before a snapshot is loaded', async () => {
  const starting = await TestServer.open(null);
  const answer = await post(starting, INITIALIZE);
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  await starting.close();
});

test('an Authorization header is ignored', async () => {
  expect((await post(server, LIST, { Authorization: 'Bearer wrong' })).status).toBe(200);
});
