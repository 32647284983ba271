// What describes this origin to programs and their makers: `/openapi.json` and its reference, the API
// catalogue, what language models and crawlers read.

import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  API_CATALOG_PATH,
  API_CATALOG_TYPE,
  apiCatalogLink,
  buildApiCatalog,
} from '../discovery/catalog.ts';
import { buildOpenApi } from '../openapi/openapi.ts';
import { OPENAPI_PATH, REFERENCE_PATH } from '../openapi/paths.ts';
import { REFERENCE_FILES, referencePolicy, renderReference } from '../openapi/reference.ts';
import type { Described } from '../openapi/types.ts';
import { DOCUMENTATION } from '../discovery/documentation.ts';
import { Refusal } from '../errors.ts';
import { type HeaderList, listOf } from '../http/answer.ts';
import { Body, BodyAnswerer, SnapshotBody } from '../http/bodies.ts';
import type { ReadContext } from '../http/reviews.ts';
import type { ReadOptions } from '../http/route-options.ts';
import type { HttpServer } from '../http/server.ts';
import type { Business } from '../model/business.ts';
import type { ReviewJson } from '../model/review.ts';
import {
  LLMS_FULL_PATH,
  LLMS_PATH,
  LLMS_TYPE,
  renderLlms,
  renderLlmsFull,
} from '../discovery/llms.ts';
import { renderRobots, ROBOTS_PATH } from '../discovery/robots.ts';
import { renderSecurity, SECURITY_PATH } from '../discovery/security.ts';
import {
  renderSitemapFile,
  renderSitemapIndex,
  SITEMAP_FILES_PATH,
  SITEMAP_PATH,
  SITEMAP_TYPE,
  sitemapPaths,
} from '../discovery/sitemap.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

export const DESCRIPTION_ROUTES = {
  openApi: OPENAPI_PATH,
  apiCatalog: API_CATALOG_PATH,
  reference: REFERENCE_PATH,
  llms: LLMS_PATH,
  llmsFull: LLMS_FULL_PATH,
  robots: ROBOTS_PATH,
  security: SECURITY_PATH,
  sitemap: SITEMAP_PATH,
  sitemapFile: `${SITEMAP_FILES_PATH}/:file`,
} as const;

const HTML_TYPE = 'text/html; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** What is made from the snapshot as it is asked for, and compressed. */
export function addDescriptions(server: HttpServer, businessOf: () => Business): void {
  const answerer = new BodyAnswerer();
  const route = (
    path: string,
    bodyOf: BodyOf,
    headersOf: HeadersOf = () => [],
    options: ReadOptions = {},
  ) => {
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      const context = contextOf(server, request, reply);
      const body = bodyOf(context.snapshot, request.params as { file?: string });
      if (body === null) throw new Refusal('not_found');
      const answered = answerer.answer(context, body, {
        headers: headersOf(context.snapshot),
      });
      if (answered) return answered.then(() => void reply.hijack());
      reply.hijack();
      return undefined;
    };
    server.routeRead(path, handler, options);
  };
  /** Made once for each snapshot. */
  const routeText = (
    path: string,
    render: (snapshot: Snapshot) => string,
    type: string,
    headersOf?: HeadersOf,
  ) => {
    const body = new SnapshotBody((snapshot) => new Body(render(snapshot), type));
    route(path, (snapshot) => body.of(snapshot), headersOf);
  };

  routeText(
    DESCRIPTION_ROUTES.openApi,
    (snapshot) =>
      JSON.stringify(buildOpenApi(describe(snapshot, businessOf(), server.config.metrics))),
    JSON_TYPE,
  );
  routeText(
    DESCRIPTION_ROUTES.apiCatalog,
    ({ origin }) => JSON.stringify(buildApiCatalog(origin)),
    API_CATALOG_TYPE,
    ({ origin }) => ['Link', apiCatalogLink(origin)],
  );
  routeText(DESCRIPTION_ROUTES.reference, renderReference, HTML_TYPE, ({ origin }) => [
    'Content-Security-Policy',
    referencePolicy(origin),
  ]);
  for (const { path, contentType, read } of REFERENCE_FILES) {
    let body: Body | null = null;
    route(path, () => (body ??= new Body(read(), contentType)));
  }
  routeText(DESCRIPTION_ROUTES.llms, renderLlms, LLMS_TYPE);
  routeText(
    DESCRIPTION_ROUTES.llmsFull,
    (snapshot) => renderLlmsFull(snapshot, DOCUMENTATION),
    LLMS_TYPE,
  );
  routeText(DESCRIPTION_ROUTES.robots, ({ origin }) => renderRobots(origin), TEXT_TYPE);
  const security: BodyOf = (snapshot) => {
    const text = renderSecurity(snapshot, businessOf().email);
    return text === null ? null : new Body(text, TEXT_TYPE);
  };
  route(DESCRIPTION_ROUTES.security, security, undefined, {
    paths: () => (security(server.serving.snapshot, {}) ? [DESCRIPTION_ROUTES.security] : []),
  });
  routeText(DESCRIPTION_ROUTES.sitemap, renderSitemapIndex, SITEMAP_TYPE);
  const sitemapFile: BodyOf = (snapshot, { file = '' }) => {
    const xml = renderSitemapFile(snapshot, file);
    return xml === null ? null : new Body(xml, SITEMAP_TYPE);
  };
  route(DESCRIPTION_ROUTES.sitemapFile, sitemapFile, undefined, {
    paths: () => sitemapPaths(server.serving.snapshot),
  });
}

type BodyOf = (snapshot: Snapshot, parameters: { readonly file?: string }) => Body | null;
type HeadersOf = (snapshot: Snapshot) => HeaderList;

/** What a read is answered from. */
export function contextOf(
  server: HttpServer,
  request: FastifyRequest,
  reply: FastifyReply,
): ReadContext {
  return {
    request: request.raw,
    response: reply.raw,
    snapshot: server.serving.snapshot,
    cacheControl: server.config.cacheControl,
    extra: listOf(reply.getHeaders()),
  };
}

/** What `/openapi.json` is made for. Its examples name the oldest review, which stays. */
function describe(snapshot: Snapshot, business: Business, metrics: boolean): Described {
  const oldest = snapshot.reviewCount === 0 ? null : snapshot.reviewAt(snapshot.reviewCount - 1);
  const example = oldest && (JSON.parse(oldest.toString()) as ReviewJson);
  return { origin: snapshot.origin, business, example, metrics };
}
