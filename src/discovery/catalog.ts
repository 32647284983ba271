// `/.well-known/api-catalog`: where this origin's interfaces are described (RFC 9727).

import { z } from 'zod';
import { ROUTES } from '../model/routes.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import { CARD_TYPE } from './mcp-records.ts';

export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

const links = z.array(z.strictObject({ href: z.url(), type: z.string().optional() }));

/** A link set in JSON (RFC 9264, section 4.2). */
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
    { href: origin + ROUTES.showDevelopers.path, type: 'text/html' },
    { href: origin + ROUTES.getLlmsFull.path, type: 'text/plain' },
  ];
  const status = [{ href: origin + ROUTES.getHealth.path, type: JSON_TYPE.split(';')[0] }];
  return {
    linkset: [
      {
        anchor: origin + ROUTES.showHome.path,
        'service-desc': [{ href: origin + ROUTES.getOpenApi.path, type: JSON_TYPE.split(';')[0] }],
        'service-doc': documentation,
        status,
      },
      {
        anchor: origin + ROUTES.callMcp.path,
        'service-desc': [{ href: origin + ROUTES.getServerCard.path, type: CARD_TYPE }],
        'service-doc': documentation,
        status,
      },
    ],
  };
}

/** The Link header of the catalog; a HEAD request sees nothing else of it (RFC 9727, section 3). */
export function apiCatalogLink(origin: string): string {
  return `<${origin}${ROUTES.getApiCatalog.path}>; rel="api-catalog"`;
}
