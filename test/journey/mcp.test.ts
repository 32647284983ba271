// Sessions of the running program: on several servers of one store, after a restart, and under limits.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Server, Workplace } from '../support/process.ts';
import { INITIALIZE } from '../support/rpc.ts';
import { record, until } from '../support/store.ts';

// One store, whose snapshot every server loads: none of them has to publish.
let place: Workplace;
beforeAll(async () => {
  place = await Workplace.open();
});
afterEach(() => place.stop());
afterAll(() => place.close());

const serve = (settings: Record<string, string> = {}) =>
  place.serve({ BASE_URL: 'https://reviews.example', ...settings });

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

function post(server: Server, body: object, headers: Record<string, string> = {}) {
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

async function begin(server: Server): Promise<Record<string, string>> {
  const answer = await post(server, INITIALIZE);
  return { 'Mcp-Session-Id': answer.headers.get('mcp-session-id')! };
}

const statusOf = async (server: Server, session: Record<string, string>) =>
  (await post(server, LIST, session)).status;

const end = (server: Server, session: Record<string, string>) =>
  fetch(`${server.url}/mcp`, { method: 'DELETE', headers: session });

describe('a session', () => {
  test('begun on one server is known on another, and ended on either is soon ended on both', async () => {
    const [first, second] = [await serve(), await serve()];
    const [one, other] = [await begin(first), await begin(second)];
    expect([await statusOf(second, one), await statusOf(first, other)]).toEqual([200, 200]);
    expect((await end(first, one)).status).toBe(204);
    expect(await statusOf(first, one)).toBe(404);
    await until(async () => (await statusOf(second, one)) === 404);
    expect([await statusOf(first, other), await statusOf(second, other)]).toEqual([200, 200]);
  });

  test('outlives the server that began it, and so does its end', async () => {
    const first = await serve();
    const [one, other] = [await begin(first), await begin(first)];
    await end(first, one);
    await first.kill();
    const second = await serve();
    expect([await statusOf(second, one), await statusOf(second, other)]).toEqual([404, 200]);
  });

  test('is signed with the key of the operator, where there is one', async () => {
    const key = { MCP_SESSION_KEY: 'k'.repeat(32) };
    const session = await begin(await serve(key));
    expect(await statusOf(await serve(key), session)).toBe(200);
    expect(await statusOf(await serve(), session)).toBe(404);
  });

  test('is demanded where the operator wants it', async () => {
    const server = await serve({ MCP_REQUIRE_SESSION: 'true' });
    expect((await post(server, LIST)).status).toBe(400);
    expect(await statusOf(server, await begin(server))).toBe(200);
  });
});

describe('an import', () => {
  test('is answered from as soon as it is served, to whoever listens too', async () => {
    const server = await serve();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const stop = new AbortController();
    const listening = await fetch(`${server.url}/mcp`, {
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
    let heard = '';
    const reading = listening.body!.pipeTo(
      new WritableStream({
        write: (chunk: Uint8Array) => {
          heard += Buffer.from(chunk).toString();
        },
      }),
    );
    await until(() => heard.includes('acknowledged'));
    const file = await place.write('reviews.json', [record({ text: 'Mike fixed the boiler.' })]);
    await place.run('import', file);
    await until(() => heard.includes('notifications/resources/updated'));
    const params = { name: 'get_business', arguments: {} };
    const answer = await post(server, { ...LIST, method: 'tools/call', params });
    const { result } = (await answer.json()) as { result: { structuredContent: object } };
    expect(result.structuredContent).toMatchObject({ review_count: 1 });
    // The server ends although somebody listens: it completes the answer, and does not cut it.
    expect(await server.stop()).toBe(0);
    await reading;
    expect(heard).toContain('"resultType":"complete"');
  });
});

describe('a limit of requests', () => {
  test('counts those to /mcp too', async () => {
    const server = await serve({ RATE_LIMIT_PER_MINUTE: '3' });
    const statuses = [];
    for (let call = 0; call < 5; call++) statuses.push((await post(server, LIST)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});
