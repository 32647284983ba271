// The part of the document about what there is beside the data: this document, its reference, and what
// crawlers and language models read.

import { LLMS_FULL_PATH, LLMS_PATH } from '../discovery/llms.ts';
import { ROBOTS_PATH } from '../discovery/robots.ts';
import { SECURITY_PATH } from '../discovery/security.ts';
import { SITEMAP_FILES_PATH, SITEMAP_PATH } from '../discovery/sitemap.ts';
import { answerRef } from './responses.ts';
import { API_CATALOG_PATH, API_CATALOG_TYPE } from '../discovery/catalog.ts';
import { OPENAPI_PATH, REFERENCE_PATH } from './paths.ts';
import { bodyRead } from './reading.ts';
import { REFERENCE_FILES } from './reference.ts';
import { schemaRef } from './schemas.ts';
import type { MediaType, Operation, Parameter, PathItem, Paths } from './types.ts';

const TEXT: MediaType = { schema: { type: 'string' } };

/** Paths of text by their operation's id, what they are, and their type. */
const TEXTS: readonly (readonly [string, string, string, string])[] = [
  [LLMS_PATH, 'getLlms', 'For language models: whose reviews, and where the data is', 'text/plain'],
  [LLMS_FULL_PATH, 'getLlmsFull', 'The same with figures, summary and documentation', 'text/plain'],
  [ROBOTS_PATH, 'getRobots', 'For crawlers: everything may be read', 'text/plain'],
  [SITEMAP_PATH, 'getSitemap', 'Site map: the index of its files', 'application/xml'],
];

const sitemapFile: Parameter = {
  name: 'file',
  in: 'path',
  required: true,
  description: 'as the index names it',
  schema: { type: 'string', pattern: '^(pages|reviews-[1-9]\\d{0,8})\\.xml$' },
  example: 'pages.xml',
};

/** All of it. */
export function aboutPaths(): Paths {
  const tags = ['About'];
  const texts = TEXTS.map(([path, operationId, summary, type]): [string, PathItem] => [
    path,
    { get: bodyRead({ operationId, summary, tags }, { [type]: TEXT }) },
  ]);
  const files = REFERENCE_FILES.map(({ path, contentType }): [string, PathItem] => {
    const name = path.slice(REFERENCE_PATH.length + 1);
    const words = {
      operationId: `getReference:${name}`,
      summary: `${name} of the reference`,
      tags,
    };
    return [path, { get: bodyRead(words, { [bare(contentType)]: TEXT }) }];
  });
  const fileOfSitemap = bodyRead(
    { operationId: 'getSitemapFile', summary: 'A file of the site map', tags },
    { 'application/xml': TEXT },
    [sitemapFile],
  );
  const reference: Operation = bodyRead(
    { operationId: 'getReference', summary: 'This document, as a page', tags },
    { 'text/html': TEXT },
    [],
    ['Content-Security-Policy'],
  );
  const security = bodyRead(
    { operationId: 'getSecurity', summary: 'Whom to tell of a vulnerability (RFC 9116)', tags },
    { 'text/plain': TEXT },
  );
  return {
    [OPENAPI_PATH]: {
      get: bodyRead(
        { operationId: 'getOpenApi', summary: 'This document', tags },
        { 'application/json': { schema: { type: 'object', required: ['openapi'] } } },
      ),
    },
    [API_CATALOG_PATH]: {
      get: bodyRead(
        { operationId: 'getApiCatalog', summary: 'Where the interfaces are described', tags },
        { [bare(API_CATALOG_TYPE)]: { schema: schemaRef('ApiCatalog') } },
        [],
        ['Link'],
      ),
    },
    [REFERENCE_PATH]: { get: reference },
    ...Object.fromEntries(files),
    ...Object.fromEntries(texts),
    // A business without an e-mail address has none.
    [SECURITY_PATH]: {
      get: { ...security, responses: { ...security.responses, '404': answerRef('NotFound') } },
    },
    [`${SITEMAP_FILES_PATH}/{file}`]: {
      get: {
        ...fileOfSitemap,
        responses: { ...fileOfSitemap.responses, '404': answerRef('NotFound') },
      },
    },
  };
}

/** A type without its parameters. */
function bare(contentType: string): string {
  return contentType.split(';')[0] as string;
}
