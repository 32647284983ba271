// What an endpoint serves, as far as the endpoint must know.

import type { JSONRPCRequest, McpServer } from '@modelcontextprotocol/server';
import type { HandOver } from './calls.ts';
import type { Era } from './protocol.ts';

export interface Definition {
  /** Builds a server of the SDK; with `handOver` its tools may hand their answers past it. */
  build(era: Era, handOver: HandOver | null): McpServer;
  /**
   * Whether a request for a tool, a resource or a prompt needs nothing but one answer, so that a server
   * for all clients can give it.
   */
  isShared(request: JSONRPCRequest): boolean;
}
