// Speaks MCP as bytes: what goes out is what the test wrote.

import type { Answer, Json, TestServer } from './http.ts';

/** A session client of 2025-06-18, or a client of 2026-07-28. */
export type Era = 'legacy' | 'modern';

export const BOTH = 'application/json, text/event-stream';

/** The `_meta` that every request of 2026-07-28 carries. */
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

/** Posts a body; anything but text becomes JSON. */
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

/** The body and headers of a request in the words of an era. */
export function wordsOf(
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

export async function ask(
  server: TestServer,
  era: Era,
  method: string,
  params?: Record<string, unknown>,
): Promise<Json> {
  const { body, headers } = wordsOf(era, method, params);
  return JSON.parse((await post(server, body, headers)).text);
}

/** The result of a tool. */
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

/** The id of a new session. */
export async function openSession(server: TestServer, protocolVersion = '2025-06-18') {
  const params = { ...INITIALIZE.params, protocolVersion };
  const answer = await post(server, { ...INITIALIZE, params });
  return answer.headers['mcp-session-id'] as string;
}
