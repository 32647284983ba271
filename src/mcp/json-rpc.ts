// JSON-RPC errors: the transport's own, and corrections of the SDK's.

import {
  type JSONRPCRequest,
  type RequestId,
  type SpecTypeName,
  specTypeSchemas,
} from '@modelcontextprotocol/server';

/** Malformed values that an error names; the rest is counted. */
const MAX_NAMED_ISSUES = 10;

/** Error codes of JSON-RPC and of the transport. */
export const ERROR_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  transport: -32_000,
  sessionNotFound: -32_001,
} as const;

export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function renderError(error: JsonRpcError, id: RequestId | null = null): string {
  return JSON.stringify({ jsonrpc: '2.0', error, id });
}

/** The id of a message, or null if it is not a request with a valid id. */
export function idOf(message: unknown): RequestId | null {
  if (typeof message !== 'object' || message === null || !('method' in message)) return null;
  const { id } = message as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The replacement name of an argument named `__proto__`, which the SDK would drop silently. */
export const PROTO_ARGUMENT = '"__proto__"';

/** Renames arguments named `__proto__` in a message or batch, so that the SDK keeps them. */
export function renameProtoArguments(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(renameProtoArguments);
  const message = body as { readonly params?: { readonly arguments?: unknown } | null } | null;
  const args = message?.params?.arguments;
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, '__proto__')) return body;
  const renamed = Object.entries(args).map(([name, value]): [string, unknown] => [
    name === '__proto__' ? PROTO_ARGUMENT : name,
    value,
  ]);
  return { ...message, params: { ...message?.params, arguments: Object.fromEntries(renamed) } };
}

const REQUEST_TYPES: Readonly<Record<string, SpecTypeName>> = {
  initialize: 'InitializeRequest',
  ping: 'PingRequest',
  'tools/list': 'ListToolsRequest',
  'tools/call': 'CallToolRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'resources/read': 'ReadResourceRequest',
  'prompts/list': 'ListPromptsRequest',
  'prompts/get': 'GetPromptRequest',
  'completion/complete': 'CompleteRequest',
};

/** The methods that list what a method takes. */
const LISTS: Readonly<Record<string, string>> = {
  'tools/call': 'tools/list',
  'resources/read': 'resources/list and resources/templates/list',
  'prompts/get': 'prompts/list',
};
const ALL_LISTS = Object.values(LISTS).join(', ');

/**
 * Corrects an error of the SDK: it answers malformed params with an internal error and a parser dump
 * (typescript-sdk issue 2284). Any other internal error is a fault: its message is not for the client.
 */
export function normalizeError(request: JSONRPCRequest, error: JsonRpcError): JsonRpcError {
  const lists = error.code === ERROR_CODES.methodNotFound ? ALL_LISTS : LISTS[request.method];
  if (lists !== undefined && error.message.includes('not found')) {
    return { ...error, message: `${error.message}: see ${lists}` };
  }
  const isDump = error.code === ERROR_CODES.invalidParams && error.message.includes('[\n');
  if (error.code !== ERROR_CODES.internalError && !isDump) return error;
  const type = REQUEST_TYPES[request.method];
  const found = type && specTypeSchemas[type]['~standard'].validate(request).issues;
  if (found) {
    const named = found.slice(0, MAX_NAMED_ISSUES);
    const issues = named.map(({ path = [], message }) => {
      const keys = path.map((step) => String(typeof step === 'object' ? step.key : step));
      return `${keys.join('.')}: ${message}`;
    });
    if (found.length > named.length) issues.push(`and ${found.length - named.length} more`);
    return { code: ERROR_CODES.invalidParams, message: `Invalid params: ${issues.join('; ')}` };
  }
  return { code: ERROR_CODES.internalError, message: 'Internal error' };
}
