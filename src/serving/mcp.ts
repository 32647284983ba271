// Opens the MCP endpoint. Its sessions are valid on every server of the same store.

import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { COMMON_HEADERS } from '../http/answer.ts';
import { OriginPolicy } from '../mcp/origins.ts';
import { ReviewEndpoint } from '../mcp/review-endpoint.ts';
import { Sessions } from '../mcp/sessions.ts';
import type { Database } from '../store/database.ts';
import { createSecret } from '../store/secrets.ts';
import { VERSION } from '../version.ts';

export async function openMcp(
  config: Config,
  logger: FastifyBaseLogger,
  database: Database,
): Promise<ReviewEndpoint> {
  const secret = config.mcp.sessionKey ?? (await sharedKey(database));
  return ReviewEndpoint.open({
    origins: new OriginPolicy(config.baseUrl ?? 'http://localhost'),
    sessions: new Sessions(secret, () => Date.now() / 1000, randomBytes),
    requireSession: config.mcp.requireSession,
    headers: COMMON_HEADERS,
    version: VERSION,
    report: (error, faultId) => logger.error({ err: error, faultId }, 'an MCP request failed'),
  });
}

/** The stored key; a new one if there is none yet. */
function sharedKey(database: Database): Promise<string> {
  const proposed = randomBytes(32).toString('base64url');
  return database.write((transaction) => createSecret(transaction, 'mcp_session_key', proposed));
}
