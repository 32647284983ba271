// The MCP endpoint in the test process, with session ends in memory.

import { randomBytes } from 'node:crypto';
import type { Config } from '../../src/config.ts';
import { COMMON_HEADERS } from '../../src/http/answer.ts';
import type { ServerFactory } from '../../src/mcp/server-factory.ts';
import { McpEndpoint } from '../../src/mcp/endpoint.ts';
import { OriginPolicy } from '../../src/mcp/origins.ts';
import { ReviewEndpoint } from '../../src/mcp/review-endpoint.ts';
import { SessionEnds, type SessionEndStore } from '../../src/mcp/session-ends.ts';
import { Sessions } from '../../src/mcp/sessions.ts';

/** Session ends shared by replicas in one process. */
export class EndsInMemory implements SessionEndStore {
  readonly #ids: string[] = [];

  save(sessions: readonly { readonly id: string }[]): Promise<void> {
    this.#ids.push(...sessions.map(({ id }) => id));
    return Promise.resolve();
  }

  load(after: number): Promise<{ ids: readonly string[]; last: number }> {
    return Promise.resolve({ ids: this.#ids.slice(after), last: this.#ids.length });
  }
}

export const SESSION_KEY = 'a test key of 32 characters or more';

/** A client without a rate limit. */
export const CALLER = {
  key: '127.0.0.1',
  headers: [],
  countMore: () => Promise.resolve(0),
  takeTurn: () => Promise.resolve({ end: () => undefined }),
};

/** Opens an endpoint on localhost for any server factory. */
export function openEndpoint(servers: ServerFactory): Promise<McpEndpoint> {
  return McpEndpoint.open({
    servers,
    origins: new OriginPolicy('http://localhost'),
    sessions: new Sessions(SESSION_KEY, () => Date.now() / 1000, randomBytes),
    sessionEnds: new SessionEnds(new EndsInMemory(), true),
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
  {
    ends = new SessionEnds(new EndsInMemory(), true),
    nowSeconds = () => Date.now() / 1000,
  }: { ends?: SessionEnds; nowSeconds?: () => number } = {},
): Promise<ReviewEndpoint> {
  return ReviewEndpoint.open({
    origins: new OriginPolicy(config.baseUrl ?? 'http://localhost'),
    sessions: new Sessions(config.mcp.sessionKey ?? SESSION_KEY, nowSeconds, randomBytes),
    sessionEnds: ends,
    requireSession: config.mcp.requireSession,
    headers: COMMON_HEADERS,
    version: '1.2.3',
    report: (error, faultId) => log(`${faultId} ${String(error)}`),
  });
}
