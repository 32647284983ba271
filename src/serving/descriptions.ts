// Handlers of the operations that describe this origin: `/openapi.json` and its reference, the API catalog,
// and the files for language models and crawlers.

import { API_CATALOG_TYPE, apiCatalogLink, buildApiCatalog } from '../discovery/catalog.ts';
import { DOCUMENTATION } from '../discovery/documentation.ts';
import { LLMS_TYPE, renderLlms, renderLlmsFull } from '../discovery/llms.ts';
import { renderRobots } from '../discovery/robots.ts';
import { renderSecurity } from '../discovery/security.ts';
import {
  renderSitemapFile,
  renderSitemapIndex,
  SITEMAP_TYPE,
  sitemapPaths,
} from '../discovery/sitemap.ts';
import { Refusal } from '../errors.ts';
import type { HeaderList } from '../model/http-seam.ts';
import { Body, BodyAnswerer, SnapshotBody } from '../http/bodies.ts';
import type { HttpServer } from '../http/server.ts';
import type { Business } from '../model/business.ts';
import { businessFileSchema } from '../model/business-file.ts';
import type { ReviewJson } from '../model/review.ts';
import { type OperationIn, ROUTES } from '../model/routes.ts';
import { buildOpenApi } from '../openapi/openapi.ts';
import type { Described } from '../openapi/types.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Binding, type PathLister, reply } from './bindings.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';

type BodyOf = (snapshot: Snapshot, parameters: { readonly file?: string }) => Body | null;
type HeadersOf = (snapshot: Snapshot) => HeaderList;

export function bindDescriptions(
  server: HttpServer,
  businessOf: () => Business,
): Record<OperationIn<'About'>, Binding> {
  const answerer = new BodyAnswerer();
  const body = (bodyOf: BodyOf, headersOf: HeadersOf = () => [], paths?: PathLister) =>
    reply(
      async (request, answer) => {
        const context = server.contextOf(request, answer);
        const found = bodyOf(context.snapshot, context.parameters);
        if (found === null) throw new Refusal('not_found');
        await answerer.answer(context, found, { headers: headersOf(context.snapshot) });
        answer.hijack();
      },
      paths ? { paths } : {},
    );
  /** Rendered once for each snapshot. */
  const text = (
    type: string,
    render: (snapshot: Snapshot) => string,
    headersOf?: HeadersOf,
  ): Binding => {
    const rendered = new SnapshotBody((snapshot) => new Body(render(snapshot), type));
    return body((snapshot) => rendered.of(snapshot), headersOf);
  };
  const security: BodyOf = (snapshot) => {
    const content = renderSecurity(snapshot, businessOf().email);
    return content === null ? null : new Body(content, TEXT_TYPE);
  };
  const sitemapFile: BodyOf = (snapshot, { file = '' }) => {
    const { peopleIndexing: isIndexingPeople } = server.config;
    const xml = renderSitemapFile(snapshot, file, { isIndexingPeople });
    return xml === null ? null : new Body(xml, SITEMAP_TYPE);
  };
  return {
    getOpenApi: text(JSON_TYPE, (snapshot) =>
      JSON.stringify(
        buildOpenApi(describeInterface(snapshot, businessOf(), server.config.metrics)),
      ),
    ),
    getApiCatalog: text(
      API_CATALOG_TYPE,
      ({ origin }) => JSON.stringify(buildApiCatalog(origin)),
      ({ origin }) => ['Link', apiCatalogLink(origin)],
    ),
    getBusinessSchema: text(JSON_TYPE, () => JSON.stringify(businessFileSchema(), null, 2)),
    getLlms: text(LLMS_TYPE, renderLlms),
    getLlmsFull: text(LLMS_TYPE, (snapshot) => renderLlmsFull(snapshot, DOCUMENTATION)),
    getRobots: text(TEXT_TYPE, ({ origin }) => renderRobots(origin)),
    getSecurity: body(security, undefined, () =>
      security(server.serving.snapshot, {}) ? [ROUTES.getSecurity.path] : [],
    ),
    getSitemap: text(SITEMAP_TYPE, renderSitemapIndex),
    getSitemapFile: body(sitemapFile, undefined, () => sitemapPaths(server.serving.snapshot)),
  };
}

/** Input of `/openapi.json`. Its examples name the oldest review, which changes least. */
export function describeInterface(
  snapshot: Snapshot,
  business: Business,
  metrics: boolean,
): Described {
  const oldest = snapshot.reviewCount === 0 ? null : snapshot.reviewAt(snapshot.reviewCount - 1);
  const example = oldest && (JSON.parse(oldest.toString()) as ReviewJson);
  return { origin: snapshot.origin, business, example, metrics };
}
