// Operations that describe the origin: this document, its reference, and the files for crawlers and language
// models.

import { API_CATALOG_TYPE } from '../discovery/catalog.ts';
import type { OperationIn } from '../model/routes.ts';
import { bareType, read } from './reading.ts';
import { TEXT } from './responses.ts';
import { schemaRef } from './schemas.ts';
import type { MediaType, OperationDetails, Parameter } from '../model/openapi.ts';

/** The members that every OpenAPI document of 3.1 has. */
const OPENAPI: MediaType = {
  schema: {
    type: 'object',
    required: ['openapi', 'info'],
    properties: { openapi: { type: 'string' }, info: { type: 'object' } },
    additionalProperties: true,
  },
};

const sitemapFile: Parameter = {
  name: 'file',
  in: 'path',
  required: true,
  description: 'name of the file, as the index links it',
  schema: { type: 'string', pattern: '^(pages|reviews-[1-9]\\d{0,8})\\.xml$' },
  example: 'pages.xml',
};

export function aboutDetails(): Record<OperationIn<'About'>, OperationDetails> {
  const body = (
    id: OperationIn<'About'>,
    type: string,
    media = TEXT,
    more: Partial<Parameters<typeof read>[1]> = {},
  ) => read(id, { content: { [type]: media }, isCompressed: true, ...more });
  return {
    getOpenApi: body('getOpenApi', 'application/json', OPENAPI),
    getApiCatalog: body(
      'getApiCatalog',
      bareType(API_CATALOG_TYPE),
      { schema: schemaRef('ApiCatalog') },
      { headers: ['Link'] },
    ),
    getBusinessSchema: body('getBusinessSchema', 'application/json', {
      schema: { type: 'object', additionalProperties: true },
    }),
    getLlms: body('getLlms', 'text/plain'),
    getLlmsFull: body('getLlmsFull', 'text/plain'),
    getRobots: body('getRobots', 'text/plain'),
    // There is none without an email address of the business.
    getSecurity: body('getSecurity', 'text/plain', TEXT, { missing: 'NotFound' }),
    getSitemap: body('getSitemap', 'application/xml'),
    getSitemapFile: body('getSitemapFile', 'application/xml', TEXT, {
      parameters: [sitemapFile],
      missing: 'NotFound',
    }),
  };
}
