// Request headers of Streamable HTTP.

import type { IncomingMessage } from 'node:http';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { MODERN_REVISION } from './protocol.ts';

/** The header under the name that the SDK's classifier has for it; empty if absent. */
export function headerOf<Key extends string>(
  headers: IncomingMessage['headers'],
  name: string,
  key: Key,
): Partial<Record<Key, string>> {
  const value = headers[name];
  return value === undefined ? {} : ({ [key]: String(value) } as Record<Key, string>);
}

/** Whether the Accept header lists both types, as the session revisions require. */
export function acceptsBothTypes({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.includes('application/json') && accept.includes('text/event-stream');
}

/**
 * Whether the standard headers are present and equal the values in the body. If not, the SDK decides
 * whether they are equivalent or wrong.
 */
export function headersMatch(
  { headers }: IncomingMessage,
  { method, params }: JSONRPCRequest,
): boolean {
  if (headers['mcp-protocol-version'] !== MODERN_REVISION) return false;
  if (headers['mcp-method'] !== method) return false;
  const name = headers['mcp-name'];
  if (method === 'tools/call' || method === 'prompts/get') return name === params?.['name'];
  return method === 'resources/read' ? name === params?.['uri'] : name === undefined;
}
