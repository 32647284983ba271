// Creates the SDK servers of an endpoint.

import type { JSONRPCRequest, McpServer } from '@modelcontextprotocol/server';
import type { AnswerBypass } from './shared-server.ts';
import type { Era } from './protocol.ts';

export interface ServerFactory {
  /** Creates an SDK server. With `bypass`, tools may pass their answers around the SDK. */
  build(era: Era, bypass: AnswerBypass | null): McpServer;
  /**
   * Whether a shared server can answer a request for a tool, resource or prompt: it needs one response
   * and nothing else from or about its client.
   */
  isShareable(request: JSONRPCRequest): boolean;
}
