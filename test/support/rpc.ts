// Sends MCP requests as raw HTTP, without a client library.

import type { Answer, Json, TestServer } from './http.ts';

/** A client of a session revision, or of 2026-07-28. */
export type Era = 'legacy' | 'modern';

export const BOTH = 'application/json, text/event-stream';

/** The `_meta` of every request of 2026-07-28. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
};

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  },
};

/** Posts a body. Anything but a string is serialized as JSON. */
export function post(
  server: TestServer,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/mcp',
): Promise<Answer> {
  return server.ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: BOTH, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The body and headers of a request in an era. */
export function requestOf(
  era: Era,
  method: string,
  params: Record<string, unknown> = {},
  id: string | number = 1,
): { body: object; headers: Record<string, string> } {
  const request = { jsonrpc: '2.0', id, method };
  if (era === 'legacy') return { body: { ...request, params }, headers: {} };
  const name = params['name'] ?? params['uri'];
  return {
    body: { ...request, params: { ...params, _meta: ENVELOPE } },
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
    },
  };
}

/** Sends a request and returns the response's JSON. */
export async function ask(
  server: TestServer,
  era: Era,
  method: string,
  params?: Record<string, unknown>,
): Promise<Json> {
  const { body, headers } = requestOf(era, method, params);
  return JSON.parse((await post(server, body, headers)).text);
}

/** Calls a tool and returns its result. */
export async function callTool(
  server: TestServer,
  name: string,
  args: Record<string, unknown> = {},
  era: Era = 'legacy',
): Promise<Json> {
  const { result, error } = await ask(server, era, 'tools/call', { name, arguments: args });
  if (error) throw new Error(JSON.stringify(error));
  return result;
}

/** Starts a session and returns its id. */
export async function openSession(server: TestServer, protocolVersion = '2025-06-18') {
  const params = { ...INITIALIZE.params, protocolVersion };
  const answer = await post(server, { ...INITIALIZE, params });
  return answer.headers['mcp-session-id'] as string;
}

/** Listens for updates of a resource, in revision 2026-07-28. */
export function listenTo(origin: string, uri: string, signal: AbortSignal): Promise<Response> {
  const { body, headers } = requestOf('modern', 'subscriptions/listen', {
    notifications: { resourceSubscriptions: [uri] },
  });
  return fetch(`${origin}/mcp`, {
    method: 'POST',
    signal,
    headers: { 'Content-Type': 'application/json', Accept: BOTH, ...headers },
    body: JSON.stringify(body),
  });
}
