// What an endpoint serves, as far as the endpoint must know.

import type { JSONRPCRequest, McpServer } from '@modelcontextprotocol/server';
import type { AnswerBypass } from './shared-server.ts';
import type { Era } from './protocol.ts';

export interface ServerFactory {
  /** Builds a server of the SDK; with `bypass` its tools may hand their answers past it. */
  build(era: Era, bypass: AnswerBypass | null): McpServer;
  /**
   * Whether a request for a tool, a resource or a prompt needs nothing but one answer, so that a server
   * for all clients can give it.
   */
  isShareable(request: JSONRPCRequest): boolean;
}
