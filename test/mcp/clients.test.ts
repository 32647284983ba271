// Third-party clients against the running program, and a client written from the specification.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/http.ts';
import { until } from '../support/patience.ts';
import { Workplace } from '../support/process.ts';
import type { RunningServer } from '../support/running-server.ts';
import { record } from '../support/store.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INSPECTOR = join(
  ROOT,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const INFO = { name: 'test', version: '1.0.0' };

let place: Workplace;
let server: RunningServer;
beforeAll(async () => {
  place = await Workplace.open();
  const reviews = [
    record({ text: 'Mike fixed the boiler.', date: '2024-05-17' }),
    record({ author: 'Sam', rating: 2, text: 'Late again.', date: '2024-05-18' }),
  ];
  const business = {
    name: 'Harbor Heating',
    technicians: [{ id: 'mike-alvarez', name: 'Mike Alvarez', aliases: ['Mike'] }],
  };
  const file = await place.write('reviews.json', { business, reviews });
  await place.importHere(file);
  server = await place.serveHere();
});
afterAll(() => place.close());

const endpoint = () => new URL(`${server.url}/mcp`);

/** Uses every feature through any client. */
async function useAll(client: Client | OldClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(11);
  for (const { inputSchema, name } of tools) {
    const hasArguments = name !== 'get_summary';
    expect([name, Object.keys(inputSchema.properties ?? {}).length > 0]).toEqual([
      name,
      hasArguments,
    ]);
  }
  // The clients validate each result against the tool's output schema.
  for (const [name, args] of [
    ['get_business', {}],
    ['search_reviews', { query: 'late', limit: 5 }],
    ['list_reviews_since', { date: '2024-05-18' }],
    ['get_aspect_sentiment', { aspect: 'price' }],
    ['get_technician', { name: 'Mike' }],
    ['get_technician', { name: 'Bob' }],
    ['get_service', { service: 'x' }],
    ['list_topics', {}],
    ['get_faq', {}],
    ['get_summary', {}],
    ['get_trend', {}],
  ] as const) {
    const { isError, structuredContent } = await client.callTool({ name, arguments: args });
    expect([name, isError ?? false, typeof structuredContent]).toEqual([name, false, 'object']);
  }
  const found: Json = await client.callTool({ name: 'search_reviews', arguments: { rating: 2 } });
  const { id } = found.structuredContent.reviews[0];
  const one: Json = await client.callTool({ name: 'get_review', arguments: { id } });
  expect(one.structuredContent.review.author).toBe('Sam');
  const bad = await client.callTool({ name: 'search_reviews', arguments: { rating: 9 } });
  expect(bad.isError).toBe(true);

  expect((await client.listResources()).resources).toHaveLength(3);
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(3);
  const { contents } = await client.readResource({ uri: `reviews://review/${id}` });
  expect(JSON.parse((contents[0] as Json).text).review.id).toBe(id);
  await expect(client.readResource({ uri: 'reviews://nothing' })).rejects.toThrow(/not found/i);
  expect((await client.listPrompts()).prompts).toHaveLength(3);
  const prompt = await client.getPrompt({
    name: 'draft_owner_reply',
    arguments: { review_id: id },
  });
  expect(prompt.messages).toHaveLength(2);
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'draft_owner_reply' },
    argument: { name: 'tone', value: 'wa' },
  });
  expect(completion.values).toEqual(['warm']);
}

describe('the client of SDK v1', () => {
  test('starts a session, uses every feature and ends the session', async () => {
    const client = new OldClient(INFO);
    const transport = new OldTransport(endpoint());
    await client.connect(transport);
    expect(transport.sessionId).toMatch(/^[\w-]{43}$/);
    await useAll(client);
    await client.ping();
    const headers = { 'Mcp-Session-Id': transport.sessionId! };
    await transport.terminateSession();
    const again = await fetch(endpoint(), { method: 'DELETE', headers });
    expect(again.status).toBe(404);
    await client.close();
  });
});

