// How agents find the endpoint: the server card (SEP-2127), the catalogue that leads to it, and the
// record that an operator hands to the MCP registry.

import { z } from 'zod';
import type { Business } from '../model/business.ts';
import { MCP_PATH, REVISIONS, SERVER_NAME } from '../mcp/protocol.ts';

/** Where each is read. */
export const CARD_PATH = `${MCP_PATH}/server-card`;
export const CATALOG_PATH = '/.well-known/ai-catalog.json';
export const REGISTRY_PATH = '/server.json';

export const CARD_TYPE = 'application/mcp-server-card+json';
export const CATALOG_TYPE = 'application/ai-catalog+json';

/** As long as a description and a title may be. */
const MOST_CHARACTERS = 100;

const identityShape = {
  $schema: z.url(),
  name: z.string().describe('the host name reversed, and the name of the server'),
  title: z.string().max(MOST_CHARACTERS),
  description: z.string().max(MOST_CHARACTERS),
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
  specVersion: z.literal('1.0'),
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

/** What the records are made of. */
export interface Discovered {
  /** Public base URL, without a trailing slash. */
  readonly origin: string;
  readonly business: Pick<Business, 'name' | 'url'>;
  readonly version: string;
}

/** The server card. It names no tools: those are asked for once connected. */
export function renderCard(discovered: Discovered): z.infer<typeof cardSchema> {
  const remotes = [{ ...remoteOf(discovered), supportedProtocolVersions: [...REVISIONS] }];
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...identityOf(discovered),
    remotes,
  };
}

/** The catalogue of what the origin offers to agents. */
export function renderCatalog({ origin, business }: Discovered): z.infer<typeof catalogSchema> {
  return {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${new URL(origin).hostname}:${SERVER_NAME}`,
        displayName: titleOf(business),
        type: CARD_TYPE,
        url: origin + CARD_PATH,
        representativeQueries: representativeQueries(business),
      },
    ],
  };
}

/** `server.json` of the MCP registry, to be published by who can prove that the domain is theirs. */
export function renderRegistryRecord(discovered: Discovered): z.infer<typeof registryRecordSchema> {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...identityOf(discovered),
    remotes: [remoteOf(discovered)],
  };
}

function remoteOf({ origin }: Discovered) {
  return { type: 'streamable-http' as const, url: origin + MCP_PATH };
}

function identityOf({ origin, business, version }: Discovered) {
  return {
    name: `${reversed(new URL(origin).hostname)}/${SERVER_NAME}`,
    title: titleOf(business),
    description: cut(`What verified customers say about ${business.name}.`),
    version,
    websiteUrl: business.url ?? origin,
  };
}

/** Questions that the tools answer, for whoever matches an agent's task with what there is. */
function representativeQueries({ name }: Pick<Business, 'name'>): string[] {
  return [
    `What do customers say about ${name}?`,
    `What do customers of ${name} complain about?`,
    `Which services and people of ${name} do customers recommend?`,
    `Are the ratings of ${name} improving?`,
  ].map(cut);
}

function titleOf({ name }: Pick<Business, 'name'>): string {
  return cut(`Reviews of ${name}`);
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 3)}...`;
}

/** `reviews.example.com` as `com.example.reviews`. */
function reversed(hostname: string): string {
  return hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-').split('.').toReversed().join('.');
}
