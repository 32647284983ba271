// MCP sessions of running servers: across replicas, after restarts and under rate limits.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../support/patience.ts';
import { Workplace } from '../support/process.ts';
import { INITIALIZE } from '../support/rpc.ts';
import type { RunningServer } from '../support/running-server.ts';
import { record } from '../support/store.ts';

// All servers load the published snapshot of one store, so none has to publish.
const ORIGIN = 'https://reviews.example';

let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
  await place.publishFor(ORIGIN);
});
afterEach(() => place.stop());
afterAll(() => place.close());

const serveHere = (settings: Record<string, string> = {}) =>
  place.serveHere({ BASE_URL: ORIGIN, ...settings });

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

function post(server: RunningServer, body: object, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

async function startSession(server: RunningServer): Promise<Record<string, string>> {
  const answer = await post(server, INITIALIZE);
  return { 'Mcp-Session-Id': answer.headers.get('mcp-session-id')! };
}

const statusOf = async (server: RunningServer, session: Record<string, string>) =>
  (await post(server, LIST, session)).status;

const end = (server: RunningServer, session: Record<string, string>) =>
  fetch(`${server.url}/mcp`, { method: 'DELETE', headers: session });

describe('a session', () => {
  test('started on one server is accepted by another, also after it ended on the first', async () => {
    const [first, second] = [await serveHere(), await serveHere()];
    const [one, other] = [await startSession(first), await startSession(second)];
    expect([await statusOf(second, one), await statusOf(first, other)]).toEqual([200, 200]);
    expect((await end(first, one)).status).toBe(204);
    expect([await statusOf(first, one), await statusOf(second, one)]).toEqual([404, 200]);
    expect([await statusOf(first, other), await statusOf(second, other)]).toEqual([200, 200]);
  });

  test('survives a restart of its server', async () => {
    const first = await place.serve({ BASE_URL: ORIGIN });
    const session = await startSession(first);
    await first.kill();
    expect(await statusOf(await serveHere(), session)).toBe(200);
  });

  test("is signed with the operator's key if configured", async () => {
    const key = { MCP_SESSION_KEY: 'k'.repeat(32) };
    const session = await startSession(await serveHere(key));
    expect(await statusOf(await serveHere(key), session)).toBe(200);
    expect(await statusOf(await serveHere(), session)).toBe(404);
  });

  test('is required if configured', async () => {
    const server = await serveHere({ MCP_REQUIRE_SESSION: 'true' });
    expect((await post(server, LIST)).status).toBe(400);
    expect(await statusOf(server, await startSession(server))).toBe(200);
  });
});

describe('an import', () => {
  test('updates answers and notifies subscribers', async () => {
    const server = await place.serve({ BASE_URL: ORIGIN });
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const stop = new AbortController();
    const stream = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      signal: stop.signal,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { resourceSubscriptions: ['reviews://summary'] },
          _meta: meta,
        },
      }),
    });
    let received = '';
    const reading = stream.body!.pipeTo(
      new WritableStream({
        write: (chunk: Uint8Array) => {
          received += Buffer.from(chunk).toString();
        },
      }),
    );
    await until(() => received.includes('acknowledged'));
    const file = await place.write('reviews.json', [record({ text: 'Mike fixed the boiler.' })]);
    await place.importHere(file);
    await until(() => received.includes('notifications/resources/updated'));
    const params = { name: 'get_business', arguments: {} };
    const answer = await post(server, { ...LIST, method: 'tools/call', params });
    const { result } = (await answer.json()) as { result: { structuredContent: object } };
    expect(result.structuredContent).toMatchObject({ review_count: 1 });
    // The server stops despite the open stream, and completes it instead of cutting it off.
    expect(await server.stop()).toBe(0);
    await reading;
    expect(received).toContain('"resultType":"complete"');
  });
});

describe('a rate limit', () => {
  test('applies to /mcp', async () => {
    const server = await serveHere({ RATE_LIMIT_PER_MINUTE: '3' });
    const statuses = [];
    for (let call = 0; call < 5; call++) statuses.push((await post(server, LIST)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});
