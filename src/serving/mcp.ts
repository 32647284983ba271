// Opens the MCP endpoint. Its sessions are valid on every server of the same store.

import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { COMMON_HEADERS } from '../http/answer.ts';
import { OriginPolicy } from '../mcp/origins.ts';
import { ReviewEndpoint } from '../mcp/review-endpoint.ts';
import { MCP_LIMITS } from '../mcp/limits.ts';
import { SessionEnds } from '../mcp/session-ends.ts';
import { type Session, Sessions } from '../mcp/sessions.ts';
import type { Database } from '../store/database.ts';
import { loadSessionEnds, loadSessionKey, saveSessionEnds } from '../store/session-ends.ts';
import { VERSION } from '../version.ts';

export interface Agents {
  readonly endpoint: ReviewEndpoint;
  /** Ends open streams. */
  close(): Promise<void>;
}

/**
 * The signal stops looking for sessions that other servers ended.
 *
 * @param isAlone whether no other process serves the same store
 */
export async function openAgents(
  config: Config,
  logger: FastifyBaseLogger,
  database: Database,
  signal: AbortSignal,
  isAlone: boolean,
): Promise<Agents> {
  const store = {
    save: (sessions: readonly Session[]) =>
      saveSessionEnds(database, sessions, {
        maxEnds: MCP_LIMITS.sessionEnds.value,
        nowSeconds: Math.floor(Date.now() / 1000),
      }),
    load: (after: number) => loadSessionEnds(database, after),
  };
  const ends = new SessionEnds(store, isAlone);
  await ends.refresh();
  const following = ends.follow(signal);
  const secret = config.mcp.sessionKey ?? (await loadSessionKey(database, newKey()));
  const endpoint = await ReviewEndpoint.open({
    origins: new OriginPolicy(config.baseUrl ?? 'http://localhost'),
    sessions: new Sessions(secret, () => Date.now() / 1000, randomBytes),
    sessionEnds: ends,
    requireSession: config.mcp.requireSession,
    headers: COMMON_HEADERS,
    version: VERSION,
    report: (error, faultId) => logger.error({ err: error, faultId }, 'an MCP request failed'),
  });
  return {
    endpoint,
    async close() {
      await Promise.all([endpoint.close(), following]);
    },
  };
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}
