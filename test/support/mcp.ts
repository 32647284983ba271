// The MCP endpoint in the test's own process, with session ends in memory.

import { randomBytes } from 'node:crypto';
import type { Config } from '../../src/config.ts';
import { COMMON_HEADERS } from '../../src/http/answer.ts';
import type { ServerFactory } from '../../src/mcp/server-factory.ts';
import { McpEndpoint } from '../../src/mcp/endpoint.ts';
import { OriginPolicy } from '../../src/mcp/origins.ts';
import { ReviewEndpoint } from '../../src/mcp/review-endpoint.ts';
import { SessionEnds, type SharedEnds } from '../../src/mcp/session-ends.ts';
import { Sessions } from '../../src/mcp/sessions.ts';

/** Ends that replicas in one process share. */
export class EndsInMemory implements SharedEnds {
  readonly #ids: string[] = [];

  save(sessions: readonly { readonly id: string }[]): Promise<void> {
    this.#ids.push(...sessions.map(({ id }) => id));
    return Promise.resolve();
  }

  load(after: number): Promise<{ ids: readonly string[]; last: number }> {
    return Promise.resolve({ ids: this.#ids.slice(after), last: this.#ids.length });
  }
}

export const SESSION_KEY = 'a key of a test, 32 characters and more';

/** A client without a limit. */
export const CALLER = {
  key: '127.0.0.1',
  headers: [],
  countMore: () => Promise.resolve(0),
};

/** An endpoint of this machine that serves something else than reviews. */
export function openEndpoint(definition: ServerFactory): Promise<McpEndpoint> {
  return McpEndpoint.open({
    definition,
    origins: new OriginPolicy('http://localhost'),
    sessions: new Sessions(SESSION_KEY, () => Date.now() / 1000, randomBytes),
    ends: new SessionEnds(new EndsInMemory()),
    requireSession: false,
    headers: COMMON_HEADERS,
    report: (error) => {
      throw error;
    },
  });
}

/** An endpoint with the settings of a configuration. `log` takes what it reports. */
export function openTestMcp(
  config: Config,
  log: (line: string) => void = () => undefined,
  {
    ends = new SessionEnds(new EndsInMemory()),
    now = () => Date.now() / 1000,
  }: { ends?: SessionEnds; now?: () => number } = {},
): Promise<ReviewEndpoint> {
  return ReviewEndpoint.open({
    origins: new OriginPolicy(config.baseUrl ?? 'http://localhost'),
    sessions: new Sessions(config.mcp.sessionKey ?? SESSION_KEY, now, randomBytes),
    ends,
    requireSession: config.mcp.requireSession,
    headers: COMMON_HEADERS,
    version: '1.2.3',
    report: (error, faultId) => log(`${faultId} ${String(error)}`),
  });
}
