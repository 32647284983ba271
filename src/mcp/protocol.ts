// The one place for names that both our code and the protocol use.

import { SESSION_REVISIONS } from './sessions.ts';

/** What the server calls itself, to clients and to registries. */
export const SERVER_NAME = 'public-reviews';

/** The revision without sessions. */
export const MODERN_REVISION = '2026-07-28';

/** What is served. */
export const REVISIONS: readonly string[] = [MODERN_REVISION, ...SESSION_REVISIONS];

/** Revisions of the protocol come in two generations, which are served differently. */
export type Era = 'modern' | 'legacy';

/** Headers that pages in a browser must be allowed to send. */
export const MCP_HEADERS = [
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
];
