// Names and revisions of the protocol as this server uses them.

import { SESSION_REVISIONS } from './sessions.ts';

/** The server's name, for clients and registries. */
export const SERVER_NAME = 'public-reviews';

export const MODERN_REVISION = '2026-07-28';

/** The supported revisions, newest first. */
export const REVISIONS: readonly string[] = [MODERN_REVISION, ...SESSION_REVISIONS];

/** `modern` is 2026-07-28, without sessions; `legacy` is every revision with sessions. */
export type Era = 'modern' | 'legacy';

/** Request headers that CORS must allow. */
export const MCP_HEADERS = [
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
];
