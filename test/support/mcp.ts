// The MCP endpoint in the test process.

import { randomBytes } from 'node:crypto';
import type { Config } from '../../src/config.ts';
import { COMMON_HEADERS } from '../../src/http/answer.ts';
import type { ServerFactory } from '../../src/mcp/shared-server.ts';
import { McpEndpoint } from '../../src/mcp/endpoint.ts';
import { OriginPolicy } from '../../src/mcp/origins.ts';
import { ReviewEndpoint } from '../../src/mcp/review-endpoint.ts';
import { Sessions } from '../../src/mcp/sessions.ts';

export const SESSION_KEY = 'a test key of 32 characters or more';

/** A client without a rate limit. */
export const CALLER = {
  key: '127.0.0.1',
  countMore: () => Promise.resolve(0),
  takeTurn: () => Promise.resolve({ end: () => undefined }),
};

/** Opens an endpoint on localhost for any server factory. */
export function openEndpoint(servers: ServerFactory): Promise<McpEndpoint> {
  return McpEndpoint.open({
    servers,
    origins: new OriginPolicy('http://localhost'),
    sessions: new Sessions(SESSION_KEY, () => Date.now() / 1000, randomBytes),
    requireSession: false,
    headers: COMMON_HEADERS,
    report: (error) => {
      throw error;
    },
  });
}

/** Opens the review endpoint with the settings of a configuration. `log` receives reported faults. */
export function openTestMcp(
  config: Config,
  log: (line: string) => void = () => undefined,
): Promise<ReviewEndpoint> {
  return ReviewEndpoint.open({
    origins: new OriginPolicy(config.baseUrl ?? 'http://localhost'),
    sessions: new Sessions(
      config.mcp.sessionKey ?? SESSION_KEY,
      () => Date.now() / 1000,
      randomBytes,
    ),
    requireSession: config.mcp.requireSession,
    headers: COMMON_HEADERS,
    version: '1.2.3',
    report: (error, faultId) => log(`${faultId} ${String(error)}`),
  });
}