describe('the client of SDK v2', () => {
  test('starts a session by default and uses every feature', async () => {
    const client = new Client(INFO);
    const transport = new StreamableHTTPClientTransport(endpoint());
    await client.connect(transport);
    expect(transport.sessionId).toMatch(/^[\w-]{43}$/);
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    await useAll(client);
    await client.close();
  });

  test.each([
    ['with version negotiation', { mode: 'auto' }],
    ['with a pinned version', { mode: { pin: '2026-07-28' } }],
  ] as const)('%s uses 2026-07-28 without a session', async (_how, versionNegotiation) => {
    const client = new Client(INFO, { versionNegotiation });
    const transport = new StreamableHTTPClientTransport(endpoint());
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(transport.sessionId).toBeUndefined();
    await useAll(client);
    await client.close();
  });

  test('with a listen stream is notified after an import', async () => {
    const own = await Workplace.open();
    const running = await own.serveHere();
    const client = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${running.url}/mcp`)));
    const filter = { resourceSubscriptions: ['reviews://summary', 'reviews://technician/nobody'] };
    const subscription = await client.listen(filter);
    await own.importHere(await own.write('more.json', [record({ text: 'Splendid.' })]));
    await until(() => updated.length > 0);
    expect(updated).toEqual(['reviews://summary']);
    await subscription.close();
    await client.close();
    await own.close();
  });

  test('with an older revision negotiates that revision', async () => {
    for (const revision of ['2025-06-18', '2025-03-26']) {
      const client = new Client(INFO, { supportedProtocolVersions: [revision] });
      await client.connect(new StreamableHTTPClientTransport(endpoint()));
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect((await client.listTools()).tools).toHaveLength(11);
      await client.close();
    }
  });
});

describe("the inspector's command line", () => {
  const inspect = async (...args: string[]): Promise<Json> => {
    const all = [INSPECTOR, '--cli', endpoint().href, '--transport', 'http', ...args];
    const { stdout } = await promisify(execFile)(process.execPath, all);
    return JSON.parse(stdout);
  };

  test('lists the tools and calls one', async () => {
    const { tools } = await inspect('--method', 'tools/list');
    expect(tools.map(({ name }: Json) => name)).toContain('search_reviews');
    const call = ['--method', 'tools/call', '--tool-name', 'search_reviews'];
    const { structuredContent } = await inspect(...call, '--tool-arg', 'rating=2');
    expect(structuredContent).toMatchObject({ matched: 1, filters: { rating: 2, limit: 20 } });
  });
});

describe('a client written from the specification', () => {
  test('initializes with 2025-06-18 and sends its session id with every later request', async () => {
    const ask = (body: object, headers: Record<string, string> = {}) =>
      fetch(endpoint(), {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify(body),
      });
    const started = await ask({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: INFO },
    });
    expect(started.headers.get('content-type')).toBe('application/json');
    expect((await started.json()).result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'public-reviews' },
    });
    const session = {
      'Mcp-Session-Id': started.headers.get('mcp-session-id')!,
      'MCP-Protocol-Version': '2025-06-18',
    };
    const noted = await ask({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    expect(noted.status).toBe(202);
    const listed = await ask({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, session);
    expect((await listed.json()).result.tools).toHaveLength(11);
    const params = { name: 'search_reviews', arguments: { min_rating: 4, limit: 1 } };
    const called = await ask({ jsonrpc: '2.0', id: 3, method: 'tools/call', params }, session);
    const { id, result } = await called.json();
    expect([id, result.structuredContent.matched]).toEqual([3, 1]);
    const ended = await fetch(endpoint(), { method: 'DELETE', headers: session });
    expect(ended.status).toBe(204);
    expect((await ask({ jsonrpc: '2.0', id: 4, method: 'tools/list' }, session)).status).toBe(404);
  });
});
