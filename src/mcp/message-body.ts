// Parses request bodies and refuses messages that are nested too deep or have too many values: the SDK
// validates recursively and reports every malformed value.

import type { RequestId } from '@modelcontextprotocol/server';
import { badRequest, type Rejection } from './http-exchange.ts';
import { ERROR_CODES, idOf, renameProtoArguments } from './json-rpc.ts';
import { MCP_LIMITS } from './limits.ts';

type ParsedBody =
  | { readonly ok: true; readonly message: unknown }
  | { readonly ok: false; readonly rejection: Rejection; readonly id: RequestId | null };

/** Parses a body: a message or a batch, whose messages are limited one by one. */
export function parseBody(text: string): ParsedBody {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    const rejection = badRequest(ERROR_CODES.parseError, 'Parse error: the body is not JSON');
    return { ok: false, rejection, id: null };
  }
  for (const single of Array.isArray(message) ? (message as readonly unknown[]) : [message]) {
    const excess = excessOf(single);
    if (excess === null) continue;
    const reason = `Invalid Request: ${excess}`;
    const rejection = badRequest(ERROR_CODES.invalidRequest, reason);
    return { ok: false, rejection, id: idOf(message) };
  }
  return { ok: true, message: renameProtoArguments(message) };
}

const MAX = {
  levels: MCP_LIMITS.messageLevels,
  members: MCP_LIMITS.messageMembers,
  values: MCP_LIMITS.messageValues,
};

/**
 * Says which limit a message exceeds; null if none. Stops at the first one, and does not recurse: a
 * body of the maximum size can be nested 32,000 levels deep.
 */
function excessOf(message: unknown): string | null {
  const open: { readonly value: unknown; readonly level: number }[] = [
    { value: message, level: 1 },
  ];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, level } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (level > MAX.levels)
      return `expected at most ${MAX.levels} levels of nesting in a message, got more`;
    const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (members.length > MAX.members) {
      const what = Array.isArray(value) ? 'elements in an array' : 'members in an object';
      return `expected at most ${MAX.members} ${what}, got ${members.length}`;
    }
    values += members.length;
    if (values > MAX.values) return `expected at most ${MAX.values} values in a message, got more`;
    for (const member of members) open.push({ value: member, level: level + 1 });
  }
  return null;
}
