// `/.well-known/api-catalog`: where this origin's interfaces are described (RFC 9727).

import { z } from 'zod';
import { CARD_PATH, CARD_TYPE } from './mcp-records.ts';
import { MCP_PATH } from '../mcp/protocol.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import { OPENAPI_PATH } from '../openapi/paths.ts';

export const API_CATALOG_PATH = '/.well-known/api-catalog';
export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

const links = z.array(z.strictObject({ href: z.url(), type: z.string().optional() }));

/** A link set (RFC 9264, section 4.2). */
export const apiCatalogSchema = z.strictObject({
  linkset: z.array(
    z.strictObject({
      anchor: z.url(),
      'service-desc': links,
      'service-doc': links,
      status: links,
    }),
  ),
});

export function buildApiCatalog(origin: string): z.infer<typeof apiCatalogSchema> {
  const documentation = [
    { href: `${origin}/developers`, type: 'text/html' },
    { href: `${origin}/llms-full.txt`, type: 'text/plain' },
  ];
  const status = [{ href: `${origin}/healthz`, type: JSON_TYPE.split(';')[0] }];
  return {
    linkset: [
      {
        anchor: `${origin}/`,
        'service-desc': [{ href: origin + OPENAPI_PATH, type: JSON_TYPE.split(';')[0] }],
        'service-doc': documentation,
        status,
      },
      {
        anchor: origin + MCP_PATH,
        'service-desc': [{ href: origin + CARD_PATH, type: CARD_TYPE }],
        'service-doc': documentation,
        status,
      },
    ],
  };
}

/** On HEAD the catalogue is known by this Link alone (RFC 9727, section 3). */
export function apiCatalogLink(origin: string): string {
  return `<${origin}${API_CATALOG_PATH}>; rel="api-catalog"`;
}
