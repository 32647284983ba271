// How agents discover the MCP endpoint: the server card (SEP-2127), the catalog that names it, and the
// record that an operator submits to the MCP registry.

import { z } from 'zod';
import type { Business } from '../model/business.ts';
import { ROUTES } from '../model/routes.ts';
import { REVISIONS, SERVER_NAME } from '../mcp/protocol.ts';

export const CARD_TYPE = 'application/mcp-server-card+json';
export const CATALOG_TYPE = 'application/ai-catalog+json';

/** Maximum length of a title and of a description. */
const MAX_CHARACTERS = 100;

const identityShape = {
  $schema: z.url(),
  name: z.string().describe('the host name reversed, a slash, and the name of the server'),
  title: z.string().max(MAX_CHARACTERS),
  description: z.string().max(MAX_CHARACTERS),
  version: z.string(),
  websiteUrl: z.url(),
};
const remoteShape = { type: z.literal('streamable-http'), url: z.url() };

export const cardSchema = z.strictObject({
  ...identityShape,
  remotes: z.array(
    z.strictObject({ ...remoteShape, supportedProtocolVersions: z.array(z.string()) }),
  ),
});

export const catalogSchema = z.strictObject({
  specVersion: z.literal('0.9'),
  entries: z.array(
    z.strictObject({
      identifier: z.string(),
      displayName: z.string(),
      type: z.literal(CARD_TYPE),
      url: z.url(),
      representativeQueries: z.array(z.string()).min(2).max(5),
    }),
  ),
});

export const registryRecordSchema = z.strictObject({
  ...identityShape,
  remotes: z.array(z.strictObject(remoteShape)),
});

export interface RecordInput {
  /** Public base URL, without a trailing slash. */
  readonly origin: string;
  readonly business: Pick<Business, 'name' | 'url'>;
  readonly version: string;
}

/** The server card. It lists no tools: clients request them after connecting. */
export function renderCard(input: RecordInput): z.infer<typeof cardSchema> {
  const remotes = [{ ...remoteOf(input), supportedProtocolVersions: [...REVISIONS] }];
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...identityOf(input),
    remotes,
  };
}

/** The catalog of what the origin offers to agents: an AI Catalog 0.9, and a manifest of ARD 0.91, which needs `displayName`. */
export function renderCatalog({ origin, business }: RecordInput): z.infer<typeof catalogSchema> {
  return {
    specVersion: '0.9',
    entries: [
      {
        identifier: `urn:air:${new URL(origin).hostname}:mcp:${SERVER_NAME}`,
        displayName: titleOf(business),
        type: CARD_TYPE,
        url: origin + ROUTES.getServerCard.path,
        representativeQueries: representativeQueries(business),
      },
    ],
  };
}

/** `server.json` of the MCP registry. Only the owner of the domain can publish it there. */
export function renderRegistryRecord(input: RecordInput): z.infer<typeof registryRecordSchema> {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...identityOf(input),
    remotes: [remoteOf(input)],
  };
}

function remoteOf({ origin }: RecordInput) {
  return { type: 'streamable-http' as const, url: origin + ROUTES.callMcp.path };
}

function identityOf({ origin, business, version }: RecordInput) {
  const host = new URL(origin).hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-');
  return {
    // `com.example.reviews` for `reviews.example.com`.
    name: `${host.split('.').toReversed().join('.')}/${SERVER_NAME}`,
    title: titleOf(business),
    description: truncate(`What verified customers say about ${business.name}.`),
    version,
    websiteUrl: business.url ?? origin,
  };
}

/** Questions that the tools answer, so that clients can match a task to this server. */
function representativeQueries({ name }: Pick<Business, 'name'>): string[] {
  return [
    `What do customers say about ${name}?`,
    `What do customers of ${name} complain about?`,
    `Which services and people of ${name} do customers recommend?`,
    `Are the ratings of ${name} improving?`,
  ].map(truncate);
}

function titleOf({ name }: Pick<Business, 'name'>): string {
  return truncate(`Reviews of ${name}`);
}

function truncate(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 3)}...`;
}
