// Operations that describe the origin: this document, its reference, and the files for crawlers and language
// models.

import { API_CATALOG_TYPE } from '../discovery/catalog.ts';
import type { OperationIn } from '../model/routes.ts';
import { bareType, bodyRead } from './reading.ts';
import { answerRef } from './responses.ts';
import { schemaRef } from './schemas.ts';
import type { MediaType, OperationDetails, Parameter } from './types.ts';

const TEXT: MediaType = { schema: { type: 'string' } };

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
  return {
    getOpenApi: bodyRead('getOpenApi', { 'application/json': OPENAPI }),
    getApiCatalog: bodyRead(
      'getApiCatalog',
      { [bareType(API_CATALOG_TYPE)]: { schema: schemaRef('ApiCatalog') } },
      [],
      ['Link'],
    ),
    getBusinessSchema: bodyRead('getBusinessSchema', {
      'application/json': { schema: { type: 'object', additionalProperties: true } },
    }),
    getLlms: bodyRead('getLlms', { 'text/plain': TEXT }),
    getLlmsFull: bodyRead('getLlmsFull', { 'text/plain': TEXT }),
    getRobots: bodyRead('getRobots', { 'text/plain': TEXT }),
    // There is none without an email address of the business.
    getSecurity: orNotFound(bodyRead('getSecurity', { 'text/plain': TEXT })),
    getSitemap: bodyRead('getSitemap', { 'application/xml': TEXT }),
    getSitemapFile: orNotFound(
      bodyRead('getSitemapFile', { 'application/xml': TEXT }, [sitemapFile]),
    ),
  };
}

/** The same operation, which may answer 404. */
export function orNotFound(details: OperationDetails): OperationDetails {
  return { ...details, responses: { ...details.responses, '404': answerRef('NotFound') } };
}
