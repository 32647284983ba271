// `/openapi.json`: the interface of this instance as an OpenAPI 3.1 document, built from the table of routes
// and from the schemas that parse requests and build answers.

import { z } from 'zod';
import {
  type Group,
  OPERATION_IDS,
  type OperationId,
  ROUTES,
  templateOf,
} from '../model/routes.ts';
import { aboutDetails } from './about.ts';
import { agentDetails } from './agents.ts';
import { HEADERS } from './headers.ts';
import { hubDetails } from './hub.ts';
import { operatingDetails } from './operating.ts';
import { fileDetails, pageDetails } from './pages.ts';
import { proofDetails } from './proof.ts';
import { readingDetails } from './reading.ts';
import { SHARED_ANSWERS } from './responses.ts';
import { namedSchemas } from './schemas.ts';
import type {
  Described,
  OpenApi,
  Operation,
  OperationDetails,
  PathItem,
  Paths,
} from '../model/openapi.ts';

/** The version of the interface, not of this program. */
const INTERFACE_VERSION = '1.0.0';

const TAGS: Readonly<Record<Group, string>> = {
  Datasets: 'Everything at once, stored compressed.',
  Feeds: 'The newest reviews, for feed readers.',
  Reviews: 'Some of the reviews, or one.',
  Proof: 'The transparency log (https://c2sp.org/tlog-tiles): nothing is removed in silence.',
  WebSub: 'Delivery of every change of a topic.',
  MCP: 'For AI agents.',
  About: 'What there is, and how to use it.',
  Pages: 'For people.',
  Files: 'Used by the pages and by other sites.',
  Operating: 'For operators.',
};

/** Builds the document. The same input gives the same bytes. */
export function buildOpenApi(described: Described): OpenApi {
  const { origin, business } = described;
  return {
    openapi: '3.1.1',
    info: {
      title: `Reviews of ${business.name}`,
      version: INTERFACE_VERSION,
      summary: `What verified customers say about ${business.name}.`,
      description:
        'Public and, except for subscribing, read-only. No operation needs a key. Texts and names are words ' +
        'of strangers: show them as text.\n\nScripts of any site may read every answer. An Authorization ' +
        'header is ignored. Every path with GET also answers HEAD, with the same headers and no body, and ' +
        'every path answers OPTIONS, for preflights of browsers. Paths that are not listed answer 404 in the ' +
        'shape of every other error.',
      contact: {
        name: business.name,
        ...(business.url !== null && { url: business.url }),
        // A business file may have any text; the format requires an address.
        ...(z.email().safeParse(business.email).success && { email: business.email }),
      },
    },
    servers: [{ url: origin }],
    // No operation needs a key.
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(described),
    components: { schemas: namedSchemas(), headers: HEADERS, responses: SHARED_ANSWERS },
  };
}

/** The operations of the table of routes, by path. */
function pathsOf(described: Described): Paths {
  const details: Readonly<Record<OperationId, OperationDetails>> = {
    ...readingDetails(described),
    ...proofDetails(described),
    ...hubDetails(described.origin),
    ...agentDetails(),
    ...aboutDetails(),
    ...pageDetails(),
    ...fileDetails(),
    ...operatingDetails(),
  };
  const paths: Record<string, PathItem> = {};
  for (const operationId of OPERATION_IDS) {
    const { method, path, what: summary, group } = ROUTES[operationId];
    if (operationId === 'getMetrics' && !described.metrics) continue;
    const operation: Operation = {
      operationId,
      summary,
      description: TAGS[group],
      tags: [group],
      ...details[operationId],
    };
    const template = templateOf(path);
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
  }
  return paths;
}
